/**
 * The independent witness: device counters, what they say about one transfer, and the verdict
 * (P-5).
 *
 * <p>JDK only, and no code of what it judges. The way of a proof: {@link
 * io.s3rdma.counters.CounterReader} → {@link io.s3rdma.counters.CounterSnapshot} → {@link
 * io.s3rdma.counters.CounterDelta} → {@link io.s3rdma.counters.Judge} → {@link
 * io.s3rdma.counters.Judgement}. Where transfers overlap, {@link io.s3rdma.counters.PortWitness}
 * takes the place of the plain delta.
 *
 * <p>A counter that cannot be read is absent, never zero.
 */
package io.s3rdma.counters;
