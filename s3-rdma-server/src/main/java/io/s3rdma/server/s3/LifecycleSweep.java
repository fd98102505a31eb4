package io.s3rdma.server.s3;

import io.s3rdma.server.document.LifecycleDays;
import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoreException;
import io.s3rdma.server.store.UploadListing;
import io.s3rdma.server.store.UploadMeta;
import io.s3rdma.server.store.UploadQuery;
import io.s3rdma.server.store.VersionListing;
import io.s3rdma.server.store.VersionQuery;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One walk over one bucket, by pages, deleting what its rules say. What is deleted was looked at a
 * moment before, so each delete names the very version that was seen: one that was overwritten in
 * between stays. One thread.
 */
final class LifecycleSweep {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleSweep.class);
  private static final int PAGE = 500;

  private final ObjectStore store;
  private final LifecycleDays days;
  private final LifecyclePace pace;
  private final LifecycleCounts counts;
  private final BucketMeta bucket;
  private final LifecycleRules rules;
  private final Instant now;

  // The version before, which is the next newer one if it is of the same key.
  private ObjectMeta newer;
  private int noncurrent;

  LifecycleSweep(
      ObjectStore store,
      BucketMeta bucket,
      LifecycleRules rules,
      Instant now,
      LifecycleDays days,
      LifecyclePace pace,
      LifecycleCounts counts) {
    this.store = store;
    this.bucket = bucket;
    this.rules = rules;
    this.now = now;
    this.days = days;
    this.pace = pace;
    this.counts = counts;
  }

  /** Ends early where it is told to stop. */
  void run() throws IOException {
    if (rules.isActive()) {
      versions();
      uploads();
    }
  }

  private void versions() throws IOException {
    VersionListing page = new VersionListing(List.of(), List.of(), true, "", "");
    VersionListing.Entry held = null;
    while (page.isTruncated() && pace.pause(page.entries().size())) {
      page =
          store.listVersions(
              new VersionQuery(
                  bucket.name(),
                  rules.commonPrefix(),
                  page.nextKeyMarker(),
                  page.nextVersionIdMarker(),
                  "",
                  PAGE));
      for (VersionListing.Entry entry : page.entries()) {
        if (held != null) {
          look(held, entry);
        }
        held = entry;
      }
    }
    if (held != null && !page.isTruncated()) {
      look(held, null);
    }
  }

  /** {@code next} tells whether {@code entry} is the last of its key. */
  private void look(VersionListing.Entry entry, VersionListing.Entry next) {
    if (pace.isStopped()) {
      return;
    }
    counts.looked().increment();
    ObjectMeta version = entry.version();
    if (newer == null || !newer.key().equals(version.key())) {
      noncurrent = 0;
      latest(version, next == null || !next.version().key().equals(version.key()));
    } else {
      if (rules.isNoncurrentDue(version, newer.lastModified(), noncurrent, now, days)) {
        remove(version, counts.noncurrentRemoved());
      }
      // A marker is nothing that somebody wants to keep, so it takes no place of what is kept.
      noncurrent += version.isDeleteMarker() ? 0 : 1;
    }
    newer = version;
  }

  private void latest(ObjectMeta version, boolean isOnly) {
    if (!version.isDeleteMarker()) {
      if (rules.isCurrentDue(version, now, days)) {
        ObjectRef ref = ObjectRef.current(version.bucket(), version.key());
        act(ref, counts.expired(), () -> store.delete(ref, Preconditions.still(version)));
      }
    } else if (isOnly && rules.isMarkerDue(version, now, days)) {
      remove(version, counts.markersRemoved());
    }
  }

  private void remove(ObjectMeta version, LongAdder counter) {
    ObjectRef ref = version.ref();
    act(ref, counter, () -> store.delete(ref, Preconditions.still(version)));
  }

  private void uploads() throws IOException {
    UploadListing page = new UploadListing(List.of(), List.of(), true, "", "");
    while (page.isTruncated() && pace.pause(page.uploads().size())) {
      page =
          store.listUploads(
              new UploadQuery(
                  bucket.name(),
                  rules.commonPrefix(),
                  page.nextKeyMarker(),
                  page.nextUploadIdMarker(),
                  "",
                  PAGE));
      for (UploadMeta upload : page.uploads()) {
        look(upload);
      }
    }
  }

  private void look(UploadMeta upload) {
    if (pace.isStopped()) {
      return;
    }
    counts.looked().increment();
    if (rules.isUploadDue(upload, now, days)) {
      String key = upload.object().key();
      act(
          ObjectRef.current(bucket.name(), key),
          counts.uploadsAborted(),
          () -> store.abort(bucket.name(), key, upload.id()));
    }
  }

  /** What somebody else was quicker with is done; any other failure is tried again next time. */
  private void act(ObjectRef ref, LongAdder counter, StoreCall call) {
    try {
      call.run();
      counter.increment();
    } catch (StoreException e) {
      switch (e.reason()) {
        case PRECONDITION_FAILED, NO_SUCH_KEY, NO_SUCH_VERSION, NO_SUCH_UPLOAD, NO_SUCH_BUCKET ->
            LOG.debug("{} changed while its lifecycle was looked at", ref);
        default -> failed(ref, e);
      }
    } catch (IOException e) {
      failed(ref, e);
    }
  }

  private void failed(ObjectRef ref, IOException e) {
    counts.failures().increment();
    LOG.warn("lifecycle: {} could not be removed; the next pass tries again", ref, e);
  }

  /** A change of the store. */
  @FunctionalInterface
  private interface StoreCall {
    void run() throws IOException;
  }
}
