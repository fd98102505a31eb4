/**
 * What client and server say to each other in headers: tokens, names, evidence (docs/protocol.md).
 *
 * <p>Pure Java: no native code, no other package of the project. Every type is immutable, safe for
 * use by any thread, and keeps its encoder next to its decoder. Decoders are strict: they throw
 * {@link io.s3rdma.rdma.wire.InvalidTokenException} for tokens and {@link
 * io.s3rdma.rdma.wire.WireFormatException} for other values, and no message or {@code toString}
 * ever carries a whole token or a remote key.
 */
package io.s3rdma.rdma.wire;
