package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;

/**
 * Takes the aws-chunked framing off a body and verifies the chain of signatures.
 *
 * <pre>
 *   hex-size [;chunk-signature=64 hex] CRLF  data CRLF   ...   0 [;chunk-signature=...] CRLF
 *   name:value CRLF ...  [x-amz-trailer-signature:64 hex CRLF]  CRLF
 * </pre>
 *
 * <p>A chunk's bytes go out before its signature is known to hold, so a caller must make nothing
 * visible before {@link #read} has returned -1.
 */
final class AwsChunkedBody implements RequestBody {
  private static final int LINE_MAX = 1024;
  private static final int TRAILERS_MAX = 16;
  private static final String SIGNATURE = ";chunk-signature=";

  private final RequestBody raw;
  private final long length;
  private final ChunkSigner signer;
  private final Set<String> announced;
  private final MessageDigest digest = Crypto.digest("SHA-256");
  private final ByteBuffer in = ByteBuffer.allocate(16 * 1024).flip();
  private long decoded;
  private long chunkLeft;
  private String chunkSignature;
  private boolean inChunk;
  private boolean ended;
  private Headers trailers = Headers.EMPTY;

  /** {@code signer} is null where chunks are not signed. */
  AwsChunkedBody(RequestBody raw, long length, ChunkSigner signer, Set<String> announced) {
    this.raw = raw;
    this.length = length;
    this.signer = signer;
    this.announced = announced;
  }

  @Override
  public Headers trailers() {
    return trailers;
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    while (!ended) {
      if (!inChunk) {
        startChunk();
      } else if (chunkLeft > 0) {
        return readData(dst);
      } else {
        endChunk();
      }
    }
    return -1;
  }

  private void startChunk() throws IOException {
    String line = readLine();
    int extension = line.indexOf(';');
    String size = extension < 0 ? line : line.substring(0, extension);
    if (!size.matches("[0-9a-fA-F]{1,15}")) {
      throw bad("a chunk has no size in hex");
    }
    chunkLeft = Long.parseLong(size, 16);
    if (chunkLeft > length - decoded) {
      throw bad("the chunks hold more than x-amz-decoded-content-length=" + length);
    }
    if (signer != null) {
      if (extension < 0 || !line.startsWith(SIGNATURE, extension)) {
        throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "a chunk is not signed");
      }
      chunkSignature = line.substring(extension + SIGNATURE.length());
    }
    inChunk = true;
    if (chunkLeft == 0) {
      verifyChunk();
      finish();
    }
  }

  private int readData(ByteBuffer dst) throws IOException {
    int start = dst.position();
    int wanted = (int) Math.min(chunkLeft, dst.remaining());
    if (in.hasRemaining()) {
      int count = Math.min(wanted, in.remaining());
      dst.put(in.slice(in.position(), count));
      in.position(in.position() + count);
    } else {
      int limit = dst.limit();
      dst.limit(start + wanted);
      try {
        if (raw.read(dst) < 0) {
          throw incomplete();
        }
      } finally {
        dst.limit(limit);
      }
    }
    int count = dst.position() - start;
    if (signer != null) {
      digest.update(dst.slice(start, count));
    }
    chunkLeft -= count;
    decoded += count;
    return count;
  }

  private void endChunk() throws IOException {
    if (!readLine().isEmpty()) {
      throw bad("a chunk's data is longer than its size");
    }
    verifyChunk();
    inChunk = false;
  }

  private void verifyChunk() {
    if (signer != null) {
      signer.verifyChunk(Crypto.hex(digest.digest()), chunkSignature);
    }
  }

  private void finish() throws IOException {
    if (decoded != length) {
      throw bad("the chunks hold " + decoded + " of " + length + " bytes");
    }
    readTrailers();
    if (in.hasRemaining() || raw.read(in.clear()) >= 0) {
      throw bad("there are bytes behind the last chunk");
    }
    in.flip();
    ended = true;
  }

  private void readTrailers() throws IOException {
    Headers.Builder found = Headers.builder();
    StringBuilder canonical = new StringBuilder();
    String signature = null;
    int count = 0;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      if (colon <= 0 || ++count > TRAILERS_MAX) {
        throw new S3Exception(S3ErrorCode.MALFORMED_TRAILER);
      }
      String name = line.substring(0, colon).trim().toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).trim();
      if (name.equals(HttpNames.AMZ_TRAILER_SIGNATURE)) {
        signature = value;
      } else if (announced.contains(name)) {
        found.add(name, value);
        canonical.append(name).append(':').append(value).append('\n');
      } else {
        throw new S3Exception(S3ErrorCode.MALFORMED_TRAILER, "trailer " + name + " is a surprise");
      }
    }
    trailers = found.build();
    if (trailers.names().size() != announced.size()) {
      throw new S3Exception(S3ErrorCode.MALFORMED_TRAILER, "not all of " + announced + " came");
    }
    // Only the signed kind carries a signature over its trailer.
    if (signer != null && (signature != null || !announced.isEmpty())) {
      if (signature == null) {
        throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the trailer is not signed");
      }
      byte[] octets = canonical.toString().getBytes(StandardCharsets.ISO_8859_1);
      signer.verifyTrailer(Crypto.hex(digest.digest(octets)), signature);
    }
  }

  /** A line without its end. The end of the body counts as an empty line behind the last chunk. */
  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder(96);
    while (true) {
      if (!in.hasRemaining()) {
        in.clear();
        boolean atEnd = raw.read(in) < 0;
        in.flip();
        if (atEnd && inChunk && chunkLeft == 0 && decoded == length && line.isEmpty()) {
          return "";
        }
        if (atEnd) {
          throw incomplete();
        }
      }
      char c = (char) (in.get() & 0xff);
      if (c == '\n') {
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r'
            ? line.substring(0, end - 1)
            : line.toString();
      }
      if (line.length() >= LINE_MAX) {
        throw bad("a line of the framing is longer than " + LINE_MAX);
      }
      line.append(c);
    }
  }

  private S3Exception incomplete() {
    return bad("the body ended after " + decoded + " of " + length + " bytes");
  }

  private static S3Exception bad(String why) {
    return new S3Exception(S3ErrorCode.INCOMPLETE_BODY, "aws-chunked: " + why);
  }
}
