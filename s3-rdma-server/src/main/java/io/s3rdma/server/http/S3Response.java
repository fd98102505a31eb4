package io.s3rdma.server.http;

import java.nio.charset.StandardCharsets;

/**
 * An answer as a value. An answer with a content owns it until the pipeline takes it.
 *
 * @param transport label for metrics: what carried the object's bytes
 * @param transportBytes object bytes moved outside the HTTP body, 0 for plain HTTP
 */
public record S3Response(
    int status, Headers headers, ResponseBody body, String transport, long transportBytes) {
  public static final String HTTP = "http";
  private static final ResponseBody NOTHING = new ResponseBody.None(0);

  public static S3Response of(int status) {
    return new S3Response(status, Headers.EMPTY, NOTHING, HTTP, 0);
  }

  public static S3Response of(int status, Headers headers) {
    return new S3Response(status, headers, NOTHING, HTTP, 0);
  }

  public static S3Response xml(int status, String document) {
    return of(status)
        .withHeader(HttpNames.CONTENT_TYPE, "application/xml")
        .withBytes(document.getBytes(StandardCharsets.UTF_8));
  }

  public S3Response withHeader(String name, String value) {
    return new S3Response(status, headers.with(name, value), body, transport, transportBytes);
  }

  public S3Response withHeaders(Headers more) {
    Headers.Builder all = Headers.builder();
    headers.forEach(all::add);
    more.forEach(all::add);
    return new S3Response(status, all.build(), body, transport, transportBytes);
  }

  public S3Response withBytes(byte[] content) {
    return with(new ResponseBody.Bytes(content));
  }

  /** States the length of an object whose bytes do not follow: for HEAD. */
  public S3Response withLengthOnly(long length) {
    return with(new ResponseBody.None(length));
  }

  /** Sends {@code length} bytes of the content from {@code offset} on, and owns the content. */
  public S3Response withContent(ObjectContent content, long offset, long length) {
    return with(new ResponseBody.Content(content, offset, length));
  }

  /** Says that {@code bytes} of the object went by {@code label} and not in the body. */
  public S3Response withTransport(String label, long bytes) {
    return new S3Response(status, headers, body, label, bytes);
  }

  /** Frees what the answer holds; for an answer that nobody will get. */
  public void discard() {
    if (body instanceof ResponseBody.Content held) {
      Owners.close(held.content());
    }
  }

  private S3Response with(ResponseBody other) {
    return new S3Response(status, headers, other, transport, transportBytes);
  }
}
