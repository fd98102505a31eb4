package io.s3rdma.rdma.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random mutations of good values. Only the documented exception escapes, and whatever parses is
 * written and read back to an equal value.
 */
final class TokenFuzzTest {
  private static final int ROUNDS = 40_000;
  private static final String ALPHABET =
      "0123456789abcdefABCDEF:::::gxr+- \t\n\0;=/\u0661\uff11\ud83d\u00e9";

  @Test
  void shouldThrowOnlyInvalidTokenWhenTokenIsMutated() { // P-3.4
    AtomicInteger rounds = new AtomicInteger();
    AtomicInteger parsed = new AtomicInteger();
    Fuzz.run(
        "token",
        ROUNDS,
        random -> {
          String text = mutate(random, randomToken(random).encode());
          rounds.incrementAndGet();
          try {
            RdmaToken token = RdmaToken.parse(text);
            assertThat(RdmaToken.parse(token.encode())).isEqualTo(token);
            parsed.incrementAndGet();
          } catch (InvalidTokenException e) {
            assertThat(e.position()).isBetween(0, text.length());
          }
        });
    assertThat(parsed.get())
        .as("mutants that are still tokens")
        .isBetween(rounds.get() / 100, rounds.get());
  }

  @Test
  void shouldRoundTripWhenTokenIsRandom() {
    Fuzz.run(
        "token-valid",
        ROUNDS,
        random -> {
          RdmaToken token = randomToken(random);
          assertThat(RdmaToken.parse(token.encode())).isEqualTo(token);
        });
  }

  @Test
  void shouldThrowOnlyWireFormatWhenOtherValuesAreMutated() {
    EvidenceText evidence = new EvidenceText("exact", 256, 1 << 20, "rxe0", 1, 0);
    Fuzz.run(
        "wire-values",
        ROUNDS / 4,
        random -> {
          Reply connected = Reply.connected(EndpointToken.forConnect(5, randomGid(random), 1, 0));
          onlyWireFormat(random, EvidenceText::parse, evidence.encode());
          onlyWireFormat(random, Reply::parse, random.nextBoolean() ? "206" : connected.encode());
          onlyWireFormat(random, Psn::parse, Psn.random().hex());
          onlyWireFormat(random, ConnectionId::parse, ConnectionId.random().hex());
          onlyWireFormat(random, Gid::parse, randomGid(random).hex());
          onlyWireFormat(random, text -> WireDecimal.parse("count", text), "1048576");
        });
  }

  private static void onlyWireFormat(
      SplittableRandom random, Consumer<String> parser, String good) {
    String text = mutate(random, good);
    try {
      parser.accept(text);
    } catch (WireFormatException expected) {
      assertThat(expected).hasMessageNotContaining("\0");
    }
  }

  private static RdmaToken randomToken(SplittableRandom random) {
    long size = 1 + random.nextLong(RcToken.SIZE_MAX);
    long address = random.nextLong() >>> (1 + random.nextInt(40));
    RemoteDescriptor region = new RemoteDescriptor(address, size, random.nextInt());
    return switch (random.nextInt(3)) {
      case 0 -> new RcToken(ConnectionId.random(), region);
      case 1 ->
          new DcToken(
              region,
              random.nextInt(0x10000),
              random.nextInt(0x1000000),
              random.nextBoolean(),
              randomGid(random));
      default ->
          new EndpointToken(
              random.nextBoolean() ? EndpointToken.Transport.DC : EndpointToken.Transport.RC,
              1 + random.nextInt(0xffffff),
              randomGid(random),
              random.nextInt(),
              address,
              random.nextBoolean() ? 0 : size,
              random.nextInt(256),
              random.nextInt(0x10000));
    };
  }

  private static Gid randomGid(SplittableRandom random) {
    byte[] bytes = new byte[Gid.BYTES];
    random.nextBytes(bytes);
    return Gid.ofBytes(bytes);
  }

  private static String mutate(SplittableRandom random, String good) {
    StringBuilder text = new StringBuilder(good);
    int edits = 1 + random.nextInt(3);
    for (int i = 0; i < edits && !text.isEmpty(); i++) {
      int at = random.nextInt(text.length());
      char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      switch (random.nextInt(5)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, c);
        case 2 -> text.setLength(at);
        case 3 -> text.append(c);
        default -> text.setCharAt(at, c);
      }
    }
    return text.toString();
  }
}
