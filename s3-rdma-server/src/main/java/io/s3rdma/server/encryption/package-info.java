/**
 * Keys and ciphers of server-side encryption; pure JDK, and the only place of the server where
 * bytes of objects are encrypted. See docs/decisions/0019-server-side-encryption.md.
 */
package io.s3rdma.server.encryption;
