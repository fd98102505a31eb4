package io.s3rdma.counters;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads the counters of one device port from sysfs. Holds no file open; safe for any thread. A read
 * is one open, read and close a counter: some 10 µs each on rxe, a device command on mlx5. Who
 * reads one again and again keeps its {@link CounterFile}.
 *
 * <p><b>Cached values.</b> The kernel answers reads of {@code hw_counters} from a copy as long as
 * that is not older than {@code lifespan} (default 10 ms, rounded up to timer ticks: 12 at 250 Hz).
 * Even with {@code lifespan} 0 the copy lives to the end of its tick ({@code
 * time_is_after_eq_jiffies(timestamp + lifespan)} in {@code core/sysfs.c}), and a tick is at most
 * 10 ms. So a value read at time t holds everything that happened before t - {@link #freshAfter()}.
 * {@code counters} is never cached.
 */
public final class CounterReader {
  /** Where Linux shows RDMA devices. */
  public static final Path DEFAULT_ROOT = Path.of("/sys/class/infiniband");

  static final Duration TICK_MAX = Duration.ofMillis(10);
  private static final Duration LIFESPAN_DEFAULT = Duration.ofMillis(12);
  private static final Duration LIFESPAN_MAX = Duration.ofHours(1);
  private static final String LIFESPAN = "lifespan";

  private final String device;
  private final int port;
  private final Path directory;

  /**
   * @param root usually {@link #DEFAULT_ROOT}
   * @param device name of the device, such as {@code mlx5_0}
   * @param port from 1
   * @throws IllegalArgumentException if {@code device} is no plain name or {@code port} below 1
   */
  public CounterReader(Path root, String device, int port) {
    if (device.isEmpty() || device.startsWith(".") || device.indexOf('/') >= 0) {
      throw new IllegalArgumentException("not a device name: " + device);
    }
    if (port < 1) {
      throw new IllegalArgumentException("ports count from 1: " + port);
    }
    this.device = device;
    this.port = port;
    this.directory = root.resolve(device).resolve("ports").resolve(Integer.toString(port));
  }

  public String device() {
    return device;
  }

  public int port() {
    return port;
  }

  /** Every known counter the port has; empty, without an error, where it has none. */
  public CounterSnapshot snapshot() {
    return snapshot(Counter.all());
  }

  /** Only these counters: what a transfer's bracket can afford. */
  public CounterSnapshot snapshot(Collection<Counter> wanted) {
    long now = System.nanoTime();
    Map<Counter, Long> values = new EnumMap<>(Counter.class);
    for (Counter counter : wanted) {
      read(counter).ifPresent(value -> values.put(counter, value));
    }
    return CounterSnapshot.of(now, values);
  }

  /** One counter's unsigned value; empty if it does not exist or is no number. */
  public OptionalLong read(Counter counter) {
    return readNumber(pathOf(counter));
  }

  /** A counter's file, to be kept open; the caller closes it. */
  CounterFile open(Counter counter) {
    return new CounterFile(pathOf(counter));
  }

  private Path pathOf(Counter counter) {
    return directory.resolve(counter.place().directory()).resolve(counter.fileName());
  }

  /**
   * Asks the kernel not to cache {@code hw_counters} of this port: writes 0 to {@code lifespan},
   * which needs root and holds for every reader on the host until the device goes away.
   *
   * @return whether the kernel took it; if not, {@link #freshAfter()} says how long to wait
   */
  public boolean disableCaching() {
    Path lifespan = lifespanFile();
    try {
      Files.writeString(
          lifespan, "0", US_ASCII, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      return false; // not there or not permitted: the caller waits instead
    }
    OptionalLong now = readNumber(lifespan);
    return now.isPresent() && now.getAsLong() == 0;
  }

  /** How far behind the truth a value of {@code hw_counters} can be; zero without that folder. */
  public Duration freshAfter() {
    if (!Files.isDirectory(directory.resolve(Counter.Place.HW.directory()))) {
      return Duration.ZERO;
    }
    long millis = readNumber(lifespanFile()).orElse(LIFESPAN_DEFAULT.toMillis());
    boolean sane = Long.compareUnsigned(millis, LIFESPAN_MAX.toMillis()) < 0;
    return (sane ? Duration.ofMillis(millis) : LIFESPAN_MAX).plus(TICK_MAX);
  }

  /** As {@link #freshAfter()}, for one counter. */
  Duration freshAfter(Counter counter) {
    return counter.place() == Counter.Place.HW ? freshAfter() : Duration.ZERO;
  }

  private Path lifespanFile() {
    return directory.resolve(Counter.Place.HW.directory()).resolve(LIFESPAN);
  }

  private static OptionalLong readNumber(Path file) {
    try {
      return numberOf(new String(Files.readAllBytes(file), US_ASCII));
    } catch (IOException e) {
      return OptionalLong.empty(); // absent, not permitted, or a device without this counter
    }
  }

  /** The unsigned number in a counter's text; empty if it is none. */
  static OptionalLong numberOf(String text) {
    String stripped = text.strip();
    try {
      return isNumber(stripped)
          ? OptionalLong.of(Long.parseUnsignedLong(stripped))
          : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // more than 64 bits
    }
  }

  /** Kernels print "N/A (no PMA)" where a device has no such counter. */
  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  @Override
  public String toString() {
    return device + "/" + port;
  }
}
