package io.s3rdma.client.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of the demo for people. */
final class DemoTable {
  private static final int BAR_CELLS = 10;
  private static final String HEAD = "%-11s %11s %8s %7s            %6s %6s  %-9s %8s %8s %9s";

  private DemoTable() {}

  static List<String> render(List<DemoRow> rows) {
    double fastest = rows.stream().mapToDouble(DemoRow::megabytesPerSecond).max().orElse(1);
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            HEAD,
            "",
            "",
            "",
            "",
            "client",
            "server",
            "",
            "packets",
            "packets",
            "packets"));
    lines.add(
        String.format(
            Locale.ROOT,
            HEAD,
            "",
            "bytes",
            "seconds",
            "MB/s",
            "CPU s",
            "CPU s",
            "verdict",
            "expected",
            "counted",
            "port sent"));
    for (DemoRow row : rows) {
      lines.add(line(row, fastest));
    }
    return lines;
  }

  private static String line(DemoRow row, double fastest) {
    return String.format(
        Locale.ROOT,
        "%-3s by %-4s %,11d %8.3f %7.1f %-10s %6.2f %6.2f  %-9s %8s %8s %9s",
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
        row.portPackets() < 0 ? "-" : row.portPackets());
  }

  private static String bar(double share) {
    return "#".repeat(Math.max(1, (int) Math.round(share * BAR_CELLS)));
  }
}
