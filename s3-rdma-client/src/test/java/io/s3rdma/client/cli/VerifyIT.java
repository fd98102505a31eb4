package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.server.ConfigLoader;
import io.s3rdma.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code s3rdma verify} against a server in this process, on the device of the lane. */
@Tag("device")
final class VerifyIT {
  private static final String SECRET = "it-secret";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path data;
  private LiveObjects before;
  private Server server;
  private String endpoint;

  private void start(Map<String, Object> more) throws IOException {
    InetAddress address =
        RailFinder.find(Optional.empty(), 1, Optional.empty())
            .rail()
            .map(rail -> rail.gid().gid().toInetAddress())
            .orElseThrow();
    Map<String, Object> keys = new HashMap<>();
    keys.put("http.host", address.getHostAddress());
    keys.put("http.port", 0);
    keys.put("store.directory", data.toString());
    keys.put("store.durability", "none");
    keys.put("rdma.staging-bytes", 32 << 20);
    keys.put("auth.credentials.ITKEY", SECRET);
    keys.putAll(more);
    server = Server.start(ConfigLoader.conclude(new ConfigLoader().load(null, keys)));
    endpoint = "http://" + address.getHostAddress() + ":" + server.address().getPort();
    assertThat(run("mb", "s3://itb").exitCode()).isZero();
  }

  @BeforeEach
  void count() {
    before = Rdma.liveObjects();
  }

  @AfterEach
  void leavesNoObjectAndNoLeak() throws IOException {
    if (isFake()) {
      FakeDevice.reset();
    }
    assertThat(run("ls", "-r", "s3://itb").out()).isBlank();
    server.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static boolean isFake() {
    return FakeDevice.isThere();
  }

  private Run run(String command, String... args) {
    List<String> line =
        new ArrayList<>(
            List.of(
                command, "--endpoint=" + endpoint, "--access-key=ITKEY", "--secret-key=" + SECRET));
    line.addAll(List.of(args));
    Run run = Run.of(line.toArray(String[]::new));
    assertThat(run.out() + run.err()).doesNotContain(SECRET);
    return run;
  }

  @Test
  void shouldShowEveryLayerAndSayWhatKindOfDeviceItWas() throws IOException {
    start(Map.of());
    Run verify = run("verify", "s3://itb/below/");

    assertThat(verify.err()).isEmpty();
    assertThat(verify.exitCode()).as(verify.out()).isZero();
    assertThat(verify.out())
        .contains("PUT, 8,388,609 bytes", "GET, 8,388,609 bytes", "GET of a range, ")
        .contains("2,049 expected (MTU 4096), 2,049 observed", "exact: ", "1 exact, 0 contradicted")
        .contains("s3://itb/below/s3rdma-verify-", "and so is what plain HTTP reads back")
        .doesNotContain("FAIL ");
    if (isFake()) {
      assertThat(verify.out())
          .contains("the FAKE one of the tests: no RDMA at all", "proved on the fake device only");
    } else {
      assertThat(verify.out())
          .containsPattern("ok    server port +rxe0/1 received [0-9,]+ packets")
          .containsPattern("ok    client port +rxe0/1 sent [0-9,]+ packets")
          .contains("proved: the bytes travelled by RDMA, each way")
          .doesNotContain("note", "FAKE");
    }
  }

  @Test
  void shouldTellItAllInOneObjectWhenJsonIsWanted() throws IOException {
    start(Map.of());
    Run verify = run("verify", "--json", "--bytes=70000", "s3://itb");

    assertThat(verify.out().lines()).hasSize(1);
    JsonNode json = MAPPER.readTree(verify.out());
    assertThat(json.get("fake").asBoolean()).isEqualTo(isFake());
    assertThat(json.get("proved").asBoolean()).isEqualTo(!isFake());
    assertThat(json.get("transfers")).hasSize(3);
    assertThat(json.get("transfers").get(1).get("evidence").asText())
        .startsWith("verdict=exact; packets=18; bytes=70000");
    assertThat(json.get("transfers").get(2).get("layers")).hasSize(9);
  }

  @Test
  void shouldExitWithThreeAndSayWhyWhenRdmaIsDeclined() throws IOException {
    start(Map.of("rdma.enabled", "off"));
    Run verify = run("verify", "s3://itb");

    assertThat(verify.exitCode()).isEqualTo(3);
    assertThat(verify.out())
        .contains("FAIL  token", "RdmaDisabled", "-> at the server: rdma.enabled = auto")
        .contains("NOT proved: RDMA did not carry it");
  }

  @Test
  void shouldExitWithOneWhenAnInjectedLieContradicts() throws IOException {
    if (!isFake()) { // only the fake can be made to lie
      start(Map.of());
      return;
    }
    // The lie must meet the transfer and not the proof of the endpoint before it.
    start(Map.of("rdma.require-peer-proof", "off"));
    FakeDevice.arm(Fault.PSN_SKIP, Operation.WRITE, 0, 1, 1);
    Run verify = run("verify", "s3://itb");

    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.out())
        .contains("FAIL  verdict", "RdmaEvidenceContradicted", "NOT proved: a layer fails");
  }
}
