package io.s3rdma.client.cli;

import static io.s3rdma.client.cli.Figures.grouped;

import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.wire.EvidenceText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The layers of proof of one transfer, in the order in which they rest on each other. */
final class Proof {
  private static final int MTU_LEAST = 256;
  private static final String CONTRADICTED = "RdmaEvidenceContradicted";

  /** Why a server declines (P-6), and what helps. */
  private static final Map<String, String> AGAINST =
      Map.ofEntries(
          Map.entry("RdmaDisabled", "at the server: rdma.enabled = auto"),
          Map.entry("NoDevice", "at the server: s3rdma doctor"),
          Map.entry("PortDown", "at the server: rdma link; ip link set NETDEV up"),
          Map.entry("NoStagingMemory", "at the server: a larger rdma.staging-bytes"),
          Map.entry(
              "ObjectTooSmall", "a larger --bytes; the server's bound is rdma.object-bytes-min"),
          Map.entry("Draining", "the server is stopping; try again"),
          Map.entry("does not answer RDMA tokens", "--endpoint of an s3rdma server"),
          Map.entry(
              "RdmaEndpointNotAllowed",
              "reach the server by the address of its RDMA interface, or list rdma.client-subnets"),
          Map.entry(
              "RdmaTransferFailed", "VLAN, firewall (UDP 4791), MTU; ib_write_bw between the two"),
          Map.entry(
              CONTRADICTED, "do not trust this device; its counters at the server's /-/transfers"));

  private Proof() {}

  static List<Check> layers(ProofFacts f) {
    List<Check> layers = new ArrayList<>();
    layers.add(token(f.result()));
    if (f.result().transport() == Transport.RDMA) {
      layers.add(reply(f));
      layers.add(bytes(f));
      layers.add(packets(f));
      layers.add(verdict(f));
      layers.add(counted(f));
      String verb = f.isPut() ? "received" : "sent";
      layers.add(port("server port", f.serverPort(), verb, f));
      layers.add(port("client port", f.clientPort(), f.isPut() ? "sent" : "received", f));
    }
    layers.add(content(f));
    return layers;
  }

  private static Check token(TransferResult result) {
    if (result.transport() == Transport.RDMA) {
      String attempt = result.attempts() == 1 ? "at once" : "at attempt " + result.attempts();
      return Check.ok(
          "token",
          "taken by the server "
              + attempt
              + "; it names this process's memory ("
              + result.way().map(Object::toString).orElse("?")
              + ")");
    }
    String reason = result.httpReason().orElse("no reason given");
    String name = reason.startsWith(CONTRADICTED) ? "verdict" : "token";
    return Check.fail(name, "HTTP carried the bytes, because: " + reason, nextStep(reason));
  }

  private static String nextStep(String reason) {
    return AGAINST.entrySet().stream()
        .filter(known -> reason.contains(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("s3rdma doctor");
  }

  private static Check reply(ProofFacts f) {
    return Check.ok(
        "reply",
        "x-amz-rdma-reply says that the server "
            + (f.isPut() ? "READ them out of" : "WROTE them into")
            + " this memory by RDMA");
  }

  private static Check bytes(ProofFacts f) {
    TransferResult r = f.result();
    long stated = r.evidence().map(EvidenceText::bytes).orElse(-1L);
    String found =
        "%s by RDMA, %s by HTTP; the evidence says %s; %s were asked for"
            .formatted(
                grouped(r.bytesByRdma()),
                grouped(r.bytesByHttp()),
                stated < 0 ? "nothing" : grouped(stated),
                grouped(f.bytes()));
    boolean agree = r.bytesByRdma() == f.bytes() && r.bytesByHttp() == 0 && stated == f.bytes();
    return agree
        ? Check.ok("bytes", found)
        : Check.fail("bytes", found, "the server's x-s3rdma-evidence is wrong; its log tells more");
  }

  /** Expected here, from bytes and MTU alone; observed there, from the queue pair's numbers. */
  private static Check packets(ProofFacts f) {
    long observed = f.result().evidence().map(EvidenceText::packets).orElse(0L);
    long least = packetsAt(f.bytes(), f.mtuBytes());
    for (int mtu = f.mtuBytes(); mtu >= MTU_LEAST; mtu /= 2) {
      if (observed == packetsAt(f.bytes(), mtu)) {
        return Check.ok(
            "packets",
            "%s expected (MTU %d), %s observed by the sequence numbers of the server's queue pair"
                .formatted(grouped(observed), mtu, grouped(observed)));
      }
    }
    String found =
        "%s expected at least (MTU %d), %s observed"
            .formatted(grouped(least), f.mtuBytes(), grouped(observed));
    return observed > least
        ? Check.note("packets", found, "the server's rdma.chunk-bytes is no multiple of the MTU")
        : Check.fail("packets", found, "bytes did not travel by this queue pair; do not trust it");
  }

  private static long packetsAt(long bytes, int mtu) {
    return (bytes + mtu - 1) / mtu;
  }

  private static Check verdict(ProofFacts f) {
    return switch (f.result().verdict()) {
      case "exact" ->
          Check.ok(
              "verdict",
              "exact: packets and completions at the server agree, and no port counter contradicts");
      case "at-least" ->
          Check.note(
              "verdict",
              "at-least: the server's port saw enough packets, sequence numbers cannot be read",
              "");
      default ->
          Check.fail(
              "verdict",
              f.result().verdict() + ": nothing is proved",
              "at the server: s3rdma doctor, line counters");
    };
  }

  private static Check counted(ProofFacts f) {
    if (f.judgedExact().isEmpty() || f.contradicted().isEmpty()) {
      return Check.note("counted", "the server's /-/metrics cannot be read with this key", "");
    }
    String found =
        "the server's totals moved by %d exact, %d contradicted"
            .formatted(f.judgedExact().get(), f.contradicted().get());
    boolean moved = f.judgedExact().get() >= 1 || !f.result().verdict().equals("exact");
    return moved && f.contradicted().get() == 0
        ? Check.ok("counted", found)
        : Check.fail(
            "counted", found, "the server's /-/transfers names the transfer and the cause");
  }

  /** Shared by all users of the port, acknowledgements included: it can only be too high. */
  private static Check port(
      String name, Optional<PortCounts.Moved> moved, String verb, ProofFacts f) {
    if (moved.isEmpty()) {
      return Check.note(name, "no counter of packets " + verb + " can be read there", "");
    }
    PortCounts.Moved m = moved.get();
    String found =
        "%s %s %s packets, %s -> %s (%s)"
            .formatted(
                m.rail(),
                verb,
                grouped(m.packets()),
                grouped(m.before()),
                grouped(m.after()),
                m.counter());
    return m.packets() >= packetsAt(f.bytes(), f.mtuBytes())
        ? Check.ok(name, found)
        : Check.fail(name, found, "fewer than the bytes make: they did not pass this port");
  }

  private static Check content(ProofFacts f) {
    String what = f.isPut() ? "what plain HTTP reads back" : "what the memory holds now";
    return f.sent().equals(f.arrived())
        ? Check.ok("content", "sha256 " + f.sent().substring(0, 16) + "…, and so is " + what)
        : Check.fail(
            "content",
            "sha256 %s… was sent, %s… is %s"
                .formatted(f.sent().substring(0, 16), f.arrived().substring(0, 16), what),
            "do not use this server or this device; keep both logs");
  }
}
