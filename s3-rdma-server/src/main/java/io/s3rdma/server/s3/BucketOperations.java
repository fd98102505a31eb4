package io.s3rdma.server.s3;

import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.document.XmlElement;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/** ListBuckets, CreateBucket, HeadBucket, DeleteBucket, GetBucketLocation. */
final class BucketOperations {
  private static final String FIRST_REGION = "us-east-1";
  private static final int BUCKETS_MAX = 10_000;
  private static final int XML_BYTES_MAX = 64 * 1024;

  private final ObjectStore store;
  private final String region;

  BucketOperations(ObjectStore store, String region) {
    this.store = store;
    this.region = region;
  }

  S3Response list(S3Request request) throws IOException {
    String prefix = request.query("prefix").orElse("");
    String after = request.query("continuation-token").orElse("");
    int max = Numbers.count(request, "max-buckets", BUCKETS_MAX);
    if (max == 0) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "max-buckets must be at least 1");
    }
    Xml xml = Xml.document("ListAllMyBucketsResult");
    Owner.write(xml, request.identity().account());
    xml.start("Buckets");
    int count = 0;
    String last = "";
    boolean truncated = false;
    for (BucketMeta bucket : store.listBuckets()) {
      if (!bucket.name().startsWith(prefix)
          || bucket.name().compareTo(after) <= 0
          || !request.access().shows(bucket.name(), bucket.owner())) {
        continue;
      }
      if (count == max) {
        truncated = true;
        break;
      }
      count++;
      last = bucket.name();
      xml.start("Bucket")
          .text("Name", last)
          .text("CreationDate", HttpDates.iso(bucket.created()))
          .text("BucketRegion", region)
          .end();
    }
    xml.end();
    if (truncated) {
      xml.text("ContinuationToken", last);
    }
    if (!prefix.isEmpty()) {
      xml.text("Prefix", prefix);
    }
    return S3Response.xml(200, xml.finish());
  }

  S3Response create(S3Request request) throws IOException {
    BucketNames.requireValid(request.bucket());
    refuseUnsupported(request);
    CannedAcl acl = CannedAcl.ofHeaders(request.headers());
    checkDocument(RequestDocument.read(request, XML_BYTES_MAX));
    boolean created = store.createBucket(request.bucket(), request.identity().account().id());
    if (!created) {
      // Another account may have been first since this request was let in.
      request.access().requireCreate(request.bucket());
    }
    if (!created && !region.equals(FIRST_REGION)) {
      throw new S3Exception(S3ErrorCode.BUCKET_ALREADY_OWNED_BY_YOU);
    }
    if (request.headers().contains(HttpNames.AMZ_ACL)) {
      store.updateBucket(request.bucket(), bucket -> AclOperations.withAcl(bucket, acl));
    }
    return S3Response.of(200).withHeader(HttpNames.LOCATION, "/" + request.bucket());
  }

  S3Response head(S3Request request) throws IOException {
    require(store, request.bucket());
    return S3Response.of(200).withHeader(HttpNames.AMZ_BUCKET_REGION, region);
  }

  S3Response delete(S3Request request) throws IOException {
    store.deleteBucket(request.bucket());
    return S3Response.of(204);
  }

  S3Response location(S3Request request) throws IOException {
    require(store, request.bucket());
    Xml xml = Xml.document("LocationConstraint");
    return S3Response.xml(200, xml.value(region.equals(FIRST_REGION) ? "" : region).finish());
  }

  /** What would make it another kind of bucket is refused, never ignored. */
  private static void refuseUnsupported(S3Request request) {
    boolean lock =
        request
            .header("x-amz-bucket-object-lock-enabled")
            .map("true"::equalsIgnoreCase)
            .orElse(false);
    if (lock || request.headers().contains("x-amz-object-ownership")) {
      throw new S3Exception(
          S3ErrorCode.NOT_IMPLEMENTED, "CreateBucket with object lock or an object ownership");
    }
  }

  /** The location is this server's, whatever the document says. */
  private static void checkDocument(byte[] document) {
    if (document.length == 0) {
      return;
    }
    XmlElement root = XmlElement.parse(document, "CreateBucketConfiguration");
    for (XmlElement child : root.children()) {
      if (!child.name().equals("LocationConstraint")) {
        throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "CreateBucket with " + child.name());
      }
    }
  }

  /** The bucket, or NoSuchBucket. */
  static BucketMeta require(ObjectStore store, String bucket) throws IOException {
    return store
        .bucket(bucket)
        .orElseThrow(
            () -> new S3Exception(S3ErrorCode.NO_SUCH_BUCKET).withDetail("BucketName", bucket));
  }
}
