package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The data: one immutable file a version, named by a random id and never by a key.
 *
 * <pre>
 *   tmp/ID          being written; removed at start
 *   objects/II/ID   whole and synced; II are the id's first two digits
 * </pre>
 */
final class DataFiles {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path objects;
  private final Path temporary;
  private final boolean sync;
  private final FileStore fileStore;

  DataFiles(Path directory, boolean sync) throws IOException {
    this.objects = directory.resolve("objects");
    this.temporary = directory.resolve("tmp");
    this.sync = sync;
    Files.createDirectories(temporary);
    for (int i = 0; i < 256; i++) {
      Files.createDirectories(objects.resolve(HexFormat.of().toHexDigits((byte) i)));
    }
    this.fileStore = Files.getFileStore(objects);
  }

  static String newId() {
    byte[] id = new byte[16];
    RANDOM.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }

  FileChannel createTemporary(String id) throws IOException {
    return FileChannel.open(
        temporary.resolve(id), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  void removeTemporary(String id) throws IOException {
    Files.deleteIfExists(temporary.resolve(id));
  }

  /** Moves a whole file to its place; durable when this returns, if the store is. */
  void publish(String id, FileChannel content) throws IOException {
    if (sync) {
      content.force(true);
    }
    Path place = placeOf(id);
    Files.move(temporary.resolve(id), place, StandardCopyOption.ATOMIC_MOVE);
    if (sync) {
      // The name lives in the directory, so a synced file alone could be lost.
      try (FileChannel parent = FileChannel.open(place.getParent(), StandardOpenOption.READ)) {
        parent.force(true);
      }
    }
  }

  FileChannel open(String id) throws IOException {
    return FileChannel.open(placeOf(id), StandardOpenOption.READ);
  }

  /** An open file stays readable: Linux removes the name and keeps the content. */
  void remove(String id) throws IOException {
    Files.deleteIfExists(placeOf(id));
  }

  long usableBytes() throws IOException {
    return fileStore.getUsableSpace();
  }

  /** Removes what was being written when the process ended. */
  int removeTemporaries() throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary)) {
      for (Path file : files) {
        Files.delete(file);
        removed++;
      }
    }
    return removed;
  }

  /** Every data file's id. */
  void forEach(IdVisitor visitor) throws IOException {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(objects)) {
      for (Path directory : directories) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
          for (Path file : files) {
            visitor.visit(file.getFileName().toString());
          }
        }
      }
    }
  }

  private Path placeOf(String id) {
    return objects.resolve(id.substring(0, 2)).resolve(id);
  }

  /** Takes each id of a scan. */
  @FunctionalInterface
  interface IdVisitor {
    void visit(String id) throws IOException;
  }
}
