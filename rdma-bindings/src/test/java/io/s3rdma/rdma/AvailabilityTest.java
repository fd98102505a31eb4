package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Where RDMA cannot be used there is a cause and no exception (rdma-practice 6.30). */
final class AvailabilityTest {
  /** What a child JVM prints about itself; the library is loaded once per JVM. */
  static final class Probe {
    private Probe() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
      System.out.println(Rdma.libraryAvailability());
      System.out.println(Rdma.availability());
      try {
        System.out.println(Rdma.deviceNames());
      } catch (RdmaException e) {
        System.out.println(e.advice() + " " + e.getMessage());
      }
      System.out.println(RailFinder.find(Optional.empty(), 1, Optional.empty()).rail());
    }
  }

  @Test
  void shouldBeAvailableWhenLaneHasDevice() {
    assertThat(Rdma.libraryAvailability()).isEqualTo(new Availability(true, ""));
    assertThat(Rdma.availability().available()).isTrue();
    assertThat(Rdma.provider()).isEqualTo(System.getProperty("s3rdma.native.provider"));
  }

  @Test
  void shouldGiveCauseWhenProviderIsUnknown() throws Exception {
    List<String> said =
        probe("--enable-native-access=ALL-UNNAMED", "-Ds3rdma.native.provider=infiniband");

    assertThat(said).hasSize(4);
    assertThat(said.get(0))
        .contains("available=false")
        .contains("s3rdma.native.provider is 'infiniband'; known are verbs and fake");
    assertThat(said.get(1)).isEqualTo(said.get(0));
    assertThat(said.get(2)).startsWith("FALL_BACK RDMA is not available: ");
    assertThat(said.get(3)).isEqualTo("Optional.empty");
  }

  @Test
  void shouldNameTheFlagWhenNativeAccessIsDenied() throws Exception {
    List<String> said = probe("--illegal-native-access=deny", "-Ds3rdma.native.provider=fake");

    assertThat(said.get(0))
        .contains("available=false")
        .contains("--enable-native-access=ALL-UNNAMED");
    assertThat(said.get(2)).startsWith("FALL_BACK ");
  }

  @Test
  void shouldGiveCauseWhenLibraryIsNotInTheJar() throws Exception {
    List<String> said =
        probe(
            "--enable-native-access=ALL-UNNAMED",
            "-Ds3rdma.native.provider=fake",
            "-Dos.arch=riscv64");

    assertThat(said.get(0))
        .contains("available=false")
        .contains("the jar holds no native/linux-riscv64/libs3rdma_fake.so");
  }

  @Test
  void shouldNameBothVersionsWhenAbiDiffers() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      NativeLibrary other = library(Map.of("s3r_abi_version", returning(7, 0, arena)));

      assertThat(AbiCheck.mismatch(other))
          .isEqualTo("native library has ABI 7, this jar needs " + AbiCheck.ABI_VERSION);
    }
  }

  @Test
  void shouldNameTheStructureWhenASizeDiffers() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      NativeLibrary other =
          library(
              Map.of(
                  "s3r_abi_version", returning(AbiCheck.ABI_VERSION, 0, arena),
                  "s3r_sizeof", returning(264, 1, arena)));

      // The first structure has 264 bytes on both sides, the second does not.
      assertThat(AbiCheck.mismatch(other))
          .isEqualTo("structure s3r_device_name has 264 bytes in C and 64 in Java");
    }
  }

  @Test
  void shouldNameTheFunctionWhenLibraryLacksOne() throws Exception {
    NativeLibrary empty = library(Map.of());

    org.assertj.core.api.Assertions.assertThatThrownBy(() -> AbiCheck.mismatch(empty))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("s3r_abi_version");
  }

  /** A native function of 0 or 1 int that answers a constant. */
  @SuppressWarnings("restricted")
  private static MemorySegment returning(int value, int arguments, Arena arena) {
    Class<?>[] ints = new Class<?>[arguments];
    java.util.Arrays.fill(ints, int.class);
    ValueLayout[] layouts = new ValueLayout[arguments];
    java.util.Arrays.fill(layouts, ValueLayout.JAVA_INT);
    return Linker.nativeLinker()
        .upcallStub(
            MethodHandles.dropArguments(MethodHandles.constant(int.class, value), 0, ints),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts),
            arena);
  }

  private static NativeLibrary library(Map<String, MemorySegment> functions)
      throws ReflectiveOperationException {
    Constructor<NativeLibrary> constructor =
        NativeLibrary.class.getDeclaredConstructor(
            SymbolLookup.class, Availability.class, String.class);
    constructor.setAccessible(true);
    SymbolLookup lookup = name -> Optional.ofNullable(functions.get(name));
    return constructor.newInstance(lookup, Availability.yes(), "test");
  }

  private static List<String> probe(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Probe.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    return text.lines().toList();
  }
}
