package io.s3rdma.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A server in a process of its own, and a client that tries each request once. */
final class KillableServer implements AutoCloseable {
  private final Process process;
  private final S3Client s3;

  private KillableServer(Process process, S3Client s3) {
    this.process = process;
    this.s3 = s3;
  }

  static KillableServer start(Path data) throws IOException {
    return start(List.of(), data);
  }

  /**
   * On a disk of its own that holds {@code mebibytes} and is gone with the server. Needs root or
   * user name spaces.
   */
  static KillableServer onSmallDisk(Path data, int mebibytes, String... properties)
      throws IOException {
    String mount = "mount -t tmpfs -o size=" + mebibytes + "m small '" + data + "' && exec \"$@\"";
    String unshare = "unshare --mount $([ $(id -u) = 0 ] || echo --map-root-user)";
    String script = "exec " + unshare + " sh -c \"$MOUNT\" sh \"$@\"";
    return start(List.of("env", "MOUNT=" + mount, "sh", "-c", script, "sh"), data, properties);
  }

  private static KillableServer start(List<String> before, Path data, String... properties)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    Collections.addAll(
        command,
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
        "--enable-native-access=ALL-UNNAMED",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Ds3rdma.rdma.enabled=off",
        "-Ds3rdma.store.scrub-interval-hours=0");
    Collections.addAll(command, properties);
    Collections.addAll(
        command,
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        "io.s3rdma.server.Main",
        "--data",
        data.toString(),
        "--listen",
        "127.0.0.1:0");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("S3RDMA_ACCESS_KEY", TestServer.ACCESS_KEY);
    builder.environment().put("S3RDMA_SECRET_KEY", TestServer.SECRET_KEY);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.contains("listening on ")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the server ended at its start");
    }
    // A full pipe would stop the server.
    Thread drain = new Thread(() -> out.lines().forEach(dropped -> {}), "drain");
    drain.setDaemon(true);
    drain.start();
    return new KillableServer(process, client(URI.create(line.substring(line.indexOf("http://")))));
  }

  private static S3Client client(URI endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Duration.ofSeconds(20)))
        .overrideConfiguration(c -> c.retryStrategy(r -> r.maxAttempts(1)))
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(TestServer.ACCESS_KEY, TestServer.SECRET_KEY)))
        .build();
  }

  /** A path as the server sees it, whose disk may be of its own. */
  Path seen(Path path) {
    return Path.of("/proc/" + process.pid() + "/root" + path.toAbsolutePath());
  }

  S3Client s3() {
    return s3;
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly().onExit().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    kill();
    s3.close();
  }
}
