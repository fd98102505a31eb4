package io.s3rdma.bench;

import java.util.List;

/** Whose CPU a thread of a process with client, server and device burns; by the thread's name. */
enum Part {
  CLIENT("client", "bench-client", "sdk-", "idle-connection"),
  SERVER("server", "s3-io", "s3-op", "s3rdma-cq"),
  ACCESS_LOG("access log", "s3rdma-log"),
  /** A NIC's or a kernel's work, and the copy; no software of ours. */
  DEVICE("device", "s3rdma-fake"),
  COLLECTOR("garbage collector", "GC Thread", "G1 ", "VM Thread", "VM Periodic"),
  COMPILER("JIT", "C1 Compiler", "C2 Compiler", "C* Compiler"),
  REST("rest");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> prefixes;

  Part(String label, String... prefixes) {
    this.label = label;
    this.prefixes = List.of(prefixes);
  }

  String label() {
    return label;
  }

  /** Whether it is a cost of each call: the compiler's ends some time. */
  boolean isSoftware() {
    return this != DEVICE && this != COMPILER;
  }

  static Part of(String threadName) {
    for (Part part : values()) {
      if (part.prefixes.stream().anyMatch(threadName::startsWith)) {
        return part;
      }
    }
    return REST;
  }
}
