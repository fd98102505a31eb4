package io.s3rdma.server.encryption;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The file of the master keys: one a line, base64 or hex of 32 octets; the first is for new
 * objects, the others open what they sealed. Empty lines and lines that begin with {@code #} do not
 * count. No message says what stands there.
 */
public final class KeyFile {
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final String MAKE =
      "openssl rand -base64 32 > FILE makes a key, chmod 600 FILE keeps it";

  private final Path file;

  public KeyFile(Path file) {
    this.file = file;
  }

  public Path path() {
    return file;
  }

  public boolean exists() {
    return Files.exists(file);
  }

  /** Refuses what is missing, open to others, or no key. */
  public MasterKeys read() throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(named("cannot be read; " + MAKE));
    }
    requireOwnersOnly();
    List<MasterKey> keys = new ArrayList<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        Optional<MasterKey> key = MasterKey.parse(line);
        String problem = "line " + (i + 1) + " is not base64 or hex of 32 octets; " + MAKE;
        keys.add(key.orElseThrow(() -> new IOException(named(problem))));
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(named("holds no key; " + MAKE));
    }
    return new MasterKeys(keys);
  }

  private void requireOwnersOnly() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return; // a file system without such modes
    }
    Set<PosixFilePermission> mode = view.readAttributes().permissions();
    if (!OWNER.containsAll(mode)) {
      throw new IOException(
          named(
              "has the mode "
                  + PosixFilePermissions.toString(mode)
                  + " and is open to others; chmod 600 it, and take a new key if others saw it"));
    }
  }

  /** Makes the file with one random key: whole and durable, or not at all. */
  public MasterKeys make() throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path whole = Files.createTempFile(directory, file.getFileName().toString(), ".new");
    try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.WRITE)) {
      String text = MasterKey.random().text() + "\n";
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
    return read();
  }

  private String named(String problem) {
    return "master key file " + file + " " + problem;
  }
}
