package io.s3rdma.server;

import io.s3rdma.server.http.AccessKey;
import io.s3rdma.server.http.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of the configuration and of the keys file, which a thread {@code s3-keys} looks at every
 * second. A changed file replaces all its keys at once; a broken or vanished one changes nothing.
 */
final class AccessKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessKeys.class);
  private static final long POLL_MILLIS = 1000;
  private static final int STOP_SECONDS = 5;
  private static final Set<PosixFilePermission> OPEN =
      Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

  private final AuthConfig config;
  private final Credentials credentials;
  private final CountDownLatch closed = new CountDownLatch(1);
  private Thread watcher;

  private AccessKeys(AuthConfig config, Credentials credentials) {
    this.config = config;
    this.credentials = credentials;
  }

  /** Refuses a configuration whose keys cannot be used. */
  static void check(AuthConfig config) {
    List<AccessKey> keys = read(config);
    if (keys.isEmpty()) {
      throw new ConfigException("the keys file " + config.keysFile().orElseThrow() + " has no key");
    }
  }

  /** Reads, and watches from now on if there is a file. */
  static AccessKeys open(AuthConfig config) {
    if (config.keysFile().isEmpty()) {
      return new AccessKeys(config, new Credentials(config.secretsByAccessKey()));
    }
    Path file = config.keysFile().get();
    String stamp = stamp(file);
    AccessKeys keys = new AccessKeys(config, new Credentials(read(config)));
    warnIfOpen(file);
    keys.watcher = new Thread(() -> keys.watch(file, stamp), "s3-keys");
    keys.watcher.setDaemon(true);
    keys.watcher.start();
    return keys;
  }

  Credentials credentials() {
    return credentials;
  }

  /** Idempotent; ends the thread. */
  @Override
  public void close() {
    closed.countDown();
    if (watcher == null) {
      return;
    }
    try {
      watcher.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(Path file, String first) {
    String seen = first;
    try {
      while (!closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        // Taken before the read: what changes meanwhile is read again in the next turn.
        String now = stamp(file);
        if (!now.equals(seen)) {
          seen = now;
          reload(file);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reload(Path file) {
    try {
      List<AccessKey> keys = read(config);
      credentials.replace(keys);
      LOG.info("keys file {} read again: {} keys are valid now", file, keys.size());
      warnIfOpen(file);
    } catch (RuntimeException e) {
      // The exceptions of KeysFile name line and field, and never hold a value.
      String why = e instanceof ConfigException ? e.getMessage() : e.getClass().getName();
      LOG.error("the keys stay as they were: {}", why);
    }
  }

  private static List<AccessKey> read(AuthConfig config) {
    List<AccessKey> all = new ArrayList<>(Credentials.withEveryRight(config.secretsByAccessKey()));
    if (config.keysFile().isPresent()) {
      all.addAll(KeysFile.read(config.keysFile().get()));
    }
    Set<String> ids = new HashSet<>();
    for (AccessKey key : all) {
      if (!ids.add(key.id())) {
        throw new ConfigException(
            "an access key of the keys file "
                + config.keysFile().orElseThrow()
                + " stands in auth.credentials too; take it out of one of them");
      }
    }
    return all;
  }

  /** Changes when the file is written or another one takes its name. */
  private static String stamp(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return "none";
    }
  }

  private static void warnIfOpen(Path file) {
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view == null) {
        return;
      }
      Set<PosixFilePermission> open = new HashSet<>(view.readAttributes().permissions());
      open.retainAll(OPEN);
      if (!open.isEmpty()) {
        LOG.warn("keys file {} has secrets and is open to everyone ({}): chmod 600", file, open);
      }
    } catch (IOException e) {
      LOG.warn("keys file {}: its permissions cannot be read: {}", file, e.toString());
    }
  }
}
