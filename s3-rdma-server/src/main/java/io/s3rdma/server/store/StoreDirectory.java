package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory as a whole.
 *
 * <pre>
 *   FORMAT    number of this layout
 *   lock      held while a server runs on the directory
 *   meta/     RocksDB
 *   objects/  data, see {@link DataFiles}
 *   tmp/
 * </pre>
 */
final class StoreDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(StoreDirectory.class);
  private static final String FORMAT = "2";

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
      if (!found.equals(FORMAT)) {
        throw refused(directory, found);
      }
    } else if (Files.exists(directory.resolve("meta"))) {
      throw refused(directory, "1");
    } else {
      Files.writeString(file, FORMAT + "\n");
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
            + "; copy the objects over with the server that wrote it, or take an empty directory");
  }
}
