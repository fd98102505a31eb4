package io.s3rdma.server.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys of the metadata.
 *
 * <pre>
 *   objects            bucket 00 key
 *   versions           bucket 00 escaped 00 00 inverted sequence 8
 *   uploads            bucket 00 escaped 00 00 upload id
 *   parts              upload id, number 4
 *   files, manifests, inline   id, 16 octets
 *   usage              bucket 00 counter's letter
 * </pre>
 *
 * <p>A bucket's name holds no zero. In an escaped key each zero is followed by FF, so that what
 * stands behind the key cannot disturb the order of the keys. Big-endian.
 */
final class MetaKeys {
  private static final byte[] ZERO = {0};
  private static final byte[] END = {0, 0};

  private MetaKeys() {}

  /** What all rows of a bucket begin with. */
  static byte[] bucket(String bucket) {
    return Utf8.concat(Utf8.octets(bucket), ZERO);
  }

  static byte[] object(String bucket, String key) {
    return Utf8.concat(bucket(bucket), Utf8.octets(key));
  }

  /** What all versions or uploads of a key begin with. */
  static byte[] ofKey(String bucket, String key) {
    return Utf8.concat(bucket(bucket), Utf8.concat(escape(Utf8.octets(key)), END));
  }

  static byte[] version(String bucket, String key, long sequence) {
    return Utf8.concat(ofKey(bucket, key), longOctets(~sequence));
  }

  static byte[] upload(String bucket, String key, String uploadId) {
    return Utf8.concat(ofKey(bucket, key), Utf8.octets(uploadId));
  }

  static byte[] part(String uploadId, int number) {
    return Utf8.concat(
        Utf8.octets(uploadId), ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  static byte[] id(String id) {
    return HexFormat.of().parseHex(id);
  }

  static String idText(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }

  static byte[] usage(String bucket, char counter) {
    return Utf8.concat(bucket(bucket), new byte[] {(byte) counter});
  }

  static byte[] longOctets(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /** Keeps the order, also against what follows {@link #END}. */
  static byte[] escape(byte[] key) {
    int zeros = 0;
    for (byte octet : key) {
      zeros += octet == 0 ? 1 : 0;
    }
    if (zeros == 0) {
      return key;
    }
    ByteBuffer escaped = ByteBuffer.allocate(key.length + zeros);
    for (byte octet : key) {
      escaped.put(octet);
      if (octet == 0) {
        escaped.put((byte) 0xff);
      }
    }
    return escaped.array();
  }

  /** Where the escaped key at the start of {@code row} ends. */
  static int endOfKey(byte[] row) {
    for (int i = 0; i + 1 < row.length; i++) {
      if (row[i] == 0) {
        if (row[i + 1] == 0) {
          return i;
        }
        i++;
      }
    }
    throw new IllegalArgumentException("a row without the end of its key");
  }

  /** The key at the start of {@code row}. */
  static byte[] unescape(byte[] row) {
    int end = endOfKey(row);
    ByteBuffer key = ByteBuffer.allocate(end);
    for (int i = 0; i < end; i++) {
      key.put(row[i]);
      if (row[i] == 0) {
        i++;
      }
    }
    return Arrays.copyOf(key.array(), key.position());
  }

  /** What stands behind the key at the start of {@code row}. */
  static byte[] behindKey(byte[] row) {
    return Arrays.copyOfRange(row, endOfKey(row) + END.length, row.length);
  }
}
