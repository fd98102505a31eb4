package io.s3rdma.server;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Signed requests made by hand, one after the other over one connection. */
final class RawCalls implements AutoCloseable {
  private final RawClient client;

  RawCalls(TestServer server) throws IOException {
    this.client = new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }

  /** Without a body. */
  Answer call(String method, String target, String... headers) throws IOException {
    client.sendHead(method, target, Headers.of(headers), Headers.EMPTY);
    return client.receive(!method.equals("HEAD"));
  }

  /** With a body of text. */
  Answer send(String method, String target, String body, String... headers) throws IOException {
    int length = body.getBytes(StandardCharsets.ISO_8859_1).length;
    Headers all = Headers.of(headers).with("content-length", Integer.toString(length));
    client.sendHead(method, target, all, Headers.EMPTY);
    client.send(body);
    return client.receive();
  }

  /** The code of an S3 error document; empty if it is none. */
  static String code(Answer answer) {
    return element(answer, "Code");
  }

  /** The text of the first element of this name; empty if there is none. */
  static String element(Answer answer, String name) {
    String opening = "<" + name + ">";
    int from = answer.body().indexOf(opening);
    return from < 0
        ? ""
        : answer
            .body()
            .substring(from + opening.length(), answer.body().indexOf("</" + name, from));
  }

  static String header(Answer answer, String name) {
    return answer.headers().first(name).orElse("");
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
