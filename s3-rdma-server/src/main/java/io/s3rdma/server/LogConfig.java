package io.s3rdma.server;

/**
 * How the server logs; always to standard error.
 *
 * @param level of the server's own lines: error, warn, info, debug or trace
 * @param access whether every request gets a line
 */
public record LogConfig(Format format, Level level, boolean access) {
  /** What a line is. */
  public enum Format {
    TEXT,
    JSON
  }

  /** What is worth a line. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }
}
