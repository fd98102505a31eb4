package io.s3rdma.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A bar on one line of a terminal, for transfers that take longer than a second; removed at the
 * end. One thread.
 */
final class Progress implements AutoCloseable {
  private static final Path STDERR = Path.of("/proc/self/fd/2");
  private static final long PATIENCE_NANOS = 1_000_000_000L;
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final int BAR_CELLS = 30;

  private final Optional<PrintWriter> terminal;
  private final LongSupplier nanos;
  private final String label;
  private final long totalBytes;
  private final long start;
  private long done;
  private long redrawAt;
  private boolean drawn;

  /**
   * @param terminal where to draw; empty draws nothing
   */
  Progress(Optional<PrintWriter> terminal, LongSupplier nanos, String label, long totalBytes) {
    this.terminal = terminal;
    this.nanos = nanos;
    this.label = label;
    this.totalBytes = totalBytes;
    this.start = nanos.getAsLong();
    this.redrawAt = start + PATIENCE_NANOS;
  }

  /** Draws if standard error is a terminal. */
  static Progress onTerminal(PrintWriter err, String label, long totalBytes) {
    return new Progress(
        stderrIsTerminal() ? Optional.of(err) : Optional.empty(),
        System::nanoTime,
        label,
        totalBytes);
  }

  /** System.console() looks at standard input and output, which may well be files. */
  private static boolean stderrIsTerminal() {
    try {
      String target = Files.readSymbolicLink(STDERR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  void advance(long bytes) {
    done += bytes;
    long now = nanos.getAsLong();
    if (terminal.isPresent() && now >= redrawAt) {
      redrawAt = now + REDRAW_NANOS;
      drawn = true;
      terminal.get().print("\r" + line((now - start) / 1e9) + "\u001b[K");
      terminal.get().flush();
    }
  }

  String line(double seconds) {
    double share = totalBytes == 0 ? 1 : Math.min(1, (double) done / totalBytes);
    int filled = (int) (share * BAR_CELLS);
    String bar = "#".repeat(filled) + ".".repeat(BAR_CELLS - filled);
    String rest =
        done == 0 || done >= totalBytes
            ? ""
            : ", " + Math.round(seconds / done * (totalBytes - done)) + " s left";
    return "%s [%s] %3d%% of %s, %s%s"
        .formatted(
            label,
            bar,
            (int) (share * 100),
            Figures.bytes(totalBytes),
            Figures.rate(done, seconds),
            rest);
  }

  @Override
  public void close() {
    if (drawn) {
      terminal.orElseThrow().print("\r\u001b[K");
      terminal.orElseThrow().flush();
    }
  }
}
