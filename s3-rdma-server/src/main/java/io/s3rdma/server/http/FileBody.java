package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The file of a form as a body; one of a length that is not allowed has no end. */
final class FileBody implements RequestBody {
  private final MultipartReader file;
  private final LengthRange lengths;
  private long count;

  private FileBody(MultipartReader file, LengthRange lengths) {
    this.file = file;
    this.lengths = lengths;
  }

  /** Decides by the length of the whole form where that is enough. */
  static FileBody of(RequestHead head, Form form, LengthRange lengths) {
    if (head.contentLength() >= 0) {
      long left = head.contentLength() - form.file().consumed() - form.file().endBytes();
      lengths.requireNotBelow(Math.max(left, 0));
      // What may follow the file is not known, but it is no more than what may stand before.
      lengths.requireNotAbove(left - Form.BYTES_MAX);
    }
    return new FileBody(form.file(), lengths);
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    int read = file.read(dst);
    if (read < 0) {
      lengths.requireNotBelow(count);
    } else {
      count += read;
      lengths.requireNotAbove(count);
    }
    return read;
  }
}
