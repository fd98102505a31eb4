package io.s3rdma.rdma;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Finds, loads and checks the shim, once. The library travels in the jar as {@code
 * native/linux-<arch>/}; the system property {@code s3rdma.native.provider} chooses {@code verbs}
 * (default) or {@code fake}.
 *
 * <p>A structure whose size differs between C and Java makes the library unavailable, naming the
 * structure: guessing on would corrupt memory.
 */
final class NativeLibrary {
  private static final String PROVIDER_PROPERTY = "s3rdma.native.provider";

  private final SymbolLookup symbols;
  private final Availability availability;
  private final String provider;

  private NativeLibrary(SymbolLookup symbols, Availability availability, String provider) {
    this.symbols = symbols;
    this.availability = availability;
    this.provider = provider;
  }

  private static final class Holder {
    static final NativeLibrary INSTANCE = load();
  }

  static NativeLibrary get() {
    return Holder.INSTANCE;
  }

  Availability availability() {
    return availability;
  }

  String provider() {
    return provider;
  }

  /** The one place where functions are bound. */
  @SuppressWarnings("restricted")
  MethodHandle bind(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(
            symbols
                .find(function)
                .orElseThrow(() -> new IllegalStateException("libs3rdma lacks " + function)),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }

  @SuppressWarnings("restricted")
  MethodHandle bindText(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(
            symbols
                .find(function)
                .orElseThrow(() -> new IllegalStateException("libs3rdma lacks " + function)),
            FunctionDescriptor.of(ValueLayout.ADDRESS, arguments));
  }

  private static NativeLibrary load() {
    String provider = System.getProperty(PROVIDER_PROPERTY, "verbs");
    try {
      SymbolLookup symbols = open(provider);
      NativeLibrary candidate = new NativeLibrary(symbols, Availability.yes(), provider);
      String mismatch = AbiCheck.mismatch(candidate);
      return mismatch.isEmpty() ? candidate : unavailable(provider, mismatch);
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      return unavailable(provider, cause(provider, e));
    } catch (IllegalCallerException e) {
      return unavailable(
          provider, "native access is denied; start Java with --enable-native-access=ALL-UNNAMED");
    }
  }

  private static String cause(String provider, Exception e) {
    return "native library '"
        + provider
        + "' does not load ("
        + e.getMessage()
        + "); on Debian 'apt-get install libibverbs1 ibverbs-providers' brings libibverbs";
  }

  private static NativeLibrary unavailable(String provider, String cause) {
    return new NativeLibrary(name -> java.util.Optional.empty(), Availability.no(cause), provider);
  }

  @SuppressWarnings("restricted")
  private static SymbolLookup open(String provider) throws IOException {
    String file =
        Map.of("verbs", "libs3rdma.so", "fake", "libs3rdma_fake.so").getOrDefault(provider, "");
    if (file.isEmpty()) {
      throw new IllegalArgumentException(
          PROVIDER_PROPERTY + " is '" + provider + "'; known are verbs and fake");
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new IllegalStateException(
          "RDMA verbs need Linux, this is " + System.getProperty("os.name"));
    }
    Path library = unpack("native/linux-" + architecture() + "/" + file);
    try {
      return SymbolLookup.libraryLookup(library, Arena.global());
    } finally {
      // The mapping stays; the name is not needed any more.
      Files.deleteIfExists(library);
    }
  }

  private static String architecture() {
    String arch = System.getProperty("os.arch");
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  private static Path unpack(String resource) throws IOException {
    try (InputStream in = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("the jar holds no " + resource);
      }
      Path target = Files.createTempFile("libs3rdma", ".so");
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      return target;
    }
  }
}
