package io.s3rdma.server.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Buckets and objects. Thread-safe. A missing bucket or key is a {@link StoreException} unless said
 * otherwise. A key is any text of 1 to 1024 octets of UTF-8; the name space is flat.
 */
public interface ObjectStore extends AutoCloseable {
  /** In order of their names. */
  List<BucketMeta> listBuckets() throws IOException;

  Optional<BucketMeta> bucket(String bucket) throws IOException;

  /** False if the bucket was there before, whoever owns it. */
  boolean createBucket(String bucket, String owner) throws IOException;

  void deleteBucket(String bucket) throws IOException;

  /** Empty for a missing key. */
  Optional<ObjectMeta> head(String bucket, String key) throws IOException;

  /** The version of this moment; it stays readable until closed, whatever happens to the key. */
  StoredObject open(String bucket, String key) throws IOException;

  /**
   * Begins a new version, invisible until committed.
   *
   * @param expectedLength what must be written before the commit; -1 if unknown
   */
  ObjectWriter create(
      String bucket, String key, Map<String, String> attributes, long expectedLength, EtagKind etag)
      throws IOException;

  /** The same with an MD5 ETag. */
  default ObjectWriter create(
      String bucket, String key, Map<String, String> attributes, long expectedLength)
      throws IOException {
    return create(bucket, key, attributes, expectedLength, EtagKind.MD5);
  }

  /** False if there was no such key, which is no error. */
  boolean delete(String bucket, String key) throws IOException;

  Listing list(ListQuery query) throws IOException;

  @Override
  void close() throws IOException;
}
