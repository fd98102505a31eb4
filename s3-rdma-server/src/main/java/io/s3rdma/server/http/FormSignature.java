package io.s3rdma.server.http;

import java.util.Set;

/**
 * Who signed a form's policy, by Signature Version 4 or 2. Both sign the same text, which says
 * itself what it allows and until when.
 */
final class FormSignature {
  private final Credentials credentials;
  private final SigV4 sigV4;
  private final boolean allowsV2;

  FormSignature(Credentials credentials, SigV4 sigV4, boolean allowsV2) {
    this.credentials = credentials;
    this.sigV4 = sigV4;
    this.allowsV2 = allowsV2;
  }

  /** Whether there is anything to verify; without, the form is anonymous. */
  static boolean isSigned(FormFields fields) {
    return fields.contains(FormFields.POLICY) || isV4(fields) || isV2(fields);
  }

  Identity verify(FormFields fields) {
    if (isV4(fields) && isV2(fields)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, "sign the policy by Signature Version 4 or 2, not by both");
    }
    return isV4(fields) ? verifyV4(fields) : verifyV2(fields);
  }

  private static boolean isV4(FormFields fields) {
    return fields.contains(FormFields.V4_SIGNATURE)
        || fields.contains(FormFields.CREDENTIAL)
        || fields.contains(FormFields.ALGORITHM);
  }

  private static boolean isV2(FormFields fields) {
    return fields.contains(FormFields.SIGNATURE) || fields.contains(FormFields.ACCESS_KEY_ID);
  }

  private Identity verifyV4(FormFields fields) {
    if (!fields.required(FormFields.ALGORITHM).equals(SigV4.ALGORITHM)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, FormFields.ALGORITHM + " must be " + SigV4.ALGORITHM);
    }
    return sigV4.verifyText(
        fields.required(FormFields.CREDENTIAL),
        fields.required(HttpNames.AMZ_DATE),
        fields.required(FormFields.POLICY),
        fields.required(FormFields.V4_SIGNATURE));
  }

  private Identity verifyV2(FormFields fields) {
    String policy = fields.required(FormFields.POLICY);
    String signature = fields.required(FormFields.SIGNATURE);
    String id = fields.required(FormFields.ACCESS_KEY_ID);
    if (!allowsV2) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "auth.form-signature-v2 is off here; sign the policy with " + SigV4.ALGORITHM);
    }
    AccessKey key = credentials.require(id);
    if (!Crypto.sameInConstantTime(Crypto.signatureV2(key.secret(), policy), signature)) {
      throw new S3Exception(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH).withDetail("AWSAccessKeyId", id);
    }
    return new Identity(key.id(), key.account(), key.grants(), Set.of());
  }
}
