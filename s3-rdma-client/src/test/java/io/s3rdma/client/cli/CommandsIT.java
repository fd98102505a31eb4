package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.server.ConfigLoader;
import io.s3rdma.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a server in this process, on the device of the lane. */
@Tag("device")
final class CommandsIT {
  private static final String SECRET = "it-secret";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path data;
  private static LiveObjects before;
  private static Server server;
  private static String endpoint;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    before = Rdma.liveObjects();
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
    server = Server.start(ConfigLoader.conclude(new ConfigLoader().load(null, keys)));
    endpoint = "http://" + address.getHostAddress() + ":" + server.address().getPort();
    assertThat(run("mb", "s3://itb").exitCode()).isZero();
  }

  @AfterAll
  static void stopsWithoutALeak() throws IOException {
    server.close();
    assertThat(Rdma.liveObjects()).isEqualTo(before);
  }

  private static Run run(String command, String... args) {
    List<String> line =
        new ArrayList<>(
            List.of(
                command, "--endpoint=" + endpoint, "--access-key=ITKEY", "--secret-key=" + SECRET));
    line.addAll(List.of(args));
    Run run = Run.of(line.toArray(String[]::new));
    assertThat(run.out() + run.err()).doesNotContain(SECRET);
    return run;
  }

  private Path file(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(folder.resolve(name), content);
  }

  @Test
  void shouldBringTheSameBytesBackByRdmaWhenPutAndGot() throws IOException {
    Path source = file("source", 3_000_001);
    Path target = folder.resolve("target");

    Run put = run("put", "--rdma=require", source.toString(), "s3://itb/whole");
    Run get = run("get", "--rdma=require", "s3://itb/whole", target.toString());

    assertThat(put.exitCode()).isZero();
    assertThat(put.out()).contains("by RDMA, verdict exact");
    assertThat(get.exitCode()).isZero();
    assertThat(get.out()).contains("s3://itb/whole -> " + target, "by RDMA, verdict exact");
    assertThat(target).hasSameBinaryContentAs(source);
  }

  @Test
  void shouldPutInPartsWhenTheFileIsLargerThanAPart() throws IOException {
    Path source = file("source", 12_000_001);
    Path target = folder.resolve("target");

    Run put =
        run("put", "--rdma=require", "--part-bytes=5242880", source.toString(), "s3://itb/multi");
    run("get", "--rdma=require", "s3://itb/multi", target.toString());

    assertThat(put.exitCode()).as(put.err()).isZero();
    assertThat(put.out()).contains("by RDMA, verdict exact");
    assertThat(target).hasSameBinaryContentAs(source);
    Run small = run("put", "--part-bytes=1000", source.toString(), "s3://itb/multi");
    assertThat(small.exitCode()).isEqualTo(2);
    assertThat(small.err()).contains("--part-bytes", "5242880");
  }

  @Test
  void shouldAskForRangesAndSumThemUpWhenTheObjectIsLargerThanAPart() throws IOException {
    Path source = file("source", 1_000_000);
    run("put", source.toString(), "s3://itb/parts");

    Run get =
        run(
            "get",
            "--json",
            "--part-bytes=300000",
            "s3://itb/parts",
            folder.resolve("t").toString());

    JsonNode json = MAPPER.readTree(get.out());
    assertThat(get.out().lines()).hasSize(1);
    assertThat(json.get("requests").asInt()).isEqualTo(4);
    assertThat(json.get("bytesByRdma").asLong()).isEqualTo(1_000_000);
    assertThat(json.get("bytesByHttp").asLong()).isZero();
    assertThat(json.get("transport").asText()).isEqualTo("rdma");
    assertThat(json.get("verdict").asText()).isEqualTo("exact");
    assertThat(json.get("packets").asLong()).isPositive();
    assertThat(folder.resolve("t")).hasSameBinaryContentAs(source);
  }

  @Test
  void shouldSayWhyWhenHttpCarriesIt() throws IOException {
    Path source = file("source", 5000);

    Run put = run("put", "--rdma=never", source.toString(), "s3://itb/http");
    Run get = run("get", "--device=nosuch0", "s3://itb/http", folder.resolve("t").toString());

    assertThat(put.out()).contains("by HTTP, verdict -, because: policy NEVER");
    assertThat(get.exitCode()).isZero();
    assertThat(get.out()).contains("by HTTP, verdict -, because: no RDMA device named nosuch0");
    assertThat(folder.resolve("t")).hasSameBinaryContentAs(source);
  }

  @Test
  void shouldExitWithThreeAndLeaveNoFileWhenRdmaIsRequiredAndCannotBeHad() throws IOException {
    run("put", file("source", 5000).toString(), "s3://itb/required");

    Run get =
        run(
            "get",
            "--rdma=require",
            "--device=nosuch0",
            "s3://itb/required",
            folder.resolve("t").toString());

    assertThat(get.exitCode()).isEqualTo(3);
    assertThat(get.err()).contains("nosuch0", "next step: s3rdma doctor").hasLineCount(1);
    assertThat(folder.resolve("t")).doesNotExist();
  }

  @Test
  void shouldExitWithFourWhenTheObjectOrBucketIsNotThere() throws IOException {
    Path target = folder.resolve("t");

    assertThat(run("get", "s3://itb/nope", target.toString()).exitCode()).isEqualTo(4);
    assertThat(run("stat", "s3://itb/nope").exitCode()).isEqualTo(4);
    assertThat(run("rm", "s3://itb/nope").exitCode()).isEqualTo(4);
    assertThat(run("ls", "s3://nope").err()).contains("no such bucket").hasLineCount(1);
    assertThat(run("put", file("f", 1).toString(), "s3://nope/k").exitCode()).isEqualTo(4);
    assertThat(target).doesNotExist();
  }

  @Test
  void shouldKeepEmptyFilesWhenPutAndGot() throws IOException {
    Run put = run("put", "--rdma=require", file("empty", 0).toString(), "s3://itb/");
    Run get = run("get", "s3://itb/empty", folder.resolve("t").toString());

    assertThat(put.out()).contains("-> s3://itb/empty", "empty objects travel by HTTP");
    assertThat(get.exitCode()).isZero();
    assertThat(folder.resolve("t")).isEmptyFile();
  }

  @Test
  void shouldListStatAndRemoveWhenThereAreObjects() throws IOException {
    run("mb", "s3://listed");
    run("put", file("a", 10).toString(), "s3://listed/x/a");
    run("put", file("b", 1234567).toString(), "s3://listed/b");

    Run list = run("ls", "s3://listed/");
    Run all = run("ls", "-r", "--json", "s3://listed/");
    Run stat = run("stat", "s3://listed/b");

    assertThat(run("ls").out()).contains("s3://listed");
    assertThat(list.out()).contains("s3://listed/x/", "1,234,567  s3://listed/b").hasLineCount(2);
    assertThat(all.out().lines()).hasSize(2).anyMatch(l -> l.contains("\"key\":\"x/a\""));
    assertThat(stat.out()).containsPattern("bytes +1234567");
    assertThat(run("rm", "s3://listed/b").exitCode()).isZero();
    assertThat(run("rm", "s3://listed").err()).contains("BucketNotEmpty");
    assertThat(run("rm", "s3://listed/x/a").exitCode()).isZero();
    assertThat(run("rm", "s3://listed/").exitCode()).isZero();
    assertThat(run("ls").out()).doesNotContain("s3://listed");
  }

  @Test
  void shouldRefuseWhenTheKeysAreWrong() {
    Run run =
        Run.of(
            "ls", "--endpoint=" + endpoint, "--access-key=ITKEY", "--secret-key=wrong", "s3://itb");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("SignatureDoesNotMatch", "next step: check S3RDMA_ACCESS_KEY")
        .doesNotContain("wrong");
  }

  @Test
  void shouldSayThatRdmaIsUsableWhenTheLaneHasADevice() {
    Run doctor = Run.of("doctor");

    assertThat(doctor.exitCode()).isZero();
    assertThat(doctor.out()).contains("<- chosen", "rdma          usable: ").doesNotContain("FAIL");
  }
}
