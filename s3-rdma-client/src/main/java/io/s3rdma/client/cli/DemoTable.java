package io.s3rdma.client.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of the demo for people. */
final class DemoTable {
  private static final int BAR_CELLS = 16;

  private DemoTable() {}

  static List<String> render(List<DemoRow> rows) {
    double fastest = rows.stream().mapToDouble(DemoRow::megabytesPerSecond).max().orElse(1);
    List<String> lines = new ArrayList<>();
    lines.add(
        "%-9s  %13s  %7s  %8s  %-16s  %6s  %6s  %-11s  %8s  %8s  %8s"
            .formatted("", "", "", "", "", "client", "server", "", "packets", "packets", "port"));
    lines.add(
        "%-9s  %13s  %7s  %8s  %-16s  %6s  %6s  %-11s  %8s  %8s  %8s"
            .formatted(
                "",
                "bytes",
                "seconds",
                "MB/s",
                "",
                "CPU s",
                "CPU s",
                "verdict",
                "expected",
                "counted",
                "sent"));
    for (DemoRow row : rows) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-3s  %-4s  %,13d  %7.3f  %8.1f  %-16s  %6.2f  %6.2f  %-11s  %8s  %8s  %8s",
              row.operation(),
              row.transport(),
              row.bytes(),
              row.seconds(),
              row.megabytesPerSecond(),
              bar(row.megabytesPerSecond() / fastest),
              row.clientCpuSeconds(),
              row.serverCpuSeconds(),
              row.verdict(),
              row.byRdma() ? row.packetsExpected() : "-",
              row.byRdma() ? row.packetsCounted() : "-",
              row.portPackets() < 0 ? "-" : row.portPackets()));
    }
    return lines;
  }

  private static String bar(double share) {
    return "#".repeat(Math.max(1, (int) Math.round(share * BAR_CELLS)));
  }
}
