package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectAttributesResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Multipart uploads through the unmodified SDK. */
class SdkMultipartIT {
  private static final String BUCKET = "parts";
  private static final int PART = 5 << 20;
  private static final byte[] CONTENT = new byte[2 * PART + 7];

  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    new Random(3).nextBytes(CONTENT);
    server = TestServer.start(directory);
    s3 = server.client();
    s3.createBucket(b -> b.bucket(BUCKET));
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @Test
  void shouldGiveBackWhenCompletedWithGaps() {
    String id =
        s3.createMultipartUpload(
                b ->
                    b.bucket(BUCKET)
                        .key("gaps")
                        .contentType("text/plain")
                        .tagging("a=1")
                        .metadata(Map.of("name", "value")))
            .uploadId();
    // Out of order, and one part twice: the last one counts.
    CompletedPart last = upload("gaps", id, 100, 2 * PART, CONTENT.length);
    upload("gaps", id, 7, 0, PART);
    CompletedPart second = upload("gaps", id, 7, PART, 2 * PART);
    upload("gaps", id, 50, 0, 3);
    CompletedPart first = upload("gaps", id, 2, 0, PART);

    CompleteMultipartUploadResponse done = complete("gaps", id, List.of(first, second, last));

    assertThat(done.eTag()).endsWith("-3\"");
    ResponseBytes<GetObjectResponse> got = get("gaps", null);
    assertThat(got.asByteArray()).isEqualTo(CONTENT);
    assertThat(got.response().eTag()).isEqualTo(done.eTag());
    assertThat(got.response().partsCount()).isNull();
    assertThat(got.response().contentType()).isEqualTo("text/plain");
    assertThat(got.response().metadata()).isEqualTo(Map.of("name", "value"));
    assertThat(got.response().tagCount()).isEqualTo(1);
    String across = "bytes=" + (PART - 2) + "-" + (2 * PART + 1);
    assertThat(get("gaps", across).asByteArray())
        .isEqualTo(Arrays.copyOfRange(CONTENT, PART - 2, 2 * PART + 2));
    requireParts("gaps", done.eTag());
  }

  /** Clients walk from part 1 to the count, whatever numbers were uploaded (s3-bugs 20). */
  private static void requireParts(String key, String etag) {
    int[] ends = {0, PART, 2 * PART, CONTENT.length};
    for (int part = 1; part <= 3; part++) {
      int number = part;
      ResponseBytes<GetObjectResponse> got =
          s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key).partNumber(number));
      HeadObjectResponse head = s3.headObject(b -> b.bucket(BUCKET).key(key).partNumber(number));

      assertThat(got.asByteArray())
          .isEqualTo(Arrays.copyOfRange(CONTENT, ends[part - 1], ends[part]));
      assertThat(got.response().partsCount()).isEqualTo(3);
      assertThat(got.response().sdkHttpResponse().statusCode()).isEqualTo(206);
      assertThat(got.response().contentRange())
          .isEqualTo("bytes " + ends[part - 1] + "-" + (ends[part] - 1) + "/" + CONTENT.length);
      assertThat(head.partsCount()).isEqualTo(3);
      assertThat(head.contentLength()).isEqualTo(ends[part] - ends[part - 1]);
      assertThat(head.eTag()).isEqualTo(etag);
    }
    assertThatThrownBy(() -> s3.headObject(b -> b.bucket(BUCKET).key(key).partNumber(4)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(400));
  }

  @Test
  void shouldAnswerAttributesInPagesWhenMadeOfParts() {
    String id = begin("attributes");
    List<CompletedPart> parts = uploadAll("attributes", id);
    complete("attributes", id, parts);

    GetObjectAttributesResponse all =
        s3.getObjectAttributes(
            b ->
                b.bucket(BUCKET)
                    .key("attributes")
                    .objectAttributes(
                        ObjectAttributes.OBJECT_SIZE,
                        ObjectAttributes.OBJECT_PARTS,
                        ObjectAttributes.CHECKSUM));
    GetObjectAttributesResponse second =
        s3.getObjectAttributes(
            b ->
                b.bucket(BUCKET)
                    .key("attributes")
                    .maxParts(1)
                    .partNumberMarker(1)
                    .objectAttributes(ObjectAttributes.OBJECT_PARTS));

    assertThat(all.objectSize()).isEqualTo(CONTENT.length);
    assertThat(all.objectParts().totalPartsCount()).isEqualTo(3);
    assertThat(all.objectParts().isTruncated()).isFalse();
    assertThat(all.objectParts().parts().get(2).size()).isEqualTo(7);
    assertThat(all.checksum().checksumTypeAsString()).isEqualTo("COMPOSITE");
    assertThat(all.objectParts().parts().get(0).checksumCRC32())
        .isEqualTo(parts.get(0).checksumCRC32());
    assertThat(second.objectParts().isTruncated()).isTrue();
    assertThat(second.objectParts().nextPartNumberMarker()).isEqualTo(2);
    assertThat(second.objectParts().parts()).hasSize(1);
    assertThat(second.objectParts().parts().get(0).partNumber()).isEqualTo(2);
  }

  @Test
  void shouldAnswerTheSameWhenCompletedAgain() {
    String id = begin("again");
    List<CompletedPart> parts = uploadAll("again", id);
    CompleteMultipartUploadResponse first = complete("again", id, parts);

    CompleteMultipartUploadResponse second = complete("again", id, parts);

    assertThat(second.eTag()).isEqualTo(first.eTag());
    assertThat(second.checksumCRC32()).isEqualTo(first.checksumCRC32());
    assertThat(second.checksumTypeAsString()).isEqualTo(first.checksumTypeAsString());
    assertThatThrownBy(() -> complete("again", id, parts.subList(0, 2)))
        .satisfies(refusal(404, "NoSuchUpload"));
    assertThatThrownBy(() -> upload("again", id, 1, 0, 1)).satisfies(refusal(404, "NoSuchUpload"));
  }

  @Test
  void shouldRefuseWhenPartsAreNotAsClaimed() {
    String id = begin("wrong");
    List<CompletedPart> parts = uploadAll("wrong", id);
    CompletedPart first = parts.get(0);
    CompletedPart small = upload("wrong", id, 9, 0, 3);

    requireRefused(id, "MalformedXML", List.of());
    requireRefused(id, "InvalidPartOrder", List.of(parts.get(1), first));
    requireRefused(id, "InvalidPart", List.of(first.toBuilder().eTag("\"x\"").build()));
    requireRefused(id, "InvalidPart", List.of(first.toBuilder().partNumber(4).build()));
    requireRefused(id, "InvalidPart", List.of(first.toBuilder().checksumCRC32("AAAAAA==").build()));
    requireRefused(id, "EntityTooSmall", List.of(first, small, upload("wrong", id, 10, 0, 3)));
    assertThatThrownBy(
            () -> complete("wrong", id, List.of(first), b -> b.mpuObjectSize((long) PART + 1)))
        .satisfies(refusal(400, "InvalidRequest"));
    assertThatThrownBy(() -> s3.headObject(b -> b.bucket(BUCKET).key("wrong")))
        .isInstanceOf(S3Exception.class);
    assertThat(complete("wrong", id, parts, b -> b.mpuObjectSize((long) CONTENT.length)).eTag())
        .isNotEmpty();
  }

  private static void requireRefused(String id, String code, List<CompletedPart> parts) {
    assertThatThrownBy(() -> complete("wrong", id, parts)).satisfies(refusal(400, code));
  }

  @Test
  void shouldDecideWhenCompletionIsConditional() {
    String first = begin("once");
    List<CompletedPart> parts = uploadAll("once", first);
    String second = begin("once");
    List<CompletedPart> others = uploadAll("once", second);

    String etag = complete("once", first, parts, b -> b.ifNoneMatch("*")).eTag();

    assertThatThrownBy(() -> complete("once", second, others, b -> b.ifNoneMatch("*")))
        .satisfies(refusal(412, "PreconditionFailed"));
    assertThatThrownBy(() -> complete("once", second, others, b -> b.ifMatch("\"x\"")))
        .satisfies(refusal(412, "PreconditionFailed"));
    assertThat(complete("once", second, others, b -> b.ifMatch(etag)).eTag()).isEqualTo(etag);
  }

  @Test
  void shouldListPartsInPagesWhenAsked() {
    String id = begin("pages");
    for (int number : new int[] {5, 1, 4, 2, 3}) {
      upload("pages", id, number, 0, number);
    }
    List<Integer> found = new ArrayList<>();
    Integer marker = null;
    ListPartsResponse page;
    do {
      Integer from = marker;
      page =
          s3.listParts(
              b -> b.bucket(BUCKET).key("pages").uploadId(id).maxParts(2).partNumberMarker(from));
      page.parts().stream().map(Part::partNumber).forEach(found::add);
      marker = page.nextPartNumberMarker();
    } while (page.isTruncated());

    assertThat(found).containsExactly(1, 2, 3, 4, 5);
    ListPartsResponse capped =
        s3.listParts(b -> b.bucket(BUCKET).key("pages").uploadId(id).maxParts(100_000));
    assertThat(capped.maxParts()).isEqualTo(1000);
    assertThat(capped.isTruncated()).isFalse();
    assertThat(capped.parts().get(4).size()).isEqualTo(5);
    assertThat(capped.parts().get(4).checksumCRC32()).isNotNull();
    assertThat(capped.checksumAlgorithmAsString()).isEqualTo("CRC32");
  }

  @Test
  void shouldListUploadsInPagesWhenAsked() {
    s3.createBucket(b -> b.bucket("uploads"));
    List<String> wanted = new ArrayList<>();
    for (String key : new String[] {"a/1", "a/2", "b", "b", "c d"}) {
      wanted.add(
          key + " " + s3.createMultipartUpload(b -> b.bucket("uploads").key(key)).uploadId());
    }
    List<String> found = new ArrayList<>();
    ListMultipartUploadsResponse page =
        s3.listMultipartUploads(b -> b.bucket("uploads").maxUploads(2));
    page.uploads().forEach(upload -> found.add(upload.key() + " " + upload.uploadId()));
    while (page.isTruncated()) {
      ListMultipartUploadsResponse before = page;
      page =
          s3.listMultipartUploads(
              b ->
                  b.bucket("uploads")
                      .maxUploads(2)
                      .keyMarker(before.nextKeyMarker())
                      .uploadIdMarker(before.nextUploadIdMarker()));
      page.uploads().forEach(upload -> found.add(upload.key() + " " + upload.uploadId()));
    }

    assertThat(found).containsExactlyElementsOf(wanted);
    ListMultipartUploadsResponse folders =
        s3.listMultipartUploads(b -> b.bucket("uploads").delimiter("/").encodingType("url"));
    assertThat(folders.commonPrefixes()).hasSize(1);
    assertThat(folders.uploads()).extracting(MultipartUpload::key).containsExactly("b", "b", "c d");
    assertThat(s3.listMultipartUploads(b -> b.bucket("uploads").prefix("a/")).uploads()).hasSize(2);
  }

  @Test
  void shouldForgetWhenAborted() {
    String id = begin("aborted");
    CompletedPart part = upload("aborted", id, 1, 0, 10);
    s3.abortMultipartUpload(b -> b.bucket(BUCKET).key("aborted").uploadId(id));

    assertThatThrownBy(() -> complete("aborted", id, List.of(part)))
        .satisfies(refusal(404, "NoSuchUpload"));
    assertThatThrownBy(
            () -> s3.abortMultipartUpload(b -> b.bucket(BUCKET).key("aborted").uploadId(id)))
        .satisfies(refusal(404, "NoSuchUpload"));
    assertThatThrownBy(() -> s3.listParts(b -> b.bucket(BUCKET).key("aborted").uploadId(id)))
        .satisfies(refusal(404, "NoSuchUpload"));
  }

  @Test
  void shouldCopyRangesWhenPartsAreOfAnotherObject() {
    s3.putObject(b -> b.bucket(BUCKET).key("from"), RequestBody.fromBytes(CONTENT));
    String id = begin("copied");
    CompletedPart first = copyPart(id, 1, "bytes=0-" + (PART - 1));
    CompletedPart second = copyPart(id, 2, "bytes=" + PART + "-" + (CONTENT.length - 1));
    complete("copied", id, List.of(first, second));

    assertThat(get("copied", null).asByteArray()).isEqualTo(CONTENT);
    for (String range : new String[] {"0-2", "bytes=0", "bytes=0-", "bytes=-2", "bytes=0-1,3-4"}) {
      assertThatThrownBy(() -> copyPart(begin("copied"), 1, range))
          .satisfies(refusal(400, "InvalidArgument"));
    }
    assertThatThrownBy(() -> copyPart(begin("copied"), 1, "bytes=0-" + CONTENT.length))
        .satisfies(refusal(416, "InvalidRange"));
  }

  private static CompletedPart copyPart(String id, int number, String range) {
    var result =
        s3.uploadPartCopy(
                b ->
                    b.sourceBucket(BUCKET)
                        .sourceKey("from")
                        .destinationBucket(BUCKET)
                        .destinationKey("copied")
                        .uploadId(id)
                        .partNumber(number)
                        .copySourceRange(range))
            .copyPartResult();
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(result.eTag())
        .checksumCRC32(result.checksumCRC32())
        .build();
  }

  private static String begin(String key) {
    return s3.createMultipartUpload(
            b -> b.bucket(BUCKET).key(key).checksumAlgorithm(ChecksumAlgorithm.CRC32))
        .uploadId();
  }

  private static List<CompletedPart> uploadAll(String key, String id) {
    return List.of(
        upload(key, id, 1, 0, PART),
        upload(key, id, 2, PART, 2 * PART),
        upload(key, id, 3, 2 * PART, CONTENT.length));
  }

  private static CompletedPart upload(String key, String id, int number, int from, int to) {
    var answer =
        s3.uploadPart(
            b -> b.bucket(BUCKET).key(key).uploadId(id).partNumber(number),
            RequestBody.fromBytes(Arrays.copyOfRange(CONTENT, from, to)));
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(answer.eTag())
        .checksumCRC32(answer.checksumCRC32())
        .build();
  }

  private static CompleteMultipartUploadResponse complete(
      String key, String id, List<CompletedPart> parts) {
    return complete(key, id, parts, b -> {});
  }

  private static CompleteMultipartUploadResponse complete(
      String key,
      String id,
      List<CompletedPart> parts,
      Consumer<CompleteMultipartUploadRequest.Builder> more) {
    return s3.completeMultipartUpload(
        b -> {
          b.bucket(BUCKET).key(key).uploadId(id).multipartUpload(u -> u.parts(parts));
          more.accept(b);
        });
  }

  private static ResponseBytes<GetObjectResponse> get(String key, String range) {
    return s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key).range(range));
  }

  private static Consumer<Throwable> refusal(int status, String code) {
    return e ->
        assertThat(e)
            .isInstanceOfSatisfying(
                S3Exception.class,
                s3e -> {
                  assertThat(s3e.awsErrorDetails().errorCode()).isEqualTo(code);
                  assertThat(s3e.statusCode()).isEqualTo(status);
                });
  }
}
