package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rows of multipart uploads and their parts. Changes only under the lock of the upload's key. */
final class Uploads {
  /** How long a completed upload answers the same again. */
  static final Duration REMEMBERED = Duration.ofDays(1);

  private final MetaDb db;

  Uploads(MetaDb db) {
    this.db = db;
  }

  void put(MetaBatch batch, UploadMeta upload) throws IOException {
    batch.put(Family.UPLOADS, keyOf(upload), MetaCodec.encode(upload));
  }

  Optional<UploadMeta> find(String bucket, String key, String id) throws IOException {
    byte[] value = db.get(Family.UPLOADS, MetaKeys.upload(bucket, key, id));
    return value == null
        ? Optional.empty()
        : Optional.of(MetaCodec.decodeUpload(bucket, key, id, value));
  }

  UploadMeta require(String bucket, String key, String id) throws IOException {
    return find(bucket, key, id).orElseThrow(() -> missing(bucket, key, id));
  }

  static StoreException missing(String bucket, String key, String id) {
    return new StoreException(
        Reason.NO_SUCH_UPLOAD,
        "there is no upload "
            + id
            + " of "
            + bucket
            + "/"
            + key
            + "; it never was, or it was completed or aborted");
  }

  Optional<PartMeta> part(String id, int number) throws IOException {
    byte[] value = db.get(Family.PARTS, MetaKeys.part(id, number));
    return value == null ? Optional.empty() : Optional.of(MetaCodec.decodePart(number, value));
  }

  /** Puts a part in the place of the one of its number. */
  void putPart(MetaBatch batch, String id, PartMeta part) throws IOException {
    Optional<PartMeta> before = part(id, part.number());
    if (before.isPresent()) {
      batch.dropPart(before.get());
    }
    batch.put(Family.PARTS, MetaKeys.part(id, part.number()), MetaCodec.encode(part));
    batch.use(part.size(), 1);
  }

  List<PartMeta> parts(String id, int afterNumber, int entriesMax) throws IOException {
    List<PartMeta> parts = new ArrayList<>();
    byte[] start = ByteBuffer.allocate(Integer.BYTES).putInt(afterNumber + 1).array();
    try (MetaDb.Cursor cursor = db.cursor(Family.PARTS, Utf8.octets(id)).seek(start)) {
      for (byte[] key = cursor.key();
          key != null && parts.size() < entriesMax;
          key = nextKey(cursor)) {
        parts.add(MetaCodec.decodePart(ByteBuffer.wrap(key).getInt(), cursor.value()));
      }
    }
    return parts;
  }

  private static byte[] nextKey(MetaDb.Cursor cursor) throws IOException {
    cursor.next();
    return cursor.key();
  }

  /** All of them. */
  List<PartMeta> parts(String id) throws IOException {
    return parts(id, 0, Integer.MAX_VALUE);
  }

  /** Takes the upload and its parts with their files away. */
  void drop(MetaBatch batch, UploadMeta upload) throws IOException {
    drop(batch, upload, parts(upload.id()), Set.of());
  }

  /** The same, but the parts with the numbers of {@code kept} keep their files. */
  void drop(MetaBatch batch, UploadMeta upload, List<PartMeta> parts, Set<Integer> kept)
      throws IOException {
    batch.delete(Family.UPLOADS, keyOf(upload));
    for (PartMeta part : parts) {
      batch.delete(Family.PARTS, MetaKeys.part(upload.id(), part.number()));
      if (kept.contains(part.number())) {
        batch.use(-part.size(), -1); // the object counts it from now on
      } else {
        batch.dropPart(part);
      }
    }
  }

  /** The claimed ones of the uploaded parts, checked. */
  static List<PartMeta> claimed(Completion completion, List<PartMeta> uploadedParts)
      throws StoreException {
    Map<Integer, PartMeta> uploaded = new HashMap<>();
    uploadedParts.forEach(part -> uploaded.put(part.number(), part));
    List<PartMeta> parts = new ArrayList<>();
    int before = 0;
    for (PartClaim claim : completion.parts()) {
      if (claim.number() <= before) {
        throw new StoreException(
            Reason.INVALID_PART_ORDER, "part " + claim.number() + " is listed behind " + before);
      }
      before = claim.number();
      PartMeta part = uploaded.get(claim.number());
      if (part == null || !part.etag().equals(claim.etag())) {
        throw new StoreException(
            Reason.INVALID_PART,
            "part " + claim.number() + (part == null ? " was not uploaded" : " has another ETag"));
      }
      parts.add(part);
    }
    requireSizes(parts, completion.partBytesMin());
    return parts;
  }

  private static void requireSizes(List<PartMeta> parts, long bytesMin) throws StoreException {
    for (PartMeta part : parts.subList(0, parts.size() - 1)) {
      if (part.size() < bytesMin) {
        throw new StoreException(
            Reason.PART_TOO_SMALL,
            "part "
                + part.number()
                + " has "
                + part.size()
                + " bytes; all but the last need "
                + bytesMin);
      }
    }
  }

  void remember(MetaBatch batch, Completion completion, ObjectMeta object) throws IOException {
    batch.put(
        Family.COMPLETED,
        Utf8.octets(completion.uploadId()),
        MetaCodec.encode(new MetaCodec.Completed(digest(completion.parts()), object)));
  }

  /** What the same completion answered before. */
  Optional<ObjectMeta> remembered(Completion completion) throws IOException {
    byte[] value = db.get(Family.COMPLETED, Utf8.octets(completion.uploadId()));
    if (value == null) {
      return Optional.empty();
    }
    MetaCodec.Completed done = MetaCodec.decodeCompleted(completion.uploadId(), value);
    ObjectMeta object = done.object();
    boolean same =
        object.bucket().equals(completion.bucket())
            && object.key().equals(completion.key())
            && done.claimsDigest().equals(digest(completion.parts()));
    return same ? Optional.of(object) : Optional.empty();
  }

  /** Forgets completions from before {@code limit}. */
  void forgetOld(MetaBatch batch, Instant limit) throws IOException {
    try (MetaDb.Cursor cursor = db.cursor(Family.COMPLETED, new byte[0]).first()) {
      for (byte[] key = cursor.key(); key != null; key = nextKey(cursor)) {
        MetaCodec.Completed done = MetaCodec.decodeCompleted(Utf8.text(key), cursor.value());
        if (done.object().lastModified().isBefore(limit)) {
          batch.delete(Family.COMPLETED, key);
        }
      }
    }
  }

  /**
   * The ETag of an object made of parts: the MD5 of the parts' MD5s and their number. An opaque
   * part's ETag goes in as its text.
   */
  static String etag(List<PartMeta> parts) {
    MessageDigest md5 = digest("MD5");
    for (PartMeta part : parts) {
      boolean isMd5 = part.etag().matches("[0-9a-f]{32}");
      md5.update(isMd5 ? HexFormat.of().parseHex(part.etag()) : Utf8.octets(part.etag()));
    }
    return HexFormat.of().formatHex(md5.digest()) + "-" + parts.size();
  }

  private static String digest(List<PartClaim> claims) {
    MessageDigest sha = digest("SHA-256");
    for (PartClaim claim : claims) {
      sha.update(Utf8.octets(claim.number() + " " + claim.etag() + "\n"));
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no " + algorithm, e);
    }
  }

  private static byte[] keyOf(UploadMeta upload) {
    return MetaKeys.upload(upload.object().bucket(), upload.object().key(), upload.id());
  }
}
