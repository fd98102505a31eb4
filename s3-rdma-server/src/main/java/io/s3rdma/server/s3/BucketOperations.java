package io.s3rdma.server.s3;

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
    // The location is this server's, whatever the document says; reading it checks its digest.
    request.body().readAll(XML_BYTES_MAX);
    boolean created = store.createBucket(request.bucket(), request.identity().account().id());
    if (!created) {
      // Another account may have been first since this request was let in.
      request.access().requireCreate(request.bucket());
    }
    if (!created && !region.equals(FIRST_REGION)) {
      throw new S3Exception(S3ErrorCode.BUCKET_ALREADY_OWNED_BY_YOU);
    }
    return S3Response.of(200).withHeader(HttpNames.LOCATION, "/" + request.bucket());
  }

  S3Response head(S3Request request) throws IOException {
    requireBucket(request);
    return S3Response.of(200).withHeader(HttpNames.AMZ_BUCKET_REGION, region);
  }

  S3Response delete(S3Request request) throws IOException {
    store.deleteBucket(request.bucket());
    return S3Response.of(204);
  }

  S3Response location(S3Request request) throws IOException {
    requireBucket(request);
    Xml xml = Xml.document("LocationConstraint");
    return S3Response.xml(200, xml.value(region.equals(FIRST_REGION) ? "" : region).finish());
  }

  private void requireBucket(S3Request request) throws IOException {
    if (store.bucket(request.bucket()).isEmpty()) {
      throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET).withDetail("BucketName", request.bucket());
    }
  }
}
