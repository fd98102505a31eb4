package io.s3rdma.client.cli;

/** What the commands exit with; scripts rely on these. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NO_RDMA = 3;
  static final int NOT_FOUND = 4;

  private ExitCode() {}
}
