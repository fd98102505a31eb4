package io.s3rdma.bench;

/** The verb that moves an object's bytes. */
enum Verb {
  /** What a GET is made of. */
  WRITE("ib_write_bw", false),
  /** What a PUT is made of. */
  READ("ib_read_bw", true);

  private final String perftest;
  private final boolean perftestHasEvents;

  Verb(String perftest, boolean perftestHasEvents) {
    this.perftest = perftest;
    this.perftestHasEvents = perftestHasEvents;
  }

  String perftest() {
    return perftest;
  }

  /** perftest refuses {@code -e} for WRITE: its receiver has no completion to wait for. */
  boolean perftestHasEvents() {
    return perftestHasEvents;
  }
}
