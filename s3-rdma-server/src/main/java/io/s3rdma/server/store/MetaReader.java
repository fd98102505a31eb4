package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes the values of {@link MetaCodec} out of an array, one behind the other. Every method throws
 * an {@link IOException} where the octets do not hold what is asked for. Not thread-safe.
 */
final class MetaReader {
  private final byte[] octets;
  private final ByteBuffer left;
  private final int version;

  MetaReader(byte[] octets) throws IOException {
    this.octets = octets;
    this.left = ByteBuffer.wrap(octets);
    if (octets.length == 0) {
      throw new IOException("it is empty");
    }
    this.version = left.get() & 0xff;
  }

  /** The octet with which the row begins. */
  int version() {
    return version;
  }

  int readInt() throws IOException {
    try {
      return left.getInt();
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  long readLong() throws IOException {
    try {
      return left.getLong();
    } catch (BufferUnderflowException e) {
      throw cut(e);
    }
  }

  String readText() throws IOException {
    int length = readInt();
    if (length < 0 || length > left.remaining()) {
      throw new IOException("a text of " + length + " octets");
    }
    int at = left.position();
    left.position(at + length);
    return new String(octets, at, length, StandardCharsets.UTF_8);
  }

  Map<String, String> readMap() throws IOException {
    int count = readInt();
    if (count == 0) {
      return Map.of();
    }
    if (count == 1) {
      String name = readText();
      return Map.of(name, readText());
    }
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = readText();
      map.put(name, readText());
    }
    return map;
  }

  Instant readTime() throws IOException {
    return Instant.ofEpochMilli(readLong());
  }

  <E extends Enum<E>> E readOf(Class<E> type) throws IOException {
    return of(type, readText());
  }

  static <E extends Enum<E>> E of(Class<E> type, String name) throws IOException {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IOException("unknown " + type.getSimpleName() + " " + name, e);
    }
  }

  private static IOException cut(BufferUnderflowException cause) {
    return new IOException("it ends too early", cause);
  }
}
