package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

/** Writes one data file and hands it to the store at commit. */
final class LocalWriter implements ObjectWriter {
  private enum State {
    TEMPORARY,
    PUBLISHED,
    DONE
  }

  private final LocalStore store;
  private final DataFiles files;
  private final String bucket;
  private final String key;
  private final Map<String, String> attributes;
  private final long expectedLength;
  private final String id = DataFiles.newId();
  private final FileChannel channel;
  private final MessageDigest digest;
  private State state = State.TEMPORARY;
  private long written;
  private byte[] md5;

  LocalWriter(
      LocalStore store,
      DataFiles files,
      String bucket,
      String key,
      Map<String, String> attributes,
      long expectedLength,
      EtagKind etag)
      throws IOException {
    this.store = store;
    this.files = files;
    this.bucket = bucket;
    this.key = key;
    this.attributes = Map.copyOf(attributes);
    this.expectedLength = expectedLength;
    this.digest = etag == EtagKind.MD5 ? newDigest() : null;
    try {
      this.channel = files.createTemporary(id);
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5", e);
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (md5 != null) {
      throw new IllegalStateException("write behind the end of " + bucket + "/" + key);
    }
    if (expectedLength >= 0 && bytes.remaining() > expectedLength - written) {
      throw new StoreException(
          Reason.WRONG_LENGTH, "more than the announced " + expectedLength + " bytes came");
    }
    if (digest != null) {
      digest.update(bytes.duplicate());
    }
    written += bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public byte[] md5() {
    if (digest == null) {
      throw new IllegalStateException("no MD5 was asked for");
    }
    if (md5 == null) {
      md5 = digest.digest();
    }
    return md5.clone();
  }

  @Override
  public ObjectMeta commit(Preconditions preconditions, Map<String, String> checksums)
      throws IOException {
    if (state != State.TEMPORARY) {
      throw new IllegalStateException("second commit of " + bucket + "/" + key);
    }
    if (expectedLength >= 0 && written != expectedLength) {
      throw new StoreException(
          Reason.WRONG_LENGTH, written + " of " + expectedLength + " announced bytes came");
    }
    String etag = digest == null ? opaqueEtag() : HexFormat.of().formatHex(md5());
    try {
      files.publish(id, channel);
    } catch (IOException e) {
      throw DiskFull.translate(e);
    }
    state = State.PUBLISHED;
    ObjectMeta meta =
        new ObjectMeta(bucket, key, id, written, etag, store.now(), attributes, checksums);
    try {
      store.commit(meta, preconditions);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      // Whether the metadata reached the disk is unknown: the next start decides about the file.
      state = State.DONE;
      throw e;
    }
    state = State.DONE;
    channel.close();
    return meta;
  }

  private static String opaqueEtag() {
    return UUID.randomUUID().toString().replace("-", "") + "-1";
  }

  @Override
  public void close() throws IOException {
    State was = state;
    state = State.DONE;
    channel.close();
    if (was == State.TEMPORARY) {
      files.removeTemporary(id);
    } else if (was == State.PUBLISHED) {
      files.remove(id);
    }
  }
}
