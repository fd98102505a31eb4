package io.s3rdma.server.store;

import io.s3rdma.server.encryption.SealedKey;
import java.time.Instant;

/**
 * A multipart upload that is not completed.
 *
 * @param object what the completed object will get
 * @param owner the account that began it
 * @param checksumAlgorithm its name in upper case as the client declared it; empty if it did not
 * @param checksumType null if no algorithm was declared
 * @param sealedKey of the key that the parts' keys are derived from
 */
public record UploadMeta(
    String id,
    NewObject object,
    String owner,
    Instant initiated,
    String checksumAlgorithm,
    ChecksumType checksumType,
    SealedKey sealedKey) {}
