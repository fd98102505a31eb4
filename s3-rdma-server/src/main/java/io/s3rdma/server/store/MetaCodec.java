package io.s3rdma.server.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metadata as octets; what a row's key says is not in its value. Each begins with a version octet.
 *
 * <pre>
 *   object    layout | id | version id | sequence 8 | size 8 | parts 4 | etag | modified ms 8
 *             | attributes | checksums | checksum type | tags | acl
 *   bucket    created ms 8 | owner | versioning | settings
 *   part      file id | size 8 | etag | modified ms 8 | checksums
 *   manifest  count 4 {number 4, part}
 *   upload    attributes | tags | acl | owner | initiated ms 8 | algorithm | checksum type or empty
 *   file      size 8 | crc32c 4 | owner
 *   completed bucket | key | claims digest | object
 * </pre>
 *
 * Big-endian; a text is 4 octets of length and UTF-8, a map 4 octets of count and pairs of texts.
 */
final class MetaCodec {
  private static final byte VERSION = 2;

  private MetaCodec() {}

  static byte[] encode(ObjectMeta meta) {
    return encode(256, out -> write(out, meta));
  }

  static ObjectMeta decode(String bucket, String key, byte[] octets) throws StoreException {
    return decode("object " + bucket + "/" + key, octets, in -> readObject(in, bucket, key));
  }

  static byte[] encode(BucketMeta meta) {
    return encode(
        64,
        out -> {
          out.writeLong(meta.created().toEpochMilli());
          writeText(out, meta.owner());
          writeText(out, meta.versioning().name());
          writeMap(out, meta.settings());
        });
  }

  static BucketMeta decode(String bucket, byte[] octets) throws StoreException {
    return decode(
        "bucket " + bucket,
        octets,
        in ->
            new BucketMeta(
                bucket,
                readTime(in),
                readText(in),
                readOf(in, BucketMeta.Versioning.class),
                readMap(in)));
  }

  static byte[] encode(PartMeta part) {
    return encode(128, out -> write(out, part));
  }

  static PartMeta decodePart(int number, byte[] octets) throws StoreException {
    return decode("part " + number, octets, in -> readPart(in, number));
  }

  static byte[] encode(List<PartMeta> parts) {
    return encode(
        128 * parts.size(),
        out -> {
          out.writeInt(parts.size());
          for (PartMeta part : parts) {
            out.writeInt(part.number());
            write(out, part);
          }
        });
  }

  static List<PartMeta> decodeManifest(String id, byte[] octets) throws StoreException {
    return decode(
        "manifest " + id,
        octets,
        in -> {
          int count = in.readInt();
          List<PartMeta> parts = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            parts.add(readPart(in, in.readInt()));
          }
          return parts;
        });
  }

  static byte[] encode(UploadMeta upload) {
    return encode(
        256,
        out -> {
          writeMap(out, upload.object().attributes());
          writeMap(out, upload.object().tags());
          writeText(out, upload.object().acl());
          writeText(out, upload.owner());
          out.writeLong(upload.initiated().toEpochMilli());
          writeText(out, upload.checksumAlgorithm());
          writeText(out, upload.checksumType() == null ? "" : upload.checksumType().name());
        });
  }

  static UploadMeta decodeUpload(String bucket, String key, String id, byte[] octets)
      throws StoreException {
    return decode(
        "upload " + id,
        octets,
        in -> {
          NewObject object = new NewObject(bucket, key, readMap(in), readMap(in), readText(in));
          String owner = readText(in);
          Instant initiated = readTime(in);
          String algorithm = readText(in);
          String type = readText(in);
          return new UploadMeta(
              id,
              object,
              owner,
              initiated,
              algorithm,
              type.isEmpty() ? null : of(ChecksumType.class, type));
        });
  }

  static byte[] encode(FileRecord file) {
    return encode(
        64,
        out -> {
          out.writeLong(file.size());
          out.writeInt(file.crc32c());
          writeText(out, file.owner());
        });
  }

  static FileRecord decodeFile(String id, byte[] octets) throws StoreException {
    return decode(
        "file " + id, octets, in -> new FileRecord(id, in.readLong(), in.readInt(), readText(in)));
  }

  static byte[] encode(Completed completed) {
    return encode(
        256,
        out -> {
          writeText(out, completed.object().bucket());
          writeText(out, completed.object().key());
          writeText(out, completed.claimsDigest());
          write(out, completed.object());
        });
  }

  static Completed decodeCompleted(String uploadId, byte[] octets) throws StoreException {
    return decode(
        "completed upload " + uploadId,
        octets,
        in -> {
          String bucket = readText(in);
          String key = readText(in);
          String digest = readText(in);
          return new Completed(digest, readObject(in, bucket, key));
        });
  }

  /** What a completion answered. */
  record Completed(String claimsDigest, ObjectMeta object) {}

  private static void write(DataOutputStream out, ObjectMeta meta) throws IOException {
    writeText(out, meta.layout().name());
    writeText(out, meta.id());
    writeText(out, meta.versionId());
    out.writeLong(meta.sequence());
    out.writeLong(meta.size());
    out.writeInt(meta.partCount());
    writeText(out, meta.etag());
    out.writeLong(meta.lastModified().toEpochMilli());
    writeMap(out, meta.attributes());
    writeMap(out, meta.checksums());
    writeText(out, meta.checksumType().name());
    writeMap(out, meta.tags());
    writeText(out, meta.acl());
  }

  private static ObjectMeta readObject(DataInputStream in, String bucket, String key)
      throws IOException {
    ObjectMeta.Layout layout = readOf(in, ObjectMeta.Layout.class);
    String id = readText(in);
    String versionId = readText(in);
    long sequence = in.readLong();
    long size = in.readLong();
    int parts = in.readInt();
    String etag = readText(in);
    Instant modified = readTime(in);
    Map<String, String> attributes = readMap(in);
    Map<String, String> checksums = readMap(in);
    ChecksumType type = readOf(in, ChecksumType.class);
    return new ObjectMeta(
        bucket,
        key,
        versionId,
        sequence,
        layout,
        id,
        size,
        parts,
        etag,
        modified,
        attributes,
        checksums,
        type,
        readMap(in),
        readText(in));
  }

  private static void write(DataOutputStream out, PartMeta part) throws IOException {
    writeText(out, part.fileId());
    out.writeLong(part.size());
    writeText(out, part.etag());
    out.writeLong(part.lastModified().toEpochMilli());
    writeMap(out, part.checksums());
  }

  private static PartMeta readPart(DataInputStream in, int number) throws IOException {
    return new PartMeta(
        number, readText(in), in.readLong(), readText(in), readTime(in), readMap(in));
  }

  private static byte[] encode(int sizeHint, Encoder encoder) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(sizeHint);
    try (DataOutputStream out = new DataOutputStream(octets)) {
      out.writeByte(VERSION);
      encoder.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return octets.toByteArray();
  }

  private static <T> T decode(String what, byte[] octets, Decoder<T> decoder)
      throws StoreException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(octets))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new IOException("version " + version + " of metadata is not known here");
      }
      return decoder.read(in);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.DAMAGED, "metadata of " + what + ": " + e.getMessage(), e);
    }
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
    if (count == 0) {
      return Map.of();
    }
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

  private static Instant readTime(DataInputStream in) throws IOException {
    return Instant.ofEpochMilli(in.readLong());
  }

  private static <E extends Enum<E>> E readOf(DataInputStream in, Class<E> type)
      throws IOException {
    return of(type, readText(in));
  }

  private static <E extends Enum<E>> E of(Class<E> type, String name) throws IOException {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IOException("unknown " + type.getSimpleName() + " " + name, e);
    }
  }

  @FunctionalInterface
  private interface Encoder {
    void write(DataOutputStream out) throws IOException;
  }

  @FunctionalInterface
  private interface Decoder<T> {
    T read(DataInputStream in) throws IOException;
  }
}
