package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.encryption.SealedKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Multipart uploads of a {@link LocalStore}, from their beginning to their object. */
final class LocalMultipart {
  private final DataFiles files;
  private final MetaDb db;
  private final Buckets buckets;
  private final Versions versions;
  private final Uploads uploads;
  private final Space space;
  private final DataReader reader;
  private final StoreLocks locks;
  private final Sealing sealing;

  LocalMultipart(
      DataFiles files,
      MetaDb db,
      Buckets buckets,
      Versions versions,
      Uploads uploads,
      Space space,
      DataReader reader,
      StoreLocks locks,
      Sealing sealing) {
    this.files = files;
    this.db = db;
    this.buckets = buckets;
    this.versions = versions;
    this.uploads = uploads;
    this.space = space;
    this.reader = reader;
    this.locks = locks;
    this.sealing = sealing;
  }

  UploadMeta create(
      NewObject object, String owner, String algorithm, ChecksumType type, Protection protection)
      throws IOException {
    SealedKey sealedKey = sealing.newKey(protection);
    try (StoreLocks.Held _ = locks.key(object.bucket(), object.key());
        MetaBatch batch = db.batch()) {
      buckets.require(object.bucket());
      String id = Versions.newId(versions.nextSequence());
      UploadMeta upload =
          new UploadMeta(id, object, owner, versions.now(), algorithm, type, sealedKey);
      uploads.put(batch, upload);
      db.write(batch);
      return upload;
    }
  }

  UploadMeta require(String bucket, String key, String uploadId) throws IOException {
    buckets.require(bucket);
    return uploads.require(bucket, key, uploadId);
  }

  PartWriter createPart(
      UploadMeta upload,
      int number,
      long expectedLength,
      EtagKind etag,
      Optional<CustomerKey> customerKey)
      throws IOException {
    space.check(
        upload.object().bucket(),
        Math.max(expectedLength, 0),
        () -> uploads.part(upload.id(), number).map(PartMeta::size).orElse(0L));
    SinkCipher cipher = sealing.cipherForPart(upload.sealedKey(), customerKey);
    // Always a file, since completing must not move bytes.
    DataSink sink = new DataSink(files, expectedLength, -1, etag, cipher);
    return new LocalPartWriter(this, upload, number, sink);
  }

  /** Called by a writer that has all bytes. */
  PartMeta commitPart(UploadMeta upload, int number, DataSink sink, Map<String, String> checksums)
      throws IOException {
    StoredData data = sink.finish();
    String bucket = upload.object().bucket();
    String key = upload.object().key();
    PartMeta part =
        new PartMeta(
            number,
            data.id(),
            data.size(),
            sink.etag(),
            versions.now(),
            checksums,
            sink.cipher().salt());
    try (MetaBatch batch = db.batch()) {
      try (StoreLocks.Held _ = locks.key(bucket, key)) {
        uploads.require(bucket, key, upload.id());
        uploads.putPart(batch, upload.id(), part);
        data.name(batch, bucket + "/" + key + " part " + number);
        space.write(bucket, batch, sink::taken);
      }
      reader.remove(batch.unneeded());
      return part;
    }
  }

  ObjectMeta complete(Completion completion) throws IOException {
    String bucket = completion.bucket();
    String key = completion.key();
    try (MetaBatch batch = db.batch()) {
      ObjectMeta object;
      try (StoreLocks.Held _ = locks.key(bucket, key)) {
        BucketMeta home = buckets.require(bucket);
        Optional<UploadMeta> open = uploads.find(bucket, key, completion.uploadId());
        if (open.isEmpty()) {
          return uploads
              .remembered(completion)
              .orElseThrow(() -> Uploads.missing(bucket, key, completion.uploadId()));
        }
        object = complete(batch, home, open.get(), completion);
        space.write(bucket, batch, () -> {});
      }
      reader.remove(batch.unneeded());
      return object;
    }
  }

  private ObjectMeta complete(
      MetaBatch batch, BucketMeta bucket, UploadMeta upload, Completion completion)
      throws IOException {
    List<PartMeta> uploaded = uploads.parts(upload.id());
    List<PartMeta> parts = Uploads.claimed(completion, uploaded);
    Set<Integer> kept = parts.stream().map(PartMeta::number).collect(Collectors.toSet());
    uploads.drop(batch, upload, uploaded, kept);
    Versions.Content content =
        new Versions.Content(
            ObjectMeta.Layout.PARTS,
            DataFiles.newId(),
            parts.stream().mapToLong(PartMeta::size).sum(),
            parts.size(),
            Uploads.etag(parts),
            completion.checksums(),
            completion.checksumType(),
            upload.sealedKey());
    batch.putManifest(content.id(), parts);
    ObjectMeta object =
        versions.put(batch, bucket, upload.object(), content, completion.preconditions());
    uploads.remember(batch, completion, object);
    return object;
  }

  void abort(String bucket, String key, String uploadId) throws IOException {
    try (MetaBatch batch = db.batch()) {
      try (StoreLocks.Held _ = locks.key(bucket, key)) {
        buckets.require(bucket);
        uploads.drop(batch, uploads.require(bucket, key, uploadId));
        space.write(bucket, batch, () -> {});
      }
      reader.remove(batch.unneeded());
    }
  }
}
