package io.s3rdma.client.cli;

import io.s3rdma.rdma.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the doctor looks at besides devices. */
final class HostChecks {
  private static final int JAVA_LEAST = 22;
  private static final long MEMLOCK_ENOUGH = 1L << 28;
  private static final Pattern MEMLOCK =
      Pattern.compile("Max locked memory +(\\S+) +", Pattern.MULTILINE);
  private static final List<String> LIBRARY_FOLDERS =
      List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib");

  private HostChecks() {}

  static Check java() {
    String found = Runtime.version() + ", " + System.getProperty("java.home");
    return Runtime.version().feature() >= JAVA_LEAST
        ? Check.ok("java", found)
        : Check.fail("java", found, "needs JDK " + JAVA_LEAST + " or newer");
  }

  static Check machine() {
    String found =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + ", "
            + System.getProperty("os.arch");
    boolean known = List.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
    return known
        ? Check.ok("machine", found)
        : Check.note("machine", found, "built and tested on amd64; others build from source");
  }

  static Check nativeLibrary(Availability library) {
    return library.available()
        ? Check.ok("libs3rdma", "loaded, structures as Java expects them")
        : Check.fail("libs3rdma", library.cause(), "see the cause");
  }

  /** After the library was loaded, which maps libibverbs. */
  static Check ibverbs() {
    Optional<String> mapped = mapped("libibverbs.so");
    if (mapped.isPresent()) {
      return Check.ok("libibverbs", mapped.get());
    }
    Optional<Path> there =
        LIBRARY_FOLDERS.stream()
            .map(folder -> Path.of(folder, "libibverbs.so.1"))
            .filter(Files::exists)
            .findFirst();
    return there
        .map(path -> Check.note("libibverbs", path + ", not loaded", ""))
        .orElseGet(
            () ->
                Check.fail(
                    "libibverbs",
                    "not installed",
                    "apt-get install libibverbs1 ibverbs-providers, or your distribution's"
                        + " rdma-core"));
  }

  private static Optional<String> mapped(String name) {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains("/" + name))
          .map(line -> line.substring(line.indexOf('/')))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Registered memory is locked memory. */
  static Check memlock() {
    try {
      return memlock(Files.readString(Path.of("/proc/self/limits")));
    } catch (IOException e) {
      return Check.note("memlock", "unknown: " + e.getMessage(), "");
    }
  }

  static Check memlock(String limits) {
    Matcher matcher = MEMLOCK.matcher(limits);
    if (!matcher.find()) {
      return Check.note("memlock", "unknown", "");
    }
    String soft = matcher.group(1);
    if (soft.equals("unlimited")) {
      return Check.ok("memlock", "unlimited");
    }
    long bytes = Long.parseUnsignedLong(soft);
    String found = Figures.bytes(bytes) + " of memory can be locked";
    return Long.compareUnsigned(bytes, MEMLOCK_ENOUGH) >= 0
        ? Check.ok("memlock", found)
        : Check.note(
            "memlock",
            found,
            "ulimit -l unlimited as root, or 'memlock unlimited' in limits.conf; root itself is not"
                + " bound by it");
  }

  static Check gpu() {
    Availability gpus = Memory.gpuAvailability();
    return gpus.available()
        ? Check.ok("gpu", Memory.gpuCount() + " for --memory gpu:N")
        : Check.note("gpu", "none: " + gpus.cause(), "only needed for --memory gpu:N or pinned");
  }
}
