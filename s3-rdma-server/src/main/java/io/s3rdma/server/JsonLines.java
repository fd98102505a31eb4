package io.s3rdma.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/** A line of the log as one flat JSON object; named values stand beside the message. */
final class JsonLines extends EncoderBase<ILoggingEvent> {
  private final ObjectMapper mapper = new ObjectMapper();

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", event.getInstant().toString());
    fields.put("level", event.getLevel().toString());
    fields.put("logger", event.getLoggerName());
    fields.put("thread", event.getThreadName());
    fields.putAll(event.getMDCPropertyMap());
    if (!event.getFormattedMessage().isEmpty()) {
      fields.put("message", event.getFormattedMessage());
    }
    List<KeyValuePair> values = event.getKeyValuePairs();
    if (values != null) {
      values.forEach(pair -> fields.put(pair.key, pair.value));
    }
    if (event.getThrowableProxy() != null) {
      fields.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    try {
      return (mapper.writeValueAsString(fields) + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      addError("a log line is no JSON", e);
      return new byte[0];
    }
  }
}
