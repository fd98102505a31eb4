package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.Protection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Buckets, objects with versions, and multipart uploads. Thread-safe. A missing bucket, key,
 * version or upload is a {@link StoreException} unless said otherwise. A key is any text of 1 to
 * 1024 octets of UTF-8; the name space is flat.
 */
public interface ObjectStore extends AutoCloseable {
  /** In order of their names. */
  List<BucketMeta> listBuckets() throws IOException;

  /** Cheap: from memory. */
  Optional<BucketMeta> bucket(String bucket) throws IOException;

  /** False if the bucket was there before, whoever owns it. */
  boolean createBucket(String bucket, String owner) throws IOException;

  /** Refuses while there are objects, versions or delete markers; unfinished uploads go with it. */
  void deleteBucket(String bucket) throws IOException;

  /** Changes versioning or settings, atomically and durably. */
  BucketMeta updateBucket(String bucket, UnaryOperator<BucketMeta> change) throws IOException;

  /**
   * The version, which may be a delete marker where a version was named or the current one is it.
   * Empty for a missing key or version.
   */
  Optional<ObjectMeta> find(ObjectRef ref) throws IOException;

  /** The current version; empty for a missing key and for one with a delete marker. */
  default Optional<ObjectMeta> head(String bucket, String key) throws IOException {
    return find(ObjectRef.current(bucket, key)).filter(meta -> !meta.isDeleteMarker());
  }

  /**
   * The version of this moment; it stays readable until closed, whatever happens to the key. A
   * delete marker is a {@link StoreException} with it.
   */
  StoredObject open(ObjectRef ref) throws IOException;

  /** The current version. */
  default StoredObject open(String bucket, String key) throws IOException {
    return open(ObjectRef.current(bucket, key));
  }

  /** In order of their numbers; empty for an object that was not completed from parts. */
  List<PartMeta> parts(ObjectMeta object) throws IOException;

  /**
   * Begins a new version, invisible until committed.
   *
   * @param expectedLength what must be written before the commit; -1 if unknown
   */
  ObjectWriter create(NewObject object, long expectedLength, EtagKind etag, Protection protection)
      throws IOException;

  /** The same, not encrypted. */
  default ObjectWriter create(NewObject object, long expectedLength, EtagKind etag)
      throws IOException {
    return create(object, expectedLength, etag, Protection.NONE);
  }

  /**
   * Makes a new version of a source's bytes without copying them; it has the source's ETag and
   * parts.
   *
   * @param source opened by the caller, who closes it
   * @param checksums to keep with it
   * @param protection that the source suits ({@link StoredObject#suits})
   */
  ObjectMeta copy(
      StoredObject source,
      NewObject object,
      Preconditions preconditions,
      Map<String, String> checksums,
      ChecksumType checksumType,
      Protection protection)
      throws IOException;

  /** Changes tags or ACL of a version in place. */
  ObjectMeta updateObject(ObjectRef ref, UnaryOperator<ObjectMeta> change) throws IOException;

  /**
   * Deletes a version, or where none is named makes a delete marker if the bucket keeps versions,
   * or deletes the object if it does not. A missing key is no error.
   */
  Deletion delete(ObjectRef ref, Preconditions preconditions) throws IOException;

  /** The same without conditions. */
  default Deletion delete(ObjectRef ref) throws IOException {
    return delete(ref, Preconditions.NONE);
  }

  /** Current versions only. */
  Listing list(ListQuery query) throws IOException;

  VersionListing listVersions(VersionQuery query) throws IOException;

  /** {@code algorithm} is empty and {@code type} null where the client declared no checksum. */
  UploadMeta createUpload(
      NewObject object, String owner, String algorithm, ChecksumType type, Protection protection)
      throws IOException;

  UploadMeta upload(String bucket, String key, String uploadId) throws IOException;

  /**
   * Begins a part; the number is the caller's to check.
   *
   * @param expectedLength what must be written before the commit; -1 if unknown
   * @param customerKey where the upload is protected with one
   */
  PartWriter createPart(
      UploadMeta upload,
      int number,
      long expectedLength,
      EtagKind etag,
      Optional<CustomerKey> customerKey)
      throws IOException;

  /** Parts with numbers above {@code afterNumber}, in order. */
  List<PartMeta> uploadedParts(
      String bucket, String key, String uploadId, int afterNumber, int entriesMax)
      throws IOException;

  UploadListing listUploads(UploadQuery query) throws IOException;

  /**
   * Makes the object of the parts without copying them. The same completion of the same upload
   * again gives the same answer for a day, whatever became of the object.
   */
  ObjectMeta complete(Completion completion) throws IOException;

  void abort(String bucket, String key, String uploadId) throws IOException;

  /** What the bucket holds: all versions and the parts of unfinished uploads. */
  Usage usage(String bucket) throws IOException;

  /** Octets and number of data items (versions with bytes and parts). */
  record Usage(long bytes, long items) {}

  @Override
  void close() throws IOException;
}
