package io.s3rdma.bench.faults;

import java.io.IOException;

/**
 * One thing that goes wrong.
 *
 * @param name for the table and the command line
 * @param what one line for people
 * @param isShort whether the short form has it
 * @param mayFail whether transfers may fail, typed; wrong bytes and leaks never may
 */
record Scenario(String name, String what, boolean isShort, boolean mayFail, Body body) {
  /** Does it, and leaves hosts and server as they were. */
  @FunctionalInterface
  interface Body {
    void run(Bench bench) throws IOException;
  }
}
