package io.s3rdma.client.transport;

import io.s3rdma.rdma.BufferLifecycle;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.RemoteKey;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RemoteDescriptor;

/**
 * What one request gives the server: a connection, and a key over exactly the request's bytes with
 * one right (P-4.11).
 *
 * <p>Threads: one request's; tokens are minted on the thread that signs. Invariants: the buffer is
 * leased from creation to the end; it is released only when no peer can reach it any more, and
 * quarantined if that could not be confirmed (P-4.9). Ends exactly once, by {@link #settle} (an
 * answer came that says the server is done) or {@link #abandon}.
 */
public final class Grant {
  private final RailPool rail;
  private final TransferBuffer buffer;
  private final long lengthBytes;
  private final TransferRight right;
  private final BufferLifecycle.Lease lease;
  private RcConnection connection;
  private Registrations.Held held;
  private RemoteKey key;
  private boolean minted;
  private boolean ended;
  private RegistrationWay way;

  Grant(RailPool rail, TransferBuffer buffer, long lengthBytes, TransferRight right) {
    this.rail = rail;
    this.buffer = buffer;
    this.lengthBytes = lengthBytes;
    this.right = right;
    this.lease = buffer.lifecycle().lease();
  }

  /** How the buffer was made reachable. */
  public RegistrationWay way() {
    return way;
  }

  /** Connects and binds; the caller ends the grant if this throws. */
  void open(boolean fresh) {
    connection = rail.connections().acquire(fresh);
    held = rail.registrations().of(buffer, lengthBytes, right);
    BufferRegistration registration = held.registration();
    way = registration.way();
    key =
        registration.carriesWindows()
            ? connection.bind(
                registration, held.address(), lengthBytes, right, rail.fenceTimeoutMillis())
            : registration.region().remoteKey();
  }

  /** After a pooled connection turned out dead: once more with a new one, or the first cause. */
  void reopen(TransportException first) {
    if (connection == null) {
      throw first; // not even a connection could be had
    }
    fenceOrRefuse();
    open(true);
  }

  /** Before another attempt: memory whose fence failed is never offered again (P-4.9, P-4.10). */
  private void fenceOrRefuse() {
    if (!fence()) {
      ended = true;
      finish(false);
      throw new TransportException("the attempt before could not be fenced");
    }
    held = null;
  }

  /**
   * The token of one attempt. The second and later calls fence the attempt before and take a new
   * connection and key (P-4.10).
   */
  public String mint() {
    if (minted) {
      fenceOrRefuse();
      open(true);
    }
    minted = true;
    return new RcToken(
            connection.id(), new RemoteDescriptor(held.address(), lengthBytes, key.value()))
        .encode();
  }

  /**
   * An answer came: the server has done all it will do. Takes the key back before anyone reads the
   * bytes.
   *
   * @param connectionAlive false if the answer says that the server ended the connection
   */
  public void settle(boolean connectionAlive) {
    if (ended) {
      return;
    }
    ended = true;
    RcConnection mine = connection;
    connection = null;
    boolean windowGone = connectionAlive && takeKeyBack(mine);
    boolean safe = true;
    if (windowGone) {
      rail.connections().release(mine);
    } else {
      safe = rail.connections().discard(mine) && closeTransient();
      if (connectionAlive) {
        rail.connections().forget(mine);
      }
    }
    finish(safe);
  }

  private boolean takeKeyBack(RcConnection mine) {
    // A region with a bound window cannot be closed, so the window goes first.
    return mine.invalidate(rail.fenceTimeoutMillis()) && closeTransient();
  }

  /**
   * The server says that this connection is gone: the idle ones of its rail may be, too. Called
   * before the grant ends.
   *
   * @param railFailed true if bytes did not get through: the next attempt takes another rail, where
   *     there is one
   */
  public void doubt(boolean railFailed) {
    rail.connections().distrustIdle();
    if (railFailed) {
      rail.connections().health().failed();
    }
  }

  /** No answer, or one that is in doubt: fence, so that a late write changes nothing (P-4.9). */
  public void abandon() {
    if (ended) {
      return;
    }
    ended = true;
    finish(fence());
  }

  /** Ends the connection and the key; true if no peer can reach the memory any more. */
  private boolean fence() {
    boolean safe = true;
    if (connection != null) {
      RcConnection mine = connection;
      connection = null;
      safe = rail.connections().discard(mine);
      rail.connections().forget(mine);
    }
    return closeTransient() && safe;
  }

  private boolean closeTransient() {
    if (held == null || !held.closeAfter()) {
      return true;
    }
    try {
      held.registration().close(); // idempotent
      return true;
    } catch (RdmaException e) {
      return false;
    }
  }

  private void finish(boolean safe) {
    if (!safe) {
      buffer
          .lifecycle()
          .quarantine(
              "a fence after a failed transfer could not be confirmed; a peer may still write");
    }
    lease.close();
  }
}
