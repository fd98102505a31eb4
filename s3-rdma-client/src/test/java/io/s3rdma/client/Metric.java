package io.s3rdma.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Reads one figure of a server's metrics page. */
final class Metric {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Metric() {}

  static double read(Lab lab, String name) {
    return read(lab.endpoint(), name);
  }

  static double read(URI endpoint, String name) {
    try {
      String text =
          HTTP.send(
                  HttpRequest.newBuilder(endpoint.resolve("/-/metrics")).build(),
                  BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no metric " + name + " in\n" + text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
