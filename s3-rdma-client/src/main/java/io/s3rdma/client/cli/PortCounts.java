package io.s3rdma.client.cli;

import io.s3rdma.counters.Counter;
import io.s3rdma.counters.CounterReader;
import io.s3rdma.counters.CounterSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The packet counters of one device port at one moment: packets since the device is there, for all
 * of its users.
 *
 * @param rail device and port, {@code rxe0/1}
 * @param counts by sysfs name; empty where the port has none
 */
record PortCounts(String rail, Map<String, Long> counts) {
  private static final List<String> SENT = List.of("sent_pkts", "port_xmit_packets");
  private static final List<String> RECEIVED = List.of("rcvd_pkts", "port_rcv_packets");

  /** Those of a port of this machine, not older than the call. */
  static PortCounts local(String rail) {
    String[] parts = rail.split("/", 2);
    CounterReader reader =
        new CounterReader(CounterReader.DEFAULT_ROOT, parts[0], Integer.parseInt(parts[1]));
    waitUntilFresh(reader.freshAfter());
    CounterSnapshot snapshot = reader.snapshot();
    Map<String, Long> counts = new TreeMap<>();
    for (Counter counter : snapshot.counters()) {
      counts.put(counter.fileName(), snapshot.value(counter).orElseThrow());
    }
    return new PortCounts(rail, counts);
  }

  private static void waitUntilFresh(Duration age) {
    long until = System.nanoTime() + age.toNanos();
    for (long left = age.toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /**
   * Packets that the port sent, or received, between two moments.
   *
   * @param counter sysfs name of what was read
   */
  record Moved(String rail, String counter, long before, long after) {
    long packets() {
      return after - before;
    }
  }

  /** Empty where the port does not count that. */
  Optional<Moved> until(PortCounts later, boolean sent) {
    return (sent ? SENT : RECEIVED)
        .stream()
            .filter(name -> counts.containsKey(name) && later.counts.containsKey(name))
            .findFirst()
            .map(name -> new Moved(rail, name, counts.get(name), later.counts.get(name)));
  }
}
