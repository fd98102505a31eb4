package io.s3rdma.server.store;

import io.s3rdma.server.encryption.SealedKey;
import java.io.ByteArrayOutputStream;
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
 *             | attributes | checksums | checksum type | tags | acl | sealed key
 *   bucket    created ms 8 | owner | versioning | settings
 *   part      file id | size 8 | etag | modified ms 8 | checksums | salt
 *   manifest  count 4 {number 4, part}
 *   upload    attributes | tags | acl | owner | initiated ms 8 | algorithm | checksum type or empty
 *             | sealed key
 *   file      size 8 | crc32c 4 | owner
 *   completed bucket | key | claims digest | object
 *   sealed key: kind | master key id | base64
 * </pre>
 *
 * Sealed keys and salts are there from version 3 on, which is what has any: what is not encrypted
 * is written as before there was encryption.
 *
 * <p>Big-endian; a text is 4 octets of length and UTF-8, a map 4 octets of count and pairs of
 * texts.
 */
final class MetaCodec {
  private static final int PLAIN = 2;
  private static final int SEALED = 3;

  private MetaCodec() {}

  static byte[] encode(ObjectMeta meta) {
    return encode(versionOf(meta.sealedKey()), 256, out -> write(out, meta));
  }

  static ObjectMeta decode(String bucket, String key, byte[] octets) throws StoreException {
    return decode("object " + bucket + "/" + key, octets, in -> readObject(in, bucket, key));
  }

  static byte[] encode(BucketMeta meta) {
    return encode(
        PLAIN,
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
                in.readTime(),
                in.readText(),
                in.readOf(BucketMeta.Versioning.class),
                in.readMap()));
  }

  static byte[] encode(PartMeta part) {
    int version = part.salt().isEmpty() ? PLAIN : SEALED;
    return encode(version, 128, out -> write(out, part, version));
  }

  static PartMeta decodePart(int number, byte[] octets) throws StoreException {
    return decode("part " + number, octets, in -> readPart(in, number));
  }

  static byte[] encode(List<PartMeta> parts) {
    int version = parts.stream().allMatch(part -> part.salt().isEmpty()) ? PLAIN : SEALED;
    return encode(
        version,
        128 * parts.size(),
        out -> {
          out.writeInt(parts.size());
          for (PartMeta part : parts) {
            out.writeInt(part.number());
            write(out, part, version);
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
        versionOf(upload.sealedKey()),
        256,
        out -> {
          writeMap(out, upload.object().attributes());
          writeMap(out, upload.object().tags());
          writeText(out, upload.object().acl());
          writeText(out, upload.owner());
          out.writeLong(upload.initiated().toEpochMilli());
          writeText(out, upload.checksumAlgorithm());
          writeText(out, upload.checksumType() == null ? "" : upload.checksumType().name());
          write(out, upload.sealedKey());
        });
  }

  static UploadMeta decodeUpload(String bucket, String key, String id, byte[] octets)
      throws StoreException {
    return decode(
        "upload " + id,
        octets,
        in -> {
          NewObject object = new NewObject(bucket, key, in.readMap(), in.readMap(), in.readText());
          String owner = in.readText();
          Instant initiated = in.readTime();
          String algorithm = in.readText();
          String type = in.readText();
          return new UploadMeta(
              id,
              object,
              owner,
              initiated,
              algorithm,
              type.isEmpty() ? null : MetaReader.of(ChecksumType.class, type),
              readSealedKey(in));
        });
  }

  static byte[] encode(FileRecord file) {
    return encode(
        PLAIN,
        64,
        out -> {
          out.writeLong(file.size());
          out.writeInt(file.crc32c());
          writeText(out, file.owner());
        });
  }

  static FileRecord decodeFile(String id, byte[] octets) throws StoreException {
    return decode(
        "file " + id, octets, in -> new FileRecord(id, in.readLong(), in.readInt(), in.readText()));
  }

  static byte[] encode(Completed completed) {
    return encode(
        versionOf(completed.object().sealedKey()),
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
          String bucket = in.readText();
          String key = in.readText();
          String digest = in.readText();
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
    write(out, meta.sealedKey());
  }

  private static ObjectMeta readObject(MetaReader in, String bucket, String key)
      throws IOException {
    ObjectMeta.Layout layout = in.readOf(ObjectMeta.Layout.class);
    String id = in.readText();
    String versionId = in.readText();
    long sequence = in.readLong();
    long size = in.readLong();
    int parts = in.readInt();
    String etag = in.readText();
    Instant modified = in.readTime();
    Map<String, String> attributes = in.readMap();
    Map<String, String> checksums = in.readMap();
    ChecksumType type = in.readOf(ChecksumType.class);
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
        in.readMap(),
        in.readText(),
        readSealedKey(in));
  }

  private static void write(DataOutputStream out, PartMeta part, int version) throws IOException {
    writeText(out, part.fileId());
    out.writeLong(part.size());
    writeText(out, part.etag());
    out.writeLong(part.lastModified().toEpochMilli());
    writeMap(out, part.checksums());
    if (version >= SEALED) {
      writeText(out, part.salt());
    }
  }

  private static PartMeta readPart(MetaReader in, int number) throws IOException {
    return new PartMeta(
        number,
        in.readText(),
        in.readLong(),
        in.readText(),
        in.readTime(),
        in.readMap(),
        in.version() >= SEALED ? in.readText() : "");
  }

  private static int versionOf(SealedKey key) {
    return key.isNone() ? PLAIN : SEALED;
  }

  private static void write(DataOutputStream out, SealedKey key) throws IOException {
    if (!key.isNone()) {
      writeText(out, key.kind().name());
      writeText(out, key.masterKeyId());
      writeText(out, key.sealed());
    }
  }

  private static SealedKey readSealedKey(MetaReader in) throws IOException {
    return in.version() < SEALED
        ? SealedKey.NONE
        : new SealedKey(in.readOf(SealedKey.Kind.class), in.readText(), in.readText());
  }

  private static byte[] encode(int version, int sizeHint, Encoder encoder) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(sizeHint);
    try (DataOutputStream out = new DataOutputStream(octets)) {
      out.writeByte(version);
      encoder.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return octets.toByteArray();
  }

  private static <T> T decode(String what, byte[] octets, Decoder<T> decoder)
      throws StoreException {
    try {
      MetaReader in = new MetaReader(octets);
      if (in.version() < PLAIN || in.version() > SEALED) {
        throw new IOException("version " + in.version() + " of metadata is not known here");
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

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] octets = Utf8.octets(text);
    out.writeInt(octets.length);
    out.write(octets);
  }

  @FunctionalInterface
  private interface Encoder {
    void write(DataOutputStream out) throws IOException;
  }

  @FunctionalInterface
  private interface Decoder<T> {
    T read(MetaReader in) throws IOException;
  }
}
