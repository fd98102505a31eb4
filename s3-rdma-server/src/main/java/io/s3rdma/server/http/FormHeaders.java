package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Turns the fields of a form into the headers of the PUT that they stand for, so that whatever
 * judges or carries out a PUT does so for a form.
 */
final class FormHeaders {
  private static final Set<String> SAME =
      Set.of(
          HttpNames.CACHE_CONTROL,
          HttpNames.CONTENT_DISPOSITION,
          HttpNames.CONTENT_ENCODING,
          HttpNames.CONTENT_LANGUAGE,
          HttpNames.CONTENT_MD5,
          HttpNames.CONTENT_TYPE,
          HttpNames.EXPIRES,
          HttpNames.AMZ_ACL,
          HttpNames.AMZ_SDK_CHECKSUM_ALGORITHM,
          HttpNames.AMZ_STORAGE_CLASS);
  private static final List<String> SAME_PREFIXES =
      List.of(
          HttpNames.AMZ_META_PREFIX,
          HttpNames.AMZ_CHECKSUM_PREFIX,
          "x-amz-grant-",
          "x-amz-object-lock-",
          HttpNames.AMZ_SSE,
          "x-amz-website-redirect-location");

  /** Of the request itself: where it comes from, and what it expects. */
  private static final Set<String> OF_REQUEST =
      Set.of(
          HttpNames.HOST,
          "origin",
          "referer",
          "user-agent",
          HttpNames.AMZ_EXPECTED_BUCKET_OWNER,
          RequestHead.RDMA_TOKEN);

  private static final Map<String, String> RENAMED = Map.of(FormFields.ACL, HttpNames.AMZ_ACL);

  private FormHeaders() {}

  /** The head of the PUT. {@code tagging} makes a header of a Tagging document. */
  static RequestHead put(
      RequestHead head, String bucket, FormFields fields, UnaryOperator<String> tagging) {
    Headers.Builder headers = Headers.builder();
    head.headers()
        .forEach(
            (name, value) -> {
              if (OF_REQUEST.contains(name)) {
                headers.add(name, value);
              }
            });
    // How long the file is, only its end says.
    headers.add(HttpNames.TRANSFER_ENCODING, "chunked");
    fields.forEach((name, value) -> add(headers, name, value));
    fields
        .first(FormFields.TAGGING)
        .ifPresent(tags -> headers.add(HttpNames.AMZ_TAGGING, tagging.apply(tags)));
    return new RequestHead(
        "PUT",
        "/" + UriCodec.encode(fields.required(FormFields.KEY), true),
        "",
        QueryParameters.parse(""),
        headers.build(),
        head.remote(),
        head.requestId(),
        bucket,
        head.receivedNanos(),
        head.local(),
        head.isSecure());
  }

  private static void add(Headers.Builder headers, String name, String value) {
    String header = RENAMED.getOrDefault(name, name);
    if (SAME.contains(header) || SAME_PREFIXES.stream().anyMatch(header::startsWith)) {
      headers.add(name(header), value(header, value));
    } else if (header.startsWith(HttpNames.AMZ_PREFIX)
        && !FormFields.AUTHENTICATION.contains(header)) {
      throw new S3Exception(
          S3ErrorCode.NOT_IMPLEMENTED, "a form's field " + header + " is not implemented here");
    }
  }

  private static String name(String header) {
    if (!HeaderParameters.isToken(header)) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "a field's name can be no header");
    }
    return header;
  }

  /** A field may hold anything; a header may not, and has an octet for a character. */
  private static String value(String header, String value) {
    if (HeaderParameters.hasControls(value)) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "the field holds control characters")
          .withDetail("ArgumentName", header);
    }
    return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
