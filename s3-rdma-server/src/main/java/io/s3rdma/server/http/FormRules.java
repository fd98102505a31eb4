package io.s3rdma.server.http;

import java.util.function.UnaryOperator;

/**
 * How forms are taken.
 *
 * @param tagging makes the header {@code x-amz-tagging} of a Tagging document
 * @param allowsSignatureV2 whether a form's policy may be signed by Signature Version 2
 */
public record FormRules(UnaryOperator<String> tagging, boolean allowsSignatureV2) {}
