package io.s3rdma.server.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metadata as octets; bucket and key are not in them, since they are in RocksDB's key.
 *
 * <pre>
 *   object  version 1 | id text | size 8 | modified ms 8 | etag text | attributes | checksums
 *   bucket  version 1 | created ms 8 | owner text
 *   attributes, checksums   count 4 {name text, value text}
 * </pre>
 *
 * Big-endian; a text is 4 octets of length and UTF-8.
 */
final class MetaCodec {
  private static final byte VERSION = 1;

  private MetaCodec() {}

  static byte[] encode(ObjectMeta meta) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(octets)) {
      out.writeByte(VERSION);
      writeText(out, meta.id());
      out.writeLong(meta.size());
      out.writeLong(meta.lastModified().toEpochMilli());
      writeText(out, meta.etag());
      writeMap(out, meta.attributes());
      writeMap(out, meta.checksums());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return octets.toByteArray();
  }

  static ObjectMeta decode(String bucket, String key, byte[] octets) throws StoreException {
    try (DataInputStream in = open(octets)) {
      String id = readText(in);
      long size = in.readLong();
      Instant modified = Instant.ofEpochMilli(in.readLong());
      String etag = readText(in);
      return new ObjectMeta(bucket, key, id, size, etag, modified, readMap(in), readMap(in));
    } catch (IOException e) {
      throw damaged("object " + bucket + "/" + key, e);
    }
  }

  static byte[] encode(BucketMeta meta) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(64);
    try (DataOutputStream out = new DataOutputStream(octets)) {
      out.writeByte(VERSION);
      out.writeLong(meta.created().toEpochMilli());
      writeText(out, meta.owner());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return octets.toByteArray();
  }

  static BucketMeta decode(String bucket, byte[] octets) throws StoreException {
    try (DataInputStream in = open(octets)) {
      return new BucketMeta(bucket, Instant.ofEpochMilli(in.readLong()), readText(in));
    } catch (IOException e) {
      throw damaged("bucket " + bucket, e);
    }
  }

  private static DataInputStream open(byte[] octets) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(octets));
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new IOException("metadata version " + version + " was written by a later server");
    }
    return in;
  }

  private static void writeMap(DataOutputStream out, Map<String, String> map) throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
      writeText(out, entry.getKey());
      writeText(out, entry.getValue());
    }
  }

  private static Map<String, String> readMap(DataInputStream in) throws IOException {
    int count = in.readInt();
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = readText(in);
      map.put(name, readText(in));
    }
    return map;
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] octets = Utf8.octets(text);
    out.writeInt(octets.length);
    out.write(octets);
  }

  private static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a text of " + length + " octets");
    }
    return Utf8.text(in.readNBytes(length));
  }

  private static StoreException damaged(String what, IOException cause) {
    return new StoreException(
        StoreException.Reason.DAMAGED, "metadata of " + what + ": " + cause.getMessage(), cause);
  }
}
