package io.s3rdma.client.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is there whole or not at all: written beside its target and renamed by {@link
 * #commit}; closed without that, it is removed. A target that is no regular file, like a pipe, is
 * written to directly.
 */
final class AtomicFile implements WritableByteChannel {
  private final Path target;
  private final Path written;
  private final FileChannel channel;
  private boolean committed;

  private AtomicFile(Path target, Path written, FileChannel channel) {
    this.target = target;
    this.written = written;
    this.channel = channel;
  }

  static AtomicFile create(Path wanted) throws IOException {
    Path target = Files.isSymbolicLink(wanted) ? wanted.toRealPath() : wanted.toAbsolutePath();
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return new AtomicFile(target, target, FileChannel.open(target, StandardOpenOption.WRITE));
    }
    String name = "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    Path written = target.resolveSibling(name);
    // Not createTempFile: the file is to have the permissions that any new file gets.
    FileChannel channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    // For SIGINT; without effect once it is renamed.
    written.toFile().deleteOnExit();
    return new AtomicFile(target, written, channel);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  /** All is written: it takes its name. */
  void commit() throws IOException {
    channel.close();
    if (!written.equals(target)) {
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    }
    committed = true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed && !written.equals(target)) {
      Files.deleteIfExists(written);
    }
  }
}
