package io.s3rdma.server.flow;

import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.Router;
import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;

/** The operations that read and write objects. */
public final class ObjectRoutes {
  private static final long PART_BYTES_MIN = 5L << 20;

  private final GetFlow gets;
  private final PutFlow puts;
  private final CopyFlow copies;
  private final PartFlow parts;
  private final MultipartFlow uploads;
  private final AttributesFlow attributes;

  /** {@code bytesMax} bounds an object or part that comes in one request. */
  public ObjectRoutes(
      ObjectStore store, long bytesMax, EncryptionConfig encryptionConfig, RdmaPath rdma) {
    Intake intake = new Intake(bytesMax, rdma);
    Encryption encryption = new Encryption(store, encryptionConfig.allowCustomerKeysOverHttp());
    this.gets = new GetFlow(store, encryption, rdma);
    this.puts = new PutFlow(store, encryption, intake);
    this.copies = new CopyFlow(store, encryption);
    this.parts = new PartFlow(store, encryption, intake);
    this.uploads = new MultipartFlow(store, encryption, PART_BYTES_MIN);
    this.attributes = new AttributesFlow(store, encryption);
  }

  public Router.Builder register(Router.Builder router) {
    return router
        .route("GET", Level.OBJECT, "", gets::handle)
        .route("HEAD", Level.OBJECT, "", gets::head)
        .route("GET", Level.OBJECT, Versions.QUERY, gets::handle)
        .route("HEAD", Level.OBJECT, Versions.QUERY, gets::head)
        .route("PUT", Level.OBJECT, "", this::put)
        .route("GET", Level.OBJECT, "attributes", attributes::handle)
        .route("POST", Level.OBJECT, "uploads", uploads::create)
        .route("PUT", Level.OBJECT, PartFlow.UPLOAD_ID, this::putPart)
        .route("POST", Level.OBJECT, PartFlow.UPLOAD_ID, uploads::complete)
        .route("DELETE", Level.OBJECT, PartFlow.UPLOAD_ID, uploads::abort);
  }

  private S3Response put(S3Request request) throws IOException {
    if (request.query(PartNumbers.QUERY).isPresent()) {
      // A part must not become the object.
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "a partNumber needs an uploadId");
    }
    return isCopy(request) ? copies.handle(request) : puts.handle(request);
  }

  private S3Response putPart(S3Request request) throws IOException {
    return isCopy(request) ? parts.copy(request) : parts.upload(request);
  }

  private static boolean isCopy(S3Request request) {
    return request.headers().contains(HttpNames.AMZ_COPY_SOURCE);
  }
}
