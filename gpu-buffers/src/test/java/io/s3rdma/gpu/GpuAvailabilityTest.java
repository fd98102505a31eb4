package io.s3rdma.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.RdmaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GpuAvailabilityTest {
  private static final String MISSING = "/nonexistent/libcuda.so.1";

  @RegisterExtension final FakeGpu gpu = new FakeGpu();

  @Test
  void shouldKeepCauseWhenLibraryIsMissing() {
    GpuRuntime runtime = GpuRuntime.load(MISSING);

    assertThat(runtime.availability().available()).isFalse();
    assertThat(runtime.availability().cause()).contains(MISSING, "NVIDIA driver");
    assertThat(runtime.availability()).isEqualTo(runtime.availability());
    assertThat(runtime.deviceCount()).isZero();
    assertThatThrownBy(() -> runtime.device(0))
        .isInstanceOf(CudaException.class)
        .hasMessageContaining(MISSING);
    runtime.close();
  }

  @Test
  void shouldNameFunctionWhenLibraryIsNoDriver() {
    assertThat(GpuRuntime.load("libc.so.6").availability().cause()).contains("lacks cu");
  }

  @Test
  void shouldKeepCauseWhenNoGpuIsVisible() {
    FakeCuda.devices(0);

    assertThat(GpuRuntime.load(FakeCuda.library().toString()).availability().cause())
        .contains("cuInit", "CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES");
  }

  @Test
  void shouldRefuseOrdinalWhenThereIsNoSuchGpu() {
    assertThat(gpu.runtime().deviceCount()).isEqualTo(2);
    assertThatThrownBy(() -> gpu.runtime().device(2))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("no GPU 2");
  }

  @Test
  void shouldAnswerTwiceWhenFreshJvmHasNoDriver() throws Exception {
    List<String> lines =
        probe("--enable-native-access=ALL-UNNAMED", "-D" + Gpu.LIBRARY_PROPERTY + "=" + MISSING);

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("Availability[available=false").contains(MISSING);
    assertThat(lines.get(1)).isEqualTo(lines.get(0));
    assertThat(lines.get(2)).isEqualTo("0");
    assertThat(lines.get(3)).isEqualTo("io.s3rdma.gpu.CudaException");
  }

  @Test
  void shouldNameFlagWhenNativeAccessIsDenied() throws Exception {
    List<String> lines =
        probe("--illegal-native-access=deny", "-D" + Gpu.LIBRARY_PROPERTY + "=" + MISSING);

    assertThat(lines.get(0)).contains("--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void shouldOfferAllMemoryWhenDriverIsThere() throws Exception {
    List<String> lines =
        probe(
            "--enable-native-access=ALL-UNNAMED",
            "-D" + Gpu.LIBRARY_PROPERTY + "=" + FakeCuda.library());

    assertThat(lines)
        .containsExactly(
            "Availability[available=true, cause=]",
            "Availability[available=true, cause=]",
            "2",
            "DEVICE 100 DEVICE 50 PINNED 30");
  }

  private static List<String> probe(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(GpuProbe.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    return lines;
  }
}
