/**
 * The fault suite: a server and a client on two Soft-RoCE hosts, what can go wrong between and
 * below them, and what has to be as before afterwards. {@code ci/faults} runs it.
 */
package io.s3rdma.bench.faults;
