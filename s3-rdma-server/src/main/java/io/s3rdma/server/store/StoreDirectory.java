package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory as a whole.
 *
 * <pre>
 *   FORMAT    number of this layout; 3 once something is encrypted, until then 2
 *   lock      held while a server runs on the directory
 *   meta/     RocksDB
 *   objects/  data, see {@link DataFiles}
 *   tmp/
 *   encryption.key   master keys, unless they are elsewhere
 * </pre>
 */
final class StoreDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
  private static final String FORMAT = "2";
  private static final String SEALED_FORMAT = "3";

  private StoreDirectory() {}

  static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("lock {}: held in this process", directory, e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException("data directory " + directory + " is in use by another server");
    }
    return channel;
  }

  /** Refuses what another version of this server wrote, before anything is touched. */
  static void requireFormat(Path directory) throws IOException {
    Path file = directory.resolve("FORMAT");
    if (Files.exists(file)) {
      String found = Files.readString(file).trim();
      if (!found.equals(FORMAT) && !found.equals(SEALED_FORMAT)) {
        throw refused(directory, found);
      }
    } else if (Files.exists(directory.resolve("meta"))) {
      throw refused(directory, "1");
    } else {
      Files.writeString(file, FORMAT + "\n");
    }
  }

  /** Before the first encrypted object, which servers of the format before cannot read. */
  static void raiseFormat(Path directory) throws IOException {
    Path file = directory.resolve("FORMAT");
    if (!Files.readString(file).trim().equals(SEALED_FORMAT)) {
      Path raised = directory.resolve("FORMAT.new");
      Files.writeString(
          raised, SEALED_FORMAT + "\n", StandardOpenOption.CREATE, StandardOpenOption.SYNC);
      Files.move(raised, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static IOException refused(Path directory, String found) {
    return new IOException(
        "data directory "
            + directory
            + " has format "
            + found
            + ", this server writes "
            + FORMAT
            + " or "
            + SEALED_FORMAT
            + "; copy the objects over with the server that wrote it, or take an empty directory");
  }
}
