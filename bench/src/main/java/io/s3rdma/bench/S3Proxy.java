package io.s3rdma.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * s3proxy over a folder, without authentication. Its jars are no part of this project: Maven puts
 * them into a folder outside of it at the first use.
 */
final class S3Proxy {
  static final String NAME = "s3proxy";
  static final String VERSION = "4.1.0";
  // What s3proxy 4.1.0 brings along is too old for its own jackson-databind.
  private static final String ANNOTATIONS_VERSION = "2.22";
  private static final String MAVEN = "mvn";

  private S3Proxy() {}

  /**
   * @param jars where its jars are, or are to be put
   */
  static HttpPeer start(Path folder, Path jars, Content content, Iterable<Long> sizes)
      throws IOException, InterruptedException {
    resolve(jars);
    int port = HttpPeer.freePort();
    String endpoint = "http://" + HttpPeer.HOST + ":" + port;
    Path data = Files.createDirectories(folder.resolve("data"));
    Path properties = folder.resolve("s3proxy.properties");
    Files.writeString(
        properties,
        """
        s3proxy.authorization=none
        s3proxy.endpoint=%s
        jclouds.provider=filesystem
        jclouds.identity=bench
        jclouds.credential=bench
        jclouds.filesystem.basedir=%s
        """
            .formatted(endpoint, data));
    Path logging = folder.resolve("logback.xml");
    Files.writeString(
        logging,
        """
        <configuration>
          <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%level %logger %msg%n</pattern></encoder>
          </appender>
          <root level="WARN"><appender-ref ref="out"/></root>
        </configuration>
        """);
    Process process =
        HttpPeer.start(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Dlogback.configurationFile=" + logging,
                "-cp",
                jars + "/*",
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString()),
            port,
            folder.resolve("s3proxy.log"));
    Map<Long, URI> urls = new LinkedHashMap<>();
    for (long size : sizes) {
      urls.put(size, URI.create(endpoint + "/bench/" + Content.name(size)));
    }
    HttpPeer peer = new HttpPeer(NAME, process, urls);
    try {
      put(URI.create(endpoint + "/bench"), BodyPublishers.noBody());
      for (long size : sizes) {
        put(peer.url(size), BodyPublishers.ofByteArray(content.of(size)));
      }
      return peer;
    } catch (IOException | InterruptedException e) {
      peer.close();
      throw e;
    }
  }

  private static void put(URI where, BodyPublisher body) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(HttpRequest.newBuilder(where).PUT(body).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(
            "PUT " + where + " gave " + answer.statusCode() + ": " + answer.body());
      }
    }
  }

  private static void resolve(Path jars) throws IOException, InterruptedException {
    if (Files.exists(jars.resolve("s3proxy-" + VERSION + ".jar"))) {
      return;
    }
    Files.createDirectories(jars);
    Path pom = jars.resolve("pom.xml");
    Files.writeString(pom, pom());
    Path log = jars.resolve("maven.log");
    int status =
        new ProcessBuilder(
                MAVEN,
                "-B",
                "-f",
                pom.toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + jars)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(
          "Maven could not get s3proxy, see " + log + "; or measure without it: --peers nginx");
    }
  }

  private static String pom() {
    return """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>bench</groupId>
          <artifactId>s3proxy-jars</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <dependencyManagement>
            <dependencies>
              <dependency>
                <groupId>com.fasterxml.jackson.core</groupId>
                <artifactId>jackson-annotations</artifactId>
                <version>%s</version>
              </dependency>
            </dependencies>
          </dependencyManagement>
          <dependencies>
            <dependency>
              <groupId>org.gaul</groupId>
              <artifactId>s3proxy</artifactId>
              <version>%s</version>
            </dependency>
          </dependencies>
        </project>
        """
        .formatted(ANNOTATIONS_VERSION, VERSION);
  }
}
