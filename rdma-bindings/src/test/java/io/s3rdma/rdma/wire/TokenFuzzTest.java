package io.s3rdma.rdma.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random mutations of good values. Only the documented exception escapes, and whatever parses is
 * written and read back to an equal value. The seed is fixed and printed with a failure.
 */
final class TokenFuzzTest {
  private static final long SEED = 0x5333_5244_4d41L;
  private static final int ROUNDS = 40_000;
  private static final String ALPHABET =
      "0123456789abcdefABCDEF:::::gxr+- \t\n\0;=/\u0661\uff11\ud83d\u00e9";

  private final Random random = new Random(SEED);

  @Test
  void shouldThrowOnlyInvalidTokenWhenTokenIsMutated() { // P-3.4
    int parsed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      String text = mutate(randomToken().encode());
      try {
        RdmaToken token = RdmaToken.parse(text);
        assertThat(RdmaToken.parse(token.encode())).isEqualTo(token);
        parsed++;
      } catch (InvalidTokenException e) {
        assertThat(e.position()).isBetween(0, text.length());
      } catch (RuntimeException e) {
        fail("seed %d round %d text <%s>".formatted(SEED, i, text), e);
      }
    }
    assertThat(parsed).as("mutants that are still tokens").isBetween(ROUNDS / 100, ROUNDS);
  }

  @Test
  void shouldRoundTripWhenTokenIsRandom() {
    for (int i = 0; i < ROUNDS; i++) {
      RdmaToken token = randomToken();
      assertThat(RdmaToken.parse(token.encode())).isEqualTo(token);
    }
  }

  @Test
  void shouldThrowOnlyWireFormatWhenOtherValuesAreMutated() {
    EvidenceText evidence = new EvidenceText("exact", 256, 1 << 20, "rxe0", 1, 0);
    Reply connected = Reply.connected(EndpointToken.forConnect(5, randomGid(), 1, 0));
    for (int i = 0; i < ROUNDS / 4; i++) {
      onlyWireFormat(EvidenceText::parse, evidence.encode());
      onlyWireFormat(Reply::parse, i % 2 == 0 ? "206" : connected.encode());
      onlyWireFormat(Psn::parse, Psn.random().hex());
      onlyWireFormat(ConnectionId::parse, ConnectionId.random().hex());
      onlyWireFormat(Gid::parse, randomGid().hex());
      onlyWireFormat(text -> WireDecimal.parse("count", text), "1048576");
    }
  }

  private void onlyWireFormat(Consumer<String> parser, String good) {
    String text = mutate(good);
    try {
      parser.accept(text);
    } catch (WireFormatException expected) {
      assertThat(expected).hasMessageNotContaining("\0");
    } catch (RuntimeException e) {
      fail("seed %d text <%s>".formatted(SEED, text), e);
    }
  }

  private RdmaToken randomToken() {
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
              randomGid());
      default ->
          new EndpointToken(
              random.nextBoolean() ? EndpointToken.Transport.DC : EndpointToken.Transport.RC,
              1 + random.nextInt(0xffffff),
              randomGid(),
              random.nextInt(),
              address,
              random.nextBoolean() ? 0 : size,
              random.nextInt(256),
              random.nextInt(0x10000));
    };
  }

  private Gid randomGid() {
    byte[] bytes = new byte[Gid.BYTES];
    random.nextBytes(bytes);
    return Gid.ofBytes(bytes);
  }

  private String mutate(String good) {
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
