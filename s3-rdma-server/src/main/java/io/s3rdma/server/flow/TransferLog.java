package io.s3rdma.server.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The most recent transfers, newest first. Thread-safe. */
public final class TransferLog {
  private static final int KEPT = 200;

  private final Deque<TransferRecord> records = new ArrayDeque<>(KEPT);

  synchronized void add(TransferRecord entry) {
    if (records.size() == KEPT) {
      records.removeLast();
    }
    records.addFirst(entry);
  }

  public synchronized List<TransferRecord> recent() {
    return new ArrayList<>(records);
  }
}
