/**
 * Bucket policies: a strict reader of their language, and a pure function from a policy and one
 * question to what the policy says. Knows nothing of HTTP or of stores.
 */
package io.s3rdma.server.policy;
