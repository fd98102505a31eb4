/**
 * Verbs for the JVM: small final objects over the native shim. {@link io.s3rdma.rdma.Rdma} says
 * whether RDMA can be used here and why not; nothing in this package throws at class load on a
 * machine without libibverbs.
 *
 * <p>Ownership is a tree: a device owns protection domains and completion queues, a protection
 * domain owns memory regions, memory windows and queue pairs. A parent with live children refuses
 * to close; close is idempotent.
 */
package io.s3rdma.rdma;
