package io.s3rdma.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets up what the configuration says about the log. Who gives logback a file of his own ({@code
 * -Dlogback.configurationFile}) keeps it.
 */
final class Logging {
  private static final String OWN = "io.s3rdma";
  private static final String ACCESS = "io.s3rdma.server.access";
  private static final String TIME = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level ";
  // A request's id stands behind the thread wherever there is one.
  private static final String LINE = TIME + "%logger{20} [%thread] %X{request:--} %msg%n";
  private static final String ACCESS_LINE = TIME + "access %kvp{DOUBLE}%n";
  private static final int ACCESS_BUFFER_BYTES = 16384;

  private Logging() {}

  static void configure(LogConfig config) {
    if (System.getProperty("logback.configurationFile") == null
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.reset();
      configure(context, config, null);
    }
  }

  /** Writes out what waits. */
  static void stop() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }

  /** {@code out} is standard error if null. */
  static void configure(LoggerContext context, LogConfig config, OutputStream out) {
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    context.getLogger(OWN).setLevel(Level.valueOf(config.level().name()));
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines(context, config, LINE, out));
    ch.qos.logback.classic.Logger access = context.getLogger(ACCESS);
    access.setAdditive(false);
    access.setLevel(config.access() ? Level.INFO : Level.OFF);
    access.addAppender(accessLines(context, config, out));
  }

  private static Appender<ILoggingEvent> lines(
      LoggerContext context, LogConfig config, String pattern, OutputStream out) {
    OutputStreamAppender<ILoggingEvent> appender;
    if (out == null) {
      ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
      console.setTarget("System.err");
      appender = console;
    } else {
      appender = new OutputStreamAppender<>();
    }
    appender.setContext(context);
    appender.setEncoder(encoder(context, config, pattern));
    if (out != null) {
      appender.setOutputStream(out);
    }
    appender.start();
    return appender;
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, LogConfig config, String pattern) {
    if (config.format() == LogConfig.Format.JSON) {
      JsonLines json = new JsonLines();
      json.setContext(context);
      json.start();
      return json;
    }
    PatternLayoutEncoder text = new PatternLayoutEncoder();
    text.setContext(context);
    text.setPattern(pattern);
    text.start();
    return text;
  }

  /** An event loop must not wait for a reader of the log: lines are lost rather. */
  private static Appender<ILoggingEvent> accessLines(
      LoggerContext context, LogConfig config, OutputStream out) {
    OutputStream target = out == null ? ConsoleTarget.SystemErr.getStream() : out;
    OutputStreamAppender<ILoggingEvent> lines = new OutputStreamAppender<>();
    lines.setContext(context);
    lines.setEncoder(encoder(context, config, ACCESS_LINE));
    lines.setImmediateFlush(false);
    // Goes on by whole lines, so that those of the other appender stay whole too.
    lines.setOutputStream(new BufferedOutputStream(target, ACCESS_BUFFER_BYTES));
    lines.start();
    BatchedAppender batched = new BatchedAppender();
    batched.setContext(context);
    batched.addAppender(lines);
    batched.start();
    return batched;
  }
}
