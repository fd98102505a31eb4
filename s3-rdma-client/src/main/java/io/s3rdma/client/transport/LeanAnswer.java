package io.s3rdma.client.transport;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An answer of {@link LeanHttp}, and the connection that its body comes from. Belongs to the
 * caller's thread, which closes it; a body that was read to its end gives the connection back.
 */
public final class LeanAnswer implements AutoCloseable {
  private final LeanHttp http;
  private final LeanConnection connection;
  private final LeanHead head;
  private final LeanBody body;
  private boolean closed;

  LeanAnswer(LeanHttp http, LeanConnection connection, LeanHead head) throws IOException {
    this.http = http;
    this.connection = connection;
    this.head = head;
    this.body = new LeanBody(connection, head);
  }

  public int status() {
    return head.status();
  }

  public String reason() {
    return head.reason();
  }

  public boolean isSuccess() {
    return head.status() / 100 == 2;
  }

  /** The first value; {@code name} in lower case. */
  public Optional<String> header(String name) {
    return head.first(name);
  }

  public Map<String, List<String>> headers() {
    return head.all();
  }

  /** Ends with the call's patience, by an exception. */
  public InputStream body() {
    return body;
  }

  /** Idempotent. A body with octets left costs the connection. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (body.isEnded() && !body.endsConnection() && head.keepsAlive()) {
      http.giveBack(connection);
    } else {
      http.drop(connection);
    }
  }
}
