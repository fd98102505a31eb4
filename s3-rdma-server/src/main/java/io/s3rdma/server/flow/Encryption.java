package io.s3rdma.server.flow;

import io.s3rdma.server.document.EncryptionDocument;
import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.StoredObject;
import io.s3rdma.server.store.UploadMeta;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * What requests say of server-side encryption, and what answers say of it. A request that does not
 * mention it costs one look at its headers' names.
 */
final class Encryption {
  static final String AES256 = "AES256";

  /** Of the headers that {@link #isMention} knows, those that are not refused with 501. */
  static final Set<String> SERVED =
      Set.of(
          HttpNames.AMZ_SSE,
          CustomerKeyHeaders.OWN.algorithm(),
          CustomerKeyHeaders.OWN.key(),
          CustomerKeyHeaders.OWN.md5(),
          CustomerKeyHeaders.SOURCE.algorithm(),
          CustomerKeyHeaders.SOURCE.key(),
          CustomerKeyHeaders.SOURCE.md5());

  private final ObjectStore store;
  private final boolean allowKeysOverHttp;

  Encryption(ObjectStore store, boolean allowKeysOverHttp) {
    this.store = store;
    this.allowKeysOverHttp = allowKeysOverHttp;
  }

  static boolean isMention(String header) {
    return header.startsWith(HttpNames.AMZ_SSE) || header.startsWith(HttpNames.AMZ_COPY_SOURCE_SSE);
  }

  private static boolean isMentioned(Headers headers) {
    return headers.anyName(Encryption::isMention);
  }

  /** Whether a new object is to be encrypted by its own headers, and not by its bucket. */
  static boolean isAsked(Headers headers) {
    return headers.contains(HttpNames.AMZ_SSE) || CustomerKeyHeaders.OWN.areIn(headers);
  }

  // ---- writes ----

  /** How the object that the request makes is to be kept. */
  Protection wanted(S3Request request) throws IOException {
    return wanted(request.headers(), request.head().isSecure(), request.bucket());
  }

  /** The same by headers, or fields of a form, that came by TLS or not. */
  Protection wanted(Headers headers, boolean isSecure, String bucket) throws IOException {
    if (!isMentioned(headers)) {
      return byDefault(bucket);
    }
    refuseStraySourceKey(headers);
    Optional<String> byServer = headers.first(HttpNames.AMZ_SSE);
    Optional<CustomerKey> key = key(CustomerKeyHeaders.OWN, headers, isSecure);
    if (byServer.isPresent()) {
      requireAes256(byServer.get());
      if (key.isPresent()) {
        throw invalidArgument(HttpNames.AMZ_SSE, "does not go with a customer's key");
      }
      return Protection.SERVER;
    }
    return key.isPresent() ? new Protection.Customer(key.get()) : byDefault(bucket);
  }

  private Protection byDefault(String bucket) throws IOException {
    boolean isOn = store.bucket(bucket).filter(EncryptionDocument::isOn).isPresent();
    return isOn ? Protection.SERVER : Protection.NONE;
  }

  private static void requireAes256(String algorithm) {
    switch (algorithm) {
      case AES256 -> {}
      case "aws:kms", "aws:kms:dsse", "aws:fsx" ->
          throw new S3Exception(
              S3ErrorCode.NOT_IMPLEMENTED, "the encryption " + algorithm + " is not there");
      default -> throw invalidArgument(HttpNames.AMZ_SSE, "must be AES256");
    }
  }

  /** The key of a part, which must be that of its upload. */
  Optional<CustomerKey> partKey(S3Request request, UploadMeta upload) {
    Optional<CustomerKey> key = readKey(request);
    if (key.isEmpty() && upload.sealedKey().kind() == SealedKey.Kind.CUSTOMER) {
      throw invalid("the upload was created with a customer's key; its parts need the same");
    }
    requireFits(key, upload.sealedKey(), "the upload was created without a customer's key");
    return key;
  }

  /** To complete an upload nobody needs its key; one that is given must be it. */
  void requireKey(S3Request request, UploadMeta upload) {
    requireFits(
        readKey(request), upload.sealedKey(), "the upload was created without a customer's key");
  }

  // ---- reads ----

  /** Refuses a key that is missing, not needed or not the one; then the bytes can be read. */
  void unlock(S3Request request, StoredObject object) throws IOException {
    unlock(object, readKey(request));
  }

  /** The same for the source of a copy. */
  void unlockSource(S3Request request, StoredObject object) throws IOException {
    unlock(object, key(CustomerKeyHeaders.SOURCE, request.headers(), request.head().isSecure()));
  }

  private static void unlock(StoredObject object, Optional<CustomerKey> key) throws IOException {
    requireGiven(key, object.meta());
    if (key.isPresent()) {
      object.unlock(key.get());
    }
  }

  /** The same where only metadata are told. */
  void requireKey(S3Request request, ObjectMeta meta) {
    Optional<CustomerKey> key = readKey(request);
    requireGiven(key, meta);
    requireFits(key, meta.sealedKey(), "");
  }

  private static void requireGiven(Optional<CustomerKey> key, ObjectMeta meta) {
    boolean isNeeded = meta.sealedKey().kind() == SealedKey.Kind.CUSTOMER;
    if (isNeeded && key.isEmpty()) {
      throw invalid("the object is encrypted with a customer's key, which must be given");
    }
    if (!isNeeded && key.isPresent()) {
      throw invalid("the object is not encrypted with a customer's key");
    }
  }

  private static void requireFits(Optional<CustomerKey> key, SealedKey sealed, String notNeeded) {
    if (key.isEmpty()) {
      return;
    }
    if (sealed.kind() != SealedKey.Kind.CUSTOMER) {
      throw invalid(notNeeded);
    }
    if (key.get().open(sealed).isEmpty()) {
      throw invalid("the encryption key is not the one it was stored with");
    }
  }

  /** For requests that make no object; how that one is encrypted is not theirs to say. */
  private Optional<CustomerKey> readKey(S3Request request) {
    if (!isMentioned(request.headers())) {
      return Optional.empty();
    }
    refuseStraySourceKey(request.headers());
    if (request.headers().contains(HttpNames.AMZ_SSE)) {
      throw invalidArgument(HttpNames.AMZ_SSE, "is not for this operation");
    }
    return key(CustomerKeyHeaders.OWN, request.headers(), request.head().isSecure());
  }

  private Optional<CustomerKey> key(CustomerKeyHeaders names, Headers headers, boolean isSecure) {
    if (!names.areIn(headers)) {
      return Optional.empty();
    }
    if (!isSecure && !allowKeysOverHttp) {
      throw invalid(
          "a customer's key must come by HTTPS; see encryption.allow-customer-keys-over-http");
    }
    return names.parse(headers);
  }

  private static void refuseStraySourceKey(Headers headers) {
    boolean isCopy = headers.contains(HttpNames.AMZ_COPY_SOURCE);
    if (!isCopy && CustomerKeyHeaders.SOURCE.areIn(headers)) {
      throw invalidArgument(HttpNames.AMZ_COPY_SOURCE_SSE + "*", "is for copies only");
    }
  }

  private static S3Exception invalid(String message) {
    return new S3Exception(S3ErrorCode.INVALID_REQUEST, message);
  }

  static S3Exception invalidArgument(String header, String problem) {
    return new S3Exception(S3ErrorCode.INVALID_ARGUMENT, header + " " + problem)
        .withDetail("ArgumentName", header);
  }

  // ---- answers ----

  /**
   * The headers with what is said of the encryption.
   *
   * @param asked of the request, whose key was found to be the right one
   */
  static Headers stated(Headers headers, SealedKey sealed, Headers asked) {
    return switch (sealed.kind()) {
      case NONE -> headers;
      case SERVER -> headers.with(HttpNames.AMZ_SSE, AES256);
      case CUSTOMER ->
          asked
              .first(CustomerKeyHeaders.OWN.md5())
              .map(
                  md5 ->
                      headers
                          .with(CustomerKeyHeaders.OWN.algorithm(), AES256)
                          .with(CustomerKeyHeaders.OWN.md5(), md5))
              .orElse(headers);
    };
  }
}
