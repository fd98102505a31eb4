package io.s3rdma.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * An authenticated request as a value.
 *
 * @param bucket decoded; empty for the service
 * @param key decoded; empty for a bucket
 */
public record S3Request(
    RequestHead head,
    String bucket,
    String key,
    Access access,
    RequestBody body,
    CancelSignal cancel) {

  /** Who signed the request and what that key may do. */
  public Identity identity() {
    return access.identity();
  }

  /**
   * Refuses with AccessDenied; for what a request names beside its own bucket and key.
   *
   * @param versionId empty for the current version
   */
  public void requireRead(String otherBucket, String otherKey, String versionId)
      throws IOException {
    access.require(AccessRule.reading(otherBucket, otherKey, versionId));
  }

  /** The same for a read of the tags: no more than {@link #requireRead} where no policy is. */
  public void requireReadOfTags(String otherBucket, String otherKey, String versionId)
      throws IOException {
    access.require(AccessRule.readingTags(otherBucket, otherKey, versionId));
  }

  /** The same for a key of the request's bucket that its body names. */
  public void requireDelete(String otherKey, String versionId) throws IOException {
    access.require(AccessRule.deleting(bucket, otherKey, versionId));
  }

  /** The same for tags that the request's object gets without naming them. */
  public void requireWriteOfTags() throws IOException {
    access.require(AccessRule.writingTags(bucket, key));
  }

  public String method() {
    return head.method();
  }

  public String rawPath() {
    return head.rawPath();
  }

  public Headers headers() {
    return head.headers();
  }

  public Optional<String> header(String name) {
    return head.headers().first(name);
  }

  public QueryParameters query() {
    return head.query();
  }

  public Optional<String> query(String name) {
    return head.query().first(name);
  }

  /** Octets on the wire; -1 if unknown. */
  public long contentLength() {
    return head.contentLength();
  }

  /** Octets of the object that the body carries; -1 if unknown. */
  public long payloadLength() {
    return head.payloadLength();
  }

  /** A Transfer-Encoding makes a body of unknown length. */
  public boolean hasTransferEncoding() {
    return head.headers().contains(HttpNames.TRANSFER_ENCODING);
  }

  /** Null for a request that needed no signature and had none. */
  public String accessKey() {
    return identity().accessKey();
  }

  /** Whether the signature covers this header. */
  public boolean isSigned(String headerName) {
    return identity().signedHeaders().contains(headerName.toLowerCase(Locale.ROOT));
  }

  public InetAddress remote() {
    return head.remote();
  }

  /** The address of ours that the client's connection came to, where it is known. */
  public Optional<InetAddress> local() {
    return Optional.ofNullable(head.local());
  }

  public String requestId() {
    return head.requestId();
  }
}
