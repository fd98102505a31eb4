package io.s3rdma.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The turns of a comparison over HTTP. Not thread-safe: one thing runs at a time, as it must. */
final class HttpRun {
  private final HttpPlan plan;
  private final Wrk wrk;
  private final List<HttpPeer> peers;
  private final HttpResults results;

  HttpRun(HttpPlan plan, Wrk wrk, List<HttpPeer> peers, HttpResults results) {
    this.plan = plan;
    this.wrk = wrk;
    this.peers = List.copyOf(peers);
    this.results = results;
  }

  /** A server that gives other bytes is not measured. */
  void check(Content content) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (HttpPeer peer : peers) {
        for (long size : plan.sizes()) {
          HttpResponse<byte[]> answer =
              http.send(HttpRequest.newBuilder(peer.url(size)).build(), BodyHandlers.ofByteArray());
          if (answer.statusCode() != 200 || !Arrays.equals(answer.body(), content.of(size))) {
            throw new IOException(
                peer.name() + " gave " + answer.statusCode() + " and other bytes than were put");
          }
        }
      }
    }
  }

  /**
   * The JIT, the page cache and the connections' windows belong to no figure. Small objects first:
   * only they bring enough requests for the JIT, which else compiles while large ones are measured.
   */
  void warmUp() throws IOException {
    for (HttpPeer peer : peers) {
      for (long size : plan.sizes().reversed()) {
        var _ = wrk.run(peer.url(size), plan.connections(size), plan.warmUpSeconds());
      }
    }
  }

  /** Each round begins with another server, so that none always follows the same one. */
  void round(int number) throws IOException {
    List<HttpPeer> order = new ArrayList<>(peers);
    Collections.rotate(order, number);
    for (long size : plan.sizes()) {
      for (HttpPeer peer : order) {
        double before = peer.cpuSeconds();
        Wrk.Load load = wrk.run(peer.url(size), plan.connections(size), plan.seconds());
        results.row(peer.name(), size).add(load, peer.cpuSeconds() - before);
      }
    }
  }
}
