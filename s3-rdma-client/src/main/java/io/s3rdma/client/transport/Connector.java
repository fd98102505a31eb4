package io.s3rdma.client.transport;

import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.MemoryWindow;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.ReadyToReceive;
import io.s3rdma.rdma.ReadyToSend;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.rdma.wire.WireFormatException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Opens connections: the exchange of P-2.1 and P-2.2. Whatever fails half way is destroyed.
 * Thread-safe.
 */
final class Connector {
  private static final int READS_MAX = 16;

  private final TransportConfig config;
  private final ClientRail rail;
  private final ControlPlane control;

  Connector(TransportConfig config, ClientRail rail, ControlPlane control) {
    this.config = config;
    this.rail = rail;
    this.control = control;
  }

  @SuppressWarnings("MustBeClosedChecker") // the connection closes the arena
  RcConnection connect() {
    Deque<AutoCloseable> owned = new ArrayDeque<>();
    try {
      Arena arena = Arena.ofShared();
      owned.push(arena);
      CompletionQueue queue = rail.device().createCompletionQueue(2 * RcConnection.sendDepth());
      owned.push(queue);
      MemoryWindow window = rail.domain().allocateWindow();
      owned.push(window);
      QueuePair pair = rail.domain().createQueuePair(queue, RcConnection.sendDepth());
      owned.push(pair);
      // Rights of the queue pair bound what any key can grant; each window grants one of the two.
      pair.toInit(rail.port(), PEER_RIGHTS);
      try (PeerProof proof = PeerProof.offer(rail.domain(), arena)) {
        return new RcConnection(exchange(pair, proof), pair, queue, window, arena);
      }
    } catch (RdmaException | WireFormatException e) {
      closeAll(owned);
      throw new TransportException("no connection over " + rail.name() + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      closeAll(owned);
      throw e;
    }
  }

  private static final java.util.Set<io.s3rdma.rdma.Access> PEER_RIGHTS =
      java.util.Set.of(io.s3rdma.rdma.Access.REMOTE_WRITE, io.s3rdma.rdma.Access.REMOTE_READ);

  private ConnectionId exchange(QueuePair pair, PeerProof proof) {
    GidEntry own = rail.gid();
    PortAttributes port = rail.portAttributes();
    if (!port.active()) {
      throw new TransportException(rail.name() + " is down");
    }
    int reads = Math.clamp(rail.attributes().maxIncomingReads(), 1, READS_MAX);
    Psn psn = Psn.random();
    SdkHttpResponse answer =
        control.connect(
            Map.of(
                RdmaHeaders.TOKEN,
                proof.endpoint(pair.number(), own.gid(), rail.port(), port.lid()).encode(),
                RdmaHeaders.PROOF,
                PeerProof.OFFERED,
                RdmaHeaders.PSN,
                psn.hex(),
                RdmaHeaders.MTU,
                Integer.toString(port.activeMtuBytes()),
                RdmaHeaders.RD_ATOMIC,
                Integer.toString(reads)));
    ConnectionId id = ConnectionId.parse(require(answer, RdmaHeaders.SESSION));
    try {
      EndpointToken server =
          Reply.parse(require(answer, RdmaHeaders.REPLY))
              .endpoint()
              .orElseThrow(() -> new TransportException("connect answered without an endpoint"));
      rail.requireReach(server.gid());
      Psn serverPsn = Psn.parse(require(answer, RdmaHeaders.PSN));
      step(pair, own, server, serverPsn, psn, mtu(answer, port), reads);
      if (PeerProof.isRequired(answer)) {
        proof.give(control, id);
      }
      return id;
    } catch (RuntimeException e) {
      disconnect(id); // the server's half is open already
      throw e;
    }
  }

  private void step(
      QueuePair pair,
      GidEntry own,
      EndpointToken server,
      Psn serverPsn,
      Psn psn,
      int mtu,
      int reads) {
    pair.toReadyToReceive(
        new ReadyToReceive(
            server.gid(),
            server.qpNumber(),
            serverPsn.value(),
            rail.port(),
            own.index(),
            mtu,
            reads,
            0,
            server.lid()));
    pair.toReadyToSend(
        new ReadyToSend(psn.value(), 1, config.transportTimeout(), config.transportRetries()));
  }

  // P-2.2: without the header both use the port's active MTU.
  private static int mtu(SdkHttpResponse answer, PortAttributes port) {
    return answer
        .firstMatchingHeader(RdmaHeaders.MTU)
        .map(text -> parseMtu(text, port))
        .orElse(port.activeMtuBytes());
  }

  private static int parseMtu(String text, PortAttributes port) {
    for (int mtu = 256; mtu <= port.activeMtuBytes(); mtu *= 2) {
      if (text.equals(Integer.toString(mtu))) {
        return mtu;
      }
    }
    throw new TransportException(
        "the server names an MTU that this port (" + port.activeMtuBytes() + ") cannot use");
  }

  private static String require(SdkHttpResponse answer, String header) {
    return answer
        .firstMatchingHeader(header)
        .orElseThrow(
            () ->
                new TransportException(
                    "connect answered "
                        + answer.statusCode()
                        + " without "
                        + header
                        + "; this server speaks no RDMA over RC"));
  }

  /** Best effort: the server expires what it does not hear of. */
  void disconnect(ConnectionId id) {
    try {
      control.disconnect(id.hex());
    } catch (RuntimeException e) {
      org.slf4j.LoggerFactory.getLogger(Connector.class)
          .debug("disconnect of {}: {}", id, e.getMessage());
    }
  }

  private static void closeAll(Deque<AutoCloseable> owned) {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        org.slf4j.LoggerFactory.getLogger(Connector.class)
            .warn("while undoing a failed connect: {}", e.getMessage());
      }
    }
  }
}
