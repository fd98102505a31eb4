package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.encryption.KeyFile;
import io.s3rdma.server.encryption.MasterKeys;
import io.s3rdma.server.encryption.ObjectKey;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals and opens the keys of a store's objects. The ids of all master keys that ever sealed
 * something here are kept with the metadata, so that a start without one of them is refused before
 * anything is served. Thread-safe.
 */
final class Sealing {
  private static final Logger LOG = LoggerFactory.getLogger(Sealing.class);
  private static final String FILE = "encryption.key";
  private static final byte[] USED = Utf8.octets("master-keys");
  private static final String SEPARATOR = " ";

  private final MetaDb db;
  private final Path directory;
  private final KeyFile file;
  private final boolean isBesideData;
  private volatile MasterKeys keys;
  private volatile boolean isFormatRaised;
  private boolean isRemembered;

  /** Refuses a key file that cannot be used, and one that lacks a key that is needed here. */
  Sealing(MetaDb db, Path directory, EncryptionConfig config) throws IOException {
    this.db = db;
    this.directory = directory;
    this.isBesideData = config.keyFile().isEmpty();
    this.file = new KeyFile(config.keyFile().orElse(directory.resolve(FILE)));
    this.keys = isBesideData && !file.exists() ? null : file.read();
    Set<String> missing = used();
    if (keys != null) {
      missing.removeAll(keys.ids());
    }
    if (!missing.isEmpty()) {
      requireAllowed(missing, config.allowMissingKeys());
    }
  }

  private void requireAllowed(Set<String> missing, boolean isAllowed) throws IOException {
    String what =
        "data directory "
            + directory
            + " holds objects that are encrypted with master keys "
            + missing
            + ", which "
            + file.path()
            + (keys == null ? " would hold and is not there" : " does not hold");
    if (!isAllowed) {
      throw new IOException(
          what
              + "; put the file back or name it by encryption.key-file. Nothing was changed. If the"
              + " keys are lost, encryption.allow-missing-keys=true serves all other objects");
    }
    LOG.warn("{}; they cannot be read", what);
  }

  /** The cipher of a new object in one item. */
  SinkCipher cipherFor(Protection protection) throws IOException {
    if (protection.equals(Protection.NONE)) {
      return SinkCipher.NONE;
    }
    ObjectKey key = ObjectKey.random();
    return SinkCipher.of(key, SinkCipher.OBJECT_SALT, seal(key, protection), keyOf(protection));
  }

  private static Optional<CustomerKey> keyOf(Protection protection) {
    return protection instanceof Protection.Customer customer
        ? Optional.of(customer.key())
        : Optional.empty();
  }

  /** The key of a new upload. */
  SealedKey newKey(Protection protection) throws IOException {
    return protection.equals(Protection.NONE)
        ? SealedKey.NONE
        : seal(ObjectKey.random(), protection);
  }

  /** The cipher of a new part of an upload, which has a salt of its own. */
  SinkCipher cipherForPart(SealedKey uploads, Optional<CustomerKey> customerKey)
      throws StoreException {
    if (uploads.isNone()) {
      return SinkCipher.NONE;
    }
    return SinkCipher.of(open(uploads, customerKey), DataFiles.newId(), uploads, customerKey);
  }

  /** What to keep of a new object's key. */
  SealedKey seal(ObjectKey key, Protection protection) throws IOException {
    return switch (protection) {
      case Protection.None _ -> SealedKey.NONE;
      case Protection.Server _ -> current().seal(key);
      case Protection.Customer customer -> {
        raiseFormat();
        yield customer.key().seal(key);
      }
    };
  }

  /**
   * The key of what is kept encrypted.
   *
   * @param customerKey as the request gave it; looked at only where a customer's key is needed
   */
  ObjectKey open(SealedKey sealed, Optional<CustomerKey> customerKey) throws StoreException {
    return switch (sealed.kind()) {
      case NONE -> throw new IllegalArgumentException("not encrypted");
      case CUSTOMER ->
          customerKey
              .flatMap(key -> key.open(sealed))
              .orElseThrow(
                  () ->
                      new StoreException(
                          Reason.OTHER_KEY,
                          "the encryption key is not the one it was stored with"));
      case SERVER -> openAsServer(sealed);
    };
  }

  private ObjectKey openAsServer(SealedKey sealed) throws StoreException {
    Optional<ObjectKey> opened = Optional.ofNullable(keys).flatMap(all -> all.open(sealed));
    return opened.orElseThrow(
        () ->
            new StoreException(
                Reason.NO_MASTER_KEY,
                "the server has not the master key " + sealed.masterKeyId() + " of this object"));
  }

  /** The keys, of which the first is known to be used here before it seals anything. */
  private synchronized MasterKeys current() throws IOException {
    if (keys == null) {
      keys = file.make();
      LOG.warn(
          "made the master key {} in {}, beside the data: who takes the disk has both; move the file"
              + " elsewhere, keep a copy, and name it by encryption.key-file",
          keys.currentId(),
          file.path());
    }
    if (!isRemembered) {
      raiseFormat();
      remember(keys.currentId());
      isRemembered = true;
    }
    return keys;
  }

  private void remember(String id) throws IOException {
    Set<String> used = used();
    if (used.add(id)) {
      try (MetaBatch batch = db.batch()) {
        db.write(batch.put(Family.FACTS, USED, Utf8.octets(String.join(SEPARATOR, used))));
      }
    }
  }

  private Set<String> used() throws IOException {
    byte[] ids = db.get(Family.FACTS, USED);
    return ids == null
        ? new TreeSet<>()
        : new TreeSet<>(List.of(Utf8.text(ids).split(SEPARATOR, -1)));
  }

  private void raiseFormat() throws IOException {
    if (!isFormatRaised) {
      StoreDirectory.raiseFormat(directory);
      isFormatRaised = true;
    }
  }
}
