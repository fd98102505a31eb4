package io.s3rdma.client;

import io.s3rdma.rdma.TransferBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Objects that are larger than a token can say, or than one connection should carry: a GET as
 * ranges of one version, a PUT as a multipart upload, several parts at once on a connection each.
 * Stateless.
 */
final class PartedTransfers {
  private static final Logger LOG = LoggerFactory.getLogger(PartedTransfers.class);
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final ClientContext context;
  private final PartPlan plan;

  PartedTransfers(ClientContext context, PartPlan plan) {
    this.context = context;
    this.plan = plan;
  }

  /** The buffer takes the object's or its range's bytes from its start on. */
  TransferResult get(
      GetObjectRequest request, long start, long windowBytes, TransferBuffer buffer) {
    TransferResult first;
    try {
      long length = Math.min(plan.partBytes(), windowBytes);
      first = part(request, start, length, buffer.slice(0, length));
    } catch (S3Exception e) {
      if (e.statusCode() == RANGE_NOT_SATISFIABLE && request.range() == null) {
        // An empty object has no range; whole it is fine.
        return new Getter(context).get(request, plan.partBytes(), buffer);
      }
      throw e;
    }
    long total = Math.min(windowBytes, first.objectBytes() - start);
    if (request.range() == null && first.objectBytes() > windowBytes) {
      throw new TransferFailedException(
          "the object of %d bytes is larger than the buffer of %d; ask for a range that fits"
              .formatted(first.objectBytes(), windowBytes));
    }
    GetObjectRequest same = request.toBuilder().ifMatch(first.etag()).build();
    int count = plan.count(total);
    List<TransferResult> rest =
        count < 2
            ? List.of()
            : PartWorkers.run(
                count - 1,
                plan.atOnce(),
                () -> buffer.slice(0, 1),
                (view, part) -> rest(same, start, total, part + 1, buffer));
    return rest.stream().reduce(first, ResultSum::plus);
  }

  private TransferResult rest(
      GetObjectRequest request, long start, long total, int part, TransferBuffer buffer) {
    long offset = plan.offset(part);
    long length = plan.length(part, total);
    return part(request, start + offset, length, buffer.slice(offset, length));
  }

  private TransferResult part(
      GetObjectRequest request, long offset, long lengthBytes, TransferBuffer into) {
    GetObjectRequest ranged =
        request.toBuilder().range(new ByteRange(offset, lengthBytes).header()).build();
    TransferResult result = new Getter(context).get(ranged, lengthBytes, into);
    long expected = Math.min(lengthBytes, result.objectBytes() - offset);
    if (result.bytes() != expected) {
      throw new TransferFailedException(
          "%d of %d bytes came from offset %d".formatted(result.bytes(), expected, offset));
    }
    return result;
  }

  /** Out of one buffer. */
  TransferResult put(PutObjectRequest request, long lengthBytes, TransferBuffer buffer) {
    PartPlan parts = plan.fitting(lengthBytes);
    return put(
        request,
        lengthBytes,
        parts,
        () -> buffer.slice(0, 1),
        (view, part) -> buffer.slice(parts.offset(part), parts.length(part, lengthBytes)));
  }

  /** Out of what a source gives, through a buffer for each part in flight. */
  TransferResult put(
      PutObjectRequest request,
      long lengthBytes,
      PartSource source,
      Callable<? extends TransferBuffer> buffers) {
    PartPlan parts = plan.fitting(lengthBytes);
    return put(
        request,
        lengthBytes,
        parts,
        buffers::call,
        (buffer, part) -> {
          long length = parts.length(part, lengthBytes);
          source.fill(parts.offset(part), length, buffer);
          return buffer;
        });
  }

  private TransferResult put(
      PutObjectRequest request,
      long lengthBytes,
      PartPlan parts,
      PartWorkers.Opener opener,
      PartWorkers.Step<TransferBuffer> bytesOf) {
    MultipartRequests requests = new MultipartRequests(request, context.putChecksum());
    String uploadId = context.plainS3().createMultipartUpload(requests.create()).uploadId();
    try {
      List<Putter.Put> done =
          PartWorkers.run(
              parts.count(lengthBytes),
              parts.atOnce(),
              opener,
              (buffer, part) -> {
                UploadPartRequest one = requests.part(uploadId, part + 1);
                TransferBuffer bytes = bytesOf.run(buffer, part);
                long length = parts.length(part, lengthBytes);
                return new Putter(context).put(PutTarget.part(one), length, bytes);
              });
      String etag =
          context
              .plainS3()
              .completeMultipartUpload(requests.complete(uploadId, completed(done)))
              .eTag();
      TransferResult sum =
          done.stream().map(Putter.Put::result).reduce(ResultSum::plus).orElseThrow();
      return ResultSum.ofObject(sum, lengthBytes, etag);
    } catch (RuntimeException e) {
      abort(request, uploadId, e);
      throw e;
    }
  }

  private static List<CompletedPart> completed(List<Putter.Put> done) {
    List<CompletedPart> parts = new ArrayList<>();
    for (Putter.Put put : done) {
      parts.add(
          CompletedPart.builder()
              .partNumber(parts.size() + 1)
              .eTag(put.result().etag())
              .checksumCRC32C(put.crc32c())
              .build());
    }
    return parts;
  }

  /** Nothing of a failed upload is left at the server; where that fails too, its lifecycle must. */
  private void abort(PutObjectRequest request, String uploadId, RuntimeException cause) {
    try {
      context
          .plainS3()
          .abortMultipartUpload(
              b -> b.bucket(request.bucket()).key(request.key()).uploadId(uploadId));
    } catch (SdkException e) {
      cause.addSuppressed(e);
      LOG.warn(
          "abort of upload {} of {}/{}: {}; its parts stay until it is aborted",
          uploadId,
          request.bucket(),
          request.key(),
          e.getMessage());
    }
  }
}
