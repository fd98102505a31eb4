/**
 * S3's documents and rule sets as values: parsed, checked and written. Pure functions; operations
 * in {@code s3} and {@code flow} use them.
 */
package io.s3rdma.server.document;
