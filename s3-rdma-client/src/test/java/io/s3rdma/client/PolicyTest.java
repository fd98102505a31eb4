package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** P-7.1, P-7.2: nothing falls back silently, and REQUIRE never falls back. */
@ParameterizedClass(name = "leanHttp = {0}")
@ValueSource(booleans = {true, false})
final class PolicyTest {
  private static final int BYTES = 70_000;

  @Parameter private boolean lean;

  @Test
  void shouldTakeHttpAndSayWhyWhereTheServerDeclines() throws Exception {
    try (Lab lab = new Lab(Map.of("rdma.enabled", "off"), lean);
        S3RdmaClient client = lab.builder().policy(RdmaPolicy.PREFER).build();
        HostBuffer source = TransferContractTest.random(BYTES, 5);
        HostBuffer target = HostBuffer.allocate(BYTES)) {
      TransferResult put = client.putObject(Lab.BUCKET, "k", source);
      TransferResult get = client.getObject(Lab.BUCKET, "k", target);

      assertThat(put.transport()).isEqualTo(Transport.HTTP);
      assertThat(put.bytesByRdma()).isZero();
      assertThat(put.httpReason()).hasValueSatisfying(r -> assertThat(r).contains("RdmaDisabled"));
      assertThat(get.transport()).isEqualTo(Transport.HTTP);
      assertThat(get.bytesByHttp()).isEqualTo(BYTES);
      assertThat(get.evidence()).isEmpty();
      assertThat(get.httpReason()).isPresent();
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
    }
  }

  @Test
  void shouldFailWithTheCauseWhereRdmaIsRequired() throws Exception {
    try (Lab lab = new Lab(Map.of("rdma.enabled", "off"), lean);
        S3RdmaClient client = lab.builder().policy(RdmaPolicy.REQUIRE).build();
        HostBuffer buffer = TransferContractTest.random(BYTES, 5)) {
      assertThatThrownBy(() -> client.putObject(Lab.BUCKET, "k", buffer))
          .isInstanceOf(RdmaRequiredException.class)
          .hasMessageContaining("RdmaDisabled");
      assertThatThrownBy(() -> client.s3().headObject(b -> b.bucket(Lab.BUCKET).key("k")))
          .isInstanceOf(NoSuchKeyException.class);
    }
  }

  @Test
  void shouldNotTouchRdmaUnderNever() throws Exception {
    try (Lab lab = new Lab(Map.of(), lean);
        S3RdmaClient client = lab.builder().policy(RdmaPolicy.NEVER).build();
        HostBuffer buffer = TransferContractTest.random(BYTES, 6)) {
      TransferResult put = client.putObject(Lab.BUCKET, "k", buffer);
      assertThat(put.transport()).isEqualTo(Transport.HTTP);
      assertThat(put.httpReason()).hasValue("policy NEVER");
    }
  }

  @Test
  void shouldLeaveOrdinaryS3ErrorsToTheCaller() throws Exception {
    try (Lab lab = new Lab(Map.of(), lean);
        S3RdmaClient client = lab.builder().policy(RdmaPolicy.PREFER).build();
        HostBuffer buffer = HostBuffer.allocate(16)) {
      assertThatThrownBy(() -> client.getObject(Lab.BUCKET, "absent", buffer))
          .isInstanceOf(NoSuchKeyException.class);
    }
  }

  @Test
  void shouldSayWhyItCouldNotConnect() throws Exception {
    try (PlainServer plain = new PlainServer(404, Map.of());
        S3RdmaClient client = plain.client(RdmaPolicy.PREFER, lean);
        HostBuffer buffer = TransferContractTest.random(BYTES, 8)) {
      TransferResult result = client.putObject("b", "k", buffer);

      assertThat(result.transport()).isEqualTo(Transport.HTTP);
      assertThat(result.httpReason()).hasValueSatisfying(r -> assertThat(r).contains("connect"));
    }
  }

  /** P-4.6: a peer that ignores the token holds an empty object and says 200. */
  @Test
  void shouldNotTakeAPlainOkForAStoredObject() throws Exception {
    Map<String, String> connected =
        Map.of(
            RdmaHeaders.SESSION,
            ConnectionId.random().hex(),
            RdmaHeaders.REPLY,
            Reply.connected(EndpointToken.forConnect(77, loopbackGid(), 1, 0)).encode(),
            RdmaHeaders.PSN,
            Psn.random().hex());
    try (PlainServer plain = new PlainServer(200, connected);
        S3RdmaClient client = plain.client(RdmaPolicy.PREFER, lean);
        HostBuffer buffer = TransferContractTest.random(BYTES, 8)) {
      assertThatThrownBy(() -> client.putObject("b", "k", buffer))
          .isInstanceOf(TransferFailedException.class)
          .hasMessageContaining("may be empty");
    }
  }

  private static Gid loopbackGid() {
    return Gid.ofInetAddress(InetAddress.getLoopbackAddress());
  }

  /** Says 200 to everything, and what it is told to a connect. */
  private static final class PlainServer implements AutoCloseable {
    private final HttpServer http;

    PlainServer(int connectStatus, Map<String, String> connectHeaders) throws IOException {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.createContext(
          "/",
          exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean connect = exchange.getRequestURI().getPath().equals(RdmaHeaders.CONNECT_PATH);
            if (connect) {
              connectHeaders.forEach(exchange.getResponseHeaders()::add);
            }
            exchange.getResponseHeaders().add("ETag", "\"d41d8cd98f00b204e9800998ecf8427e\"");
            exchange.sendResponseHeaders(connect ? connectStatus : 200, -1);
            exchange.close();
          });
      http.start();
    }

    S3RdmaClient client(RdmaPolicy policy, boolean lean) {
      return S3RdmaClient.builder()
          .leanHttp(lean)
          .endpoint(URI.create("http://127.0.0.1:" + http.getAddress().getPort()))
          .credentials("a", "b")
          .policy(policy)
          .build();
    }

    @Override
    public void close() {
      http.stop(0);
    }
  }
}
