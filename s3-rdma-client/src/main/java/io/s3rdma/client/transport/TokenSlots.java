package io.s3rdma.client.transport;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries a grant from the call to the signer: the SDK gives a signer nothing but the request, so
 * an internal header names the slot. The signer removes it; it never reaches the wire. Thread-safe.
 */
public final class TokenSlots {
  /** The internal header. */
  public static final String HEADER = "x-s3rdma-slot";

  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong();

  /** The value for {@link #HEADER}; {@link #remove} it after the call. */
  public String put(Grant grant) {
    String id = Long.toString(next.incrementAndGet());
    grants.put(id, grant);
    return id;
  }

  public void remove(String id) {
    grants.remove(id);
  }

  String mint(String id) {
    Grant grant = grants.get(id);
    if (grant == null) {
      throw new IllegalStateException("no grant in slot " + id + "; the request outlived its call");
    }
    return grant.mint();
  }
}
