package io.s3rdma.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * What a PUT says, said by the requests of a multipart upload: the object's properties when it is
 * created, conditions when it is completed. What none of them can say is refused.
 */
final class MultipartRequests {
  // Said by the requests themselves, by the bytes, or by the completion below.
  private static final Set<String> ELSEWHERE =
      Set.of("Bucket", "Key", "Body", "ContentLength", "IfMatch", "IfNoneMatch");

  private final PutObjectRequest put;
  private final boolean checksum;

  MultipartRequests(PutObjectRequest put, boolean checksum) {
    this.put = put;
    this.checksum = checksum;
  }

  CreateMultipartUploadRequest create() {
    CreateMultipartUploadRequest.Builder create =
        CreateMultipartUploadRequest.builder().bucket(put.bucket()).key(put.key());
    Map<String, SdkField<?>> known = new HashMap<>();
    ((SdkPojo) create).sdkFields().forEach(field -> known.put(field.memberName(), field));
    for (SdkField<?> field : put.sdkFields()) {
      Object value = field.getValueOrDefault(put);
      if (value == null || isEmpty(value) || ELSEWHERE.contains(field.memberName())) {
        continue;
      }
      SdkField<?> same = known.get(field.memberName());
      if (same == null) {
        throw new IllegalArgumentException(
            field.memberName() + " cannot be said of an object that is put in parts");
      }
      same.set(create, value);
    }
    if (checksum) {
      create.checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
    }
    return create.build();
  }

  /** The SDK's own empty maps stand for none. */
  private static boolean isEmpty(Object value) {
    return value instanceof Map<?, ?> map && map.isEmpty();
  }

  UploadPartRequest part(String uploadId, int number) {
    return UploadPartRequest.builder()
        .bucket(put.bucket())
        .key(put.key())
        .uploadId(uploadId)
        .partNumber(number)
        .build();
  }

  CompleteMultipartUploadRequest complete(String uploadId, List<CompletedPart> parts) {
    return CompleteMultipartUploadRequest.builder()
        .bucket(put.bucket())
        .key(put.key())
        .uploadId(uploadId)
        .ifMatch(put.ifMatch())
        .ifNoneMatch(put.ifNoneMatch())
        .multipartUpload(m -> m.parts(parts))
        .build();
  }
}
