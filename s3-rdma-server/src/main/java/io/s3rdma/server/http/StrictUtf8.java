package io.s3rdma.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text of clients: what is no UTF-8 is refused, where the JDK's strings would put a mark. */
public final class StrictUtf8 {
  private StrictUtf8() {}

  /** Any thread; the octets stay the caller's. */
  public static String decode(byte[] octets) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
  }
}
