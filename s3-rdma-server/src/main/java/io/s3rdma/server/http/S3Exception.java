package io.s3rdma.server.http;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A refusal that becomes an S3 error document; thrown anywhere above the encoder. */
public final class S3Exception extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final S3ErrorCode code;
  private final transient Headers headers;
  private final transient Map<String, String> details;

  public S3Exception(S3ErrorCode code) {
    this(code, code.text());
  }

  public S3Exception(S3ErrorCode code, String message) {
    this(code, message, Headers.EMPTY, Map.of(), null);
  }

  public S3Exception(S3ErrorCode code, String message, Throwable cause) {
    this(code, message, Headers.EMPTY, Map.of(), cause);
  }

  private S3Exception(
      S3ErrorCode code,
      String message,
      Headers headers,
      Map<String, String> details,
      Throwable cause) {
    super(message, cause);
    this.code = code;
    this.headers = headers;
    this.details = details;
  }

  /** The same refusal with one more response header. */
  public S3Exception withHeader(String name, String value) {
    return new S3Exception(code, getMessage(), headers.with(name, value), details, getCause());
  }

  /** The same refusal with one more element in its XML, for example ActualObjectSize. */
  public S3Exception withDetail(String element, String value) {
    Map<String, String> more = new LinkedHashMap<>(details);
    more.put(element, value);
    return new S3Exception(code, getMessage(), headers, more, getCause());
  }

  public S3ErrorCode code() {
    return code;
  }

  public Headers headers() {
    return headers;
  }

  Map<String, String> details() {
    return details;
  }
}
