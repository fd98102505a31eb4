package io.s3rdma.server;

import io.s3rdma.server.admin.AdminConfig;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.http.HttpConfig;
import io.s3rdma.server.s3.LifecycleConfig;
import io.s3rdma.server.store.StoreConfig;

/**
 * Everything that can be set, concluded once; read by {@link ConfigLoader}.
 *
 * @param objectBytesMax the largest object a PUT may bring
 */
public record ServerConfig(
    LogConfig log,
    HttpConfig http,
    AuthConfig auth,
    StoreConfig store,
    AdminConfig admin,
    RdmaConfig rdma,
    LifecycleConfig lifecycle,
    EncryptionConfig encryption,
    long objectBytesMax) {}
