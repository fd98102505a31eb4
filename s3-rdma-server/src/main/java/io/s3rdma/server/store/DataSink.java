package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Takes bytes into memory and, from {@code inlineBytesMax} on, into a temporary file, encrypted if
 * they are to be; the MD5 is over what came, the CRC over what is stored. One thread.
 *
 * <pre>
 *   OPEN --finish--> FINISHED --taken--> TAKEN
 *     \------close-----+--> CLOSED: nothing is left of it
 * </pre>
 */
final class DataSink implements AutoCloseable {
  private enum State {
    OPEN,
    FINISHED,
    TAKEN,
    CLOSED
  }

  private final DataFiles files;
  private final String id = DataFiles.newId();
  private final long expectedLength;
  private final int inlineBytesMax;
  private final MessageDigest digest;
  private final SinkCipher cipher;
  private final CRC32C crc = new CRC32C();
  private ByteArrayOutputStream memory;
  private FileChannel file;
  private long written;
  private byte[] md5;
  private State state = State.OPEN;

  /** {@code inlineBytesMax} -1 for always a file. */
  DataSink(
      DataFiles files, long expectedLength, int inlineBytesMax, EtagKind etag, SinkCipher cipher)
      throws IOException {
    this.files = files;
    this.expectedLength = expectedLength;
    this.inlineBytesMax = inlineBytesMax;
    this.digest = etag == EtagKind.MD5 ? newMd5() : null;
    this.cipher = cipher;
    if (expectedLength > inlineBytesMax) {
      file = create();
    } else {
      memory = new ByteArrayOutputStream((int) Math.max(expectedLength, 32));
    }
  }

  void write(ByteBuffer bytes) throws IOException {
    if (state != State.OPEN || md5 != null) {
      throw new IllegalStateException("write to data " + id + " after its end");
    }
    if (expectedLength >= 0 && written + bytes.remaining() > expectedLength) {
      throw new StoreException(
          Reason.WRONG_LENGTH, "more than the announced " + expectedLength + " bytes came");
    }
    if (digest != null) {
      digest.update(bytes.duplicate());
    }
    long position = written;
    written += bytes.remaining();
    if (file == null && written > inlineBytesMax) {
      spill();
    }
    if (cipher == SinkCipher.NONE) {
      keep(bytes);
    } else {
      cipher.encrypt(position, bytes, this::keep);
    }
  }

  private void keep(ByteBuffer bytes) throws IOException {
    if (file == null) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      memory.writeBytes(copy);
    } else {
      toFile(bytes);
    }
  }

  private void spill() throws IOException {
    file = create();
    toFile(ByteBuffer.wrap(memory.toByteArray()));
    memory = null;
  }

  private void toFile(ByteBuffer bytes) throws IOException {
    crc.update(bytes.duplicate());
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
  }

  private FileChannel create() throws IOException {
    try {
      return files.createTemporary(id);
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
  }

  long written() {
    return written;
  }

  byte[] md5() {
    if (digest == null) {
      throw new IllegalStateException("no MD5 was asked for");
    }
    if (md5 == null) {
      md5 = digest.digest();
    }
    return md5.clone();
  }

  /** The MD5 or, where none was asked for or nobody may learn it, what is none. */
  String etag() {
    return digest == null
        ? UUID.randomUUID().toString().replace("-", "") + "-1"
        : cipher.etag(md5());
  }

  SinkCipher cipher() {
    return cipher;
  }

  /** All bytes came: makes them durable. */
  StoredData finish() throws IOException {
    if (state != State.OPEN) {
      throw new IllegalStateException("second commit of data " + id);
    }
    if (expectedLength >= 0 && written != expectedLength) {
      throw new StoreException(
          Reason.WRONG_LENGTH, written + " of " + expectedLength + " announced bytes came");
    }
    byte[] inline = null;
    if (file == null) {
      inline = memory.toByteArray();
    } else {
      publish();
    }
    state = State.FINISHED;
    return new StoredData(id, written, (int) crc.getValue(), inline);
  }

  private void publish() throws IOException {
    try {
      files.publish(id, file);
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
  }

  /**
   * The metadata names the data now, or may: where a write of metadata failed half-way, the next
   * start decides.
   */
  void taken() {
    state = State.TAKEN;
  }

  @Override
  public void close() throws IOException {
    State was = state;
    state = State.CLOSED;
    if (file == null || was == State.CLOSED) {
      return;
    }
    file.close();
    if (was == State.OPEN) {
      files.removeTemporary(id);
      files.remove(id); // where publishing failed behind the move
    } else if (was == State.FINISHED) {
      files.remove(id);
    }
  }

  private static MessageDigest newMd5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5", e);
    }
  }
}
