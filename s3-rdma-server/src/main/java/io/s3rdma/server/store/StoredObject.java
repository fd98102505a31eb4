package io.s3rdma.server.store;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.ObjectKey;
import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.encryption.SealedKey;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An opened version of an object. Reads are positional and may come from any thread. What is
 * encrypted with a customer's key is {@link #unlock}ed before the first read.
 */
public final class StoredObject implements AutoCloseable {
  private final ObjectMeta meta;
  private final ObjectData stored;
  private final Sealing sealing;
  private ObjectKey key;
  private ObjectData data;

  /** {@code key} is null for what is not encrypted, and for what only the customer can unlock. */
  StoredObject(ObjectMeta meta, ObjectData stored, Sealing sealing, ObjectKey key) {
    this.meta = meta;
    this.stored = stored;
    this.sealing = sealing;
    if (meta.sealedKey().isNone()) {
      this.data = stored;
    } else if (key != null) {
      unlock(key);
    }
  }

  public ObjectMeta meta() {
    return meta;
  }

  /** Refuses with {@link Reason#OTHER_KEY}; nothing where no customer's key is needed. */
  public void unlock(CustomerKey customerKey) throws StoreException {
    if (data == null) {
      unlock(sealing.open(meta.sealedKey(), Optional.of(customerKey)));
    }
  }

  private void unlock(ObjectKey opened) {
    key = opened;
    data = new DecryptedData(stored, opened);
  }

  /** Whether the stored bytes will do for a copy that is protected so; of an unlocked object. */
  public boolean suits(Protection wanted) {
    return switch (wanted) {
      case Protection.None _ -> meta.sealedKey().isNone();
      case Protection.Server _ -> meta.sealedKey().kind() == SealedKey.Kind.SERVER;
      case Protection.Customer customer -> customer.key().open(meta.sealedKey()).isPresent();
    };
  }

  /** The key for a copy that has the same stored bytes. */
  SealedKey resealed(Protection wanted) throws IOException {
    if (!suits(wanted)) {
      throw new IllegalArgumentException("the bytes of " + meta.ref() + " do not suit " + wanted);
    }
    return sealing.seal(key, wanted);
  }

  /** Fills {@code dst} as far as the object goes; -1 at or behind its end. */
  public int read(long position, ByteBuffer dst) throws IOException {
    ObjectData from = unlocked();
    int total = 0;
    while (dst.hasRemaining() && position + total < meta.size()) {
      int count = from.read(position + total, dst);
      if (count < 0) {
        break;
      }
      total += count;
    }
    return total == 0 && (position >= meta.size() || dst.hasRemaining()) ? -1 : total;
  }

  /**
   * For sendfile: the bytes from {@code position} on, as many as lie together; valid until the next
   * call on this object.
   *
   * @param position below the object's size
   */
  public Extent extent(long position, long lengthMax) throws IOException {
    return unlocked().extent(position, lengthMax);
  }

  private ObjectData unlocked() throws StoreException {
    if (data == null) {
      throw new StoreException(Reason.OTHER_KEY, meta.ref() + " needs its customer's key");
    }
    return data;
  }

  /** As they lie on the disk. */
  ObjectData stored() {
    return stored;
  }

  /** Idempotent. */
  @Override
  public void close() throws IOException {
    stored.close();
  }
}
