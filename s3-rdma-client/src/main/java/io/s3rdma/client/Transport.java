package io.s3rdma.client;

/** What carried an object's bytes. */
public enum Transport {
  RDMA,
  HTTP
}
