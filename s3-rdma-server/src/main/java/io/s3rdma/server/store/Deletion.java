package io.s3rdma.server.store;

/**
 * What a delete did.
 *
 * @param found whether there was anything to delete
 * @param versionId the version that was deleted or the delete marker that was made; empty where the
 *     bucket has no versions
 * @param isDeleteMarker whether that version is a delete marker
 */
public record Deletion(boolean found, String versionId, boolean isDeleteMarker) {}
