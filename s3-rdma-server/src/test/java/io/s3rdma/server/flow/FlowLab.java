package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.MemoryWindow;
import io.s3rdma.rdma.RemoteKey;
import io.s3rdma.rdma.TestEnd;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.server.evidence.PortsEvidence;
import io.s3rdma.server.http.Access;
import io.s3rdma.server.http.CancelSignal;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.Identity;
import io.s3rdma.server.http.RequestBody;
import io.s3rdma.server.http.RequestHead;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.transfer.PeerLimits;
import io.s3rdma.server.transfer.TransferConfig;
import io.s3rdma.server.transfer.Transfers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The flows over a rail without HTTP, and a client made by hand. */
final class FlowLab implements AutoCloseable {
  static final int CHUNK = 16 << 10;
  static final int SIZE = 5 * CHUNK + 3;
  static final String KEY = "KEY";

  final Transfers transfers;
  final PortsEvidence evidence;
  final RdmaPath path;
  final ConnectFlow connect;
  final TestEnd end = new TestEnd();
  final MemorySegment memory = end.memory(SIZE);
  private final MemoryRegion region = end.register(memory);
  private final MemoryWindow window = end.window();
  private RemoteKey key;

  /** Without port counters: sequence numbers are all the evidence. */
  FlowLab(Path noCounters) {
    transfers =
        Transfers.open(
            new TransferConfig(
                List.of(),
                1,
                Optional.empty(),
                CHUNK,
                4,
                8L * CHUNK,
                8L * CHUNK,
                64,
                10,
                6,
                5_000,
                300,
                8,
                8,
                1_000,
                new PeerLimits(1_000, 64, 64, 0, 64, 60, 60)));
    evidence = PortsEvidence.under(noCounters);
    path = RdmaPath.over(transfers, evidence, settings(false));
    connect = new ConnectFlow(path);
  }

  static RdmaSettings settings(boolean allowUnsigned) {
    return new RdmaSettings(
        60_000, 120_000, 0, List.of(), allowUnsigned, RdmaSettings.PeerProof.AUTO);
  }

  S3Request request(String method, String target, String accessKey, String... headers) {
    return request(end.gid().toInetAddress(), method, target, accessKey, headers);
  }

  static S3Request request(
      InetAddress remote, String method, String target, String accessKey, String... headers) {
    RequestHead head = RequestHead.of(method, target, Headers.of(headers), remote, "REQUEST1");
    Identity identity = accessKey == null ? Identity.ANONYMOUS : new Identity(accessKey, Set.of());
    return new S3Request(
        head, "bucket", "key", Access.of(identity), RequestBody.empty(), new CancelSignal());
  }

  /** P-2.1. */
  S3Request connectRequest() {
    return request(
        "POST",
        RdmaHeaders.CONNECT_PATH,
        KEY,
        RdmaHeaders.TOKEN,
        end.endpoint().encode(),
        RdmaHeaders.PSN,
        end.psn().hex(),
        RdmaHeaders.MTU,
        Integer.toString(end.mtuBytes()),
        RdmaHeaders.RD_ATOMIC,
        Integer.toString(TestEnd.READS));
  }

  /** Connects through the flow and finishes this side with what it answered. */
  ConnectionId connected() throws IOException {
    S3Response answer = connect.connecting().handle(connectRequest());
    assertThat(answer.status()).isEqualTo(200);
    end.connect(
        Reply.parse(header(answer, RdmaHeaders.REPLY)).endpoint().orElseThrow(),
        Psn.parse(header(answer, RdmaHeaders.PSN)),
        Integer.parseInt(header(answer, RdmaHeaders.MTU)));
    return ConnectionId.parse(header(answer, RdmaHeaders.SESSION));
  }

  static String header(S3Response answer, String name) {
    return answer.headers().first(name).orElseThrow(() -> new AssertionError("no " + name));
  }

  /** A token over the whole memory; one at a time. */
  String token(ConnectionId id, TransferRight right) {
    if (key != null) {
      end.invalidate(key);
    }
    key = end.bind(window, region, memory.address(), SIZE, right);
    return new RcToken(id, new RemoteDescriptor(memory.address(), SIZE, key.value())).encode();
  }

  @Override
  public void close() {
    end.close();
    transfers.close();
  }
}
