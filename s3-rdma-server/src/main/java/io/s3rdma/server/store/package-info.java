/**
 * Where objects live: the {@link io.s3rdma.server.store.ObjectStore} seam and the local store of
 * immutable files and RocksDB metadata. Knows nothing of HTTP.
 */
package io.s3rdma.server.store;
