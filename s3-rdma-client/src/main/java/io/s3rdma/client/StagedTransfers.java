package io.s3rdma.client;

import io.s3rdma.client.transport.TransportException;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.StagingArea;
import io.s3rdma.rdma.StagingArea.PendingCopy;
import io.s3rdma.rdma.TransferBuffer;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * Transfers of device memory that the NIC cannot reach: through pinned slots. A GET goes slot by
 * slot as ranges of one version of the object, and the copy of a slot to the device overlaps the
 * transfer of the next. A PUT is one request, whose window must hold all its bytes from its start,
 * so it is staged whole.
 *
 * <p>A slot is offered to the server again only after its copy was awaited.
 */
final class StagedTransfers {
  private static final long SLOT_BYTES = 4L << 20;
  private static final int SLOTS = 3;

  private final ClientContext context;

  StagedTransfers(ClientContext context) {
    this.context = context;
  }

  /**
   * Empty if the buffer needs no staging, or no transport can be had: the direct way then says why.
   */
  Optional<TransferResult> get(GetObjectRequest request, long windowBytes, TransferBuffer buffer) {
    if (!needsStaging(buffer)) {
      return Optional.empty();
    }
    long slotBytes = Math.min(SLOT_BYTES, windowBytes);
    try (var _ = buffer.lifecycle().lease();
        StagingArea area = buffer.openStaging(slotBytes, SLOTS)) {
      return Optional.of(pipeline(request, windowBytes, area));
    }
  }

  private TransferResult pipeline(GetObjectRequest request, long windowBytes, StagingArea area) {
    PendingCopy[] copies = new PendingCopy[area.slots()];
    long start = startOf(request);
    long done = 0;
    long total = windowBytes;
    TransferResult sum = null;
    try {
      for (int turn = 0; done < total; turn++) {
        int slot = turn % area.slots();
        awaitCopy(copies, slot);
        long want = Math.min(area.slotBytes(), total - done);
        TransferResult part = part(request, sum, start + done, want, area.slot(slot));
        total = Math.min(total, part.objectBytes() - start);
        copies[slot] = area.copyIn(slot, done, part.bytes());
        done += part.bytes();
        sum = sum == null ? part : ResultSum.plus(sum, part);
      }
      return staged(sum);
    } finally {
      for (int slot = 0; slot < copies.length; slot++) {
        awaitCopy(copies, slot);
      }
    }
  }

  /** A range of the same version as the first part's. */
  private TransferResult part(
      GetObjectRequest request,
      TransferResult first,
      long offset,
      long lengthBytes,
      TransferBuffer slot) {
    GetObjectRequest.Builder part =
        request.toBuilder().range(new ByteRange(offset, lengthBytes).header());
    if (first != null) {
      part.ifMatch(first.etag());
    }
    return new Getter(context).get(part.build(), lengthBytes, slot);
  }

  private static long startOf(GetObjectRequest request) {
    String range = request.range();
    return range == null
        ? 0
        : Long.parseLong(range.substring("bytes=".length(), range.indexOf('-')));
  }

  private static void awaitCopy(PendingCopy[] copies, int slot) {
    if (copies[slot] != null) {
      PendingCopy copy = copies[slot];
      copies[slot] = null;
      copy.await();
    }
  }

  Optional<TransferResult> put(PutObjectRequest request, long lengthBytes, TransferBuffer buffer) {
    if (lengthBytes == 0 || !needsStaging(buffer)) {
      return Optional.empty();
    }
    try (var _ = buffer.lifecycle().lease();
        StagingArea area = buffer.openStaging(lengthBytes, 1)) {
      area.copyOut(0, 0, lengthBytes).await();
      return Optional.of(staged(new Putter(context).put(request, lengthBytes, area.slot(0))));
    }
  }

  private boolean needsStaging(TransferBuffer buffer) {
    if (buffer.kind() != TransferBuffer.Kind.DEVICE || context.policy() == RdmaPolicy.NEVER) {
      return false;
    }
    try {
      return context.openTransport().needsStaging(buffer);
    } catch (TransportException e) {
      return false;
    }
  }

  private static TransferResult staged(TransferResult r) {
    return new TransferResult(
        r.transport(),
        r.bytesByRdma(),
        r.bytesByHttp(),
        r.evidence(),
        r.attempts(),
        r.httpReason(),
        Optional.of(RegistrationWay.STAGING),
        r.objectBytes(),
        r.etag());
  }
}
