package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * The data: immutable files, one a version or part, named by a random id and never by a key.
 *
 * <pre>
 *   tmp/ID          being written; removed at start
 *   objects/II/ID   whole and synced; II are the id's first two digits
 * </pre>
 */
final class DataFiles implements AutoCloseable {
  static final int DIRECTORIES = 256;
  // A descriptor each; a process may have 1,024, unless it was given more.
  private static final int KEPT_OPEN_MAX = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path objects;
  private final Path temporary;
  private final boolean sync;
  private final FileStore fileStore;
  private final OpenFiles open = new OpenFiles(KEPT_OPEN_MAX);

  DataFiles(Path directory, boolean sync) throws IOException {
    this.objects = directory.resolve("objects");
    this.temporary = directory.resolve("tmp");
    this.sync = sync;
    Files.createDirectories(temporary);
    for (int i = 0; i < DIRECTORIES; i++) {
      Files.createDirectories(directory(i));
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
      syncDirectory(place.getParent());
    }
  }

  /** The name lives in the directory, so a synced file alone could be lost. */
  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  FileChannel open(String id) throws IOException {
    return FileChannel.open(placeOf(id), StandardOpenOption.READ);
  }

  /** The same, which stays open for the next reader. */
  OpenFiles.Held hold(String id) throws IOException {
    return open.open(id, this::open);
  }

  /** An open file stays readable: Linux removes the name and keeps the content. */
  void remove(String id) throws IOException {
    open.forget(id);
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

  /** Gives the same content a second name; false where the file system has no more links. */
  boolean link(String id, String newId) throws IOException {
    try {
      Files.createLink(placeOf(newId), placeOf(id));
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Makes the names of these files durable, if the store is. */
  void syncNames(Collection<String> ids) throws IOException {
    if (sync) {
      for (Path directory : ids.stream().map(id -> placeOf(id).getParent()).distinct().toList()) {
        syncDirectory(directory);
      }
    }
  }

  /** The ids in one of the {@link #DIRECTORIES} directories, in order. */
  List<String> idsIn(int directory) throws IOException {
    List<String> ids = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory(directory))) {
      files.forEach(file -> ids.add(file.getFileName().toString()));
    }
    Collections.sort(ids);
    return ids;
  }

  /** Readers that are still there keep theirs. */
  @Override
  public void close() {
    open.forgetAll();
  }

  private Path directory(int number) {
    return objects.resolve(HexFormat.of().toHexDigits((byte) number));
  }

  private Path placeOf(String id) {
    return objects.resolve(id.substring(0, 2)).resolve(id);
  }
}
