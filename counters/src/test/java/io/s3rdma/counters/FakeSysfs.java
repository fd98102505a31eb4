package io.s3rdma.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A port's counter files in a temporary folder, laid out as the two vendors do. */
final class FakeSysfs {
  private static final String[] RXE = {
    "sent_pkts", "rcvd_pkts", "duplicate_request", "out_of_seq_request", "rcvd_rnr_err",
    "send_rnr_err", "rcvd_seq_err", "ack_deferred", "retry_exceeded_err", "retry_rnr_exceeded_err",
    "completer_retry_err", "send_err", "link_downed", "rdma_sends", "rdma_recvs",
  };
  private static final String[] MLX5_HW = {
    "rx_write_requests", "rx_read_requests", "rx_atomic_requests", "out_of_buffer",
    "out_of_sequence", "duplicate_request", "rnr_nak_retry_err", "packet_seq_err",
    "implied_nak_seq_err", "local_ack_timeout_err", "roce_adp_retrans", "np_cnp_sent",
  };
  private static final String[] MLX5_PORT = {
    "port_xmit_data",
    "port_rcv_data",
    "port_xmit_packets",
    "port_rcv_packets",
    "unicast_xmit_packets",
    "port_rcv_errors",
    "port_xmit_discards",
  };

  private final Path root;
  private final String device;

  private FakeSysfs(Path root, String device) {
    this.root = root;
    this.device = device;
  }

  static FakeSysfs rxe(Path root) {
    FakeSysfs fake = new FakeSysfs(root, "rxe0");
    for (String name : RXE) {
      fake.hw(name, 0);
    }
    return fake.hw("lifespan", 12);
  }

  static FakeSysfs mlx5(Path root) {
    FakeSysfs fake = new FakeSysfs(root, "mlx5_0");
    for (String name : MLX5_HW) {
      fake.hw(name, 0);
    }
    for (String name : MLX5_PORT) {
      fake.port(name, 0);
    }
    return fake.hw("lifespan", 12);
  }

  CounterReader reader() {
    return new CounterReader(root, device, 1);
  }

  FakeSysfs hw(String name, long value) {
    return text("hw_counters/" + name, Long.toUnsignedString(value) + "\n");
  }

  FakeSysfs port(String name, long value) {
    return text("counters/" + name, Long.toUnsignedString(value) + "\n");
  }

  FakeSysfs text(String name, String text) {
    Path file = path(name);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  FakeSysfs remove(String name) {
    try {
      Files.delete(path(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  Path path(String name) {
    return root.resolve(device).resolve("ports/1").resolve(name);
  }
}
