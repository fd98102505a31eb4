package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.Transfers.Moved;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.assertj.core.api.Assertions;

/** Data with a name; counts how often it is asked. */
final class HotData implements ByteSource {
  private final String id;
  private final byte[] content;
  private final int first;
  private int calls;
  private boolean broken;

  HotData(String id, byte[] content, int first) {
    this.id = id;
    this.content = content;
    this.first = first;
  }

  int calls() {
    return calls;
  }

  /** Whether only a read from its first byte on succeeds. */
  void broken(boolean now) {
    broken = now;
  }

  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    calls++;
    if (broken && position > 0) {
      throw new IOException("broken on purpose");
    }
    target.put(content, first + (int) position, target.remaining());
  }

  @Override
  public Optional<SourceName> name() {
    return Optional.of(new SourceName(id, content.length, first));
  }

  /** A GET that must fail, and its failure. */
  TransferException failingGet(Transfers transfers, Peer peer, int length, TransferRight right) {
    RemoteDescriptor at = peer.window(0, length, right);
    return Assertions.catchThrowableOfType(
        TransferException.class,
        () -> peer.get(transfers, at, this, length, Deadline.in(60_000), Peer.NEVER));
  }

  /** GETs it from its first byte on and checks each byte of the peer's memory. */
  Moved get(Transfers transfers, Peer peer, int length) {
    peer.fill(new byte[length]);
    RemoteDescriptor at = peer.window(0, length, TransferRight.REMOTE_WRITE);
    Moved moved = peer.get(transfers, at, this, length, Deadline.in(60_000), Peer.NEVER);
    byte[] expected = Arrays.copyOfRange(content, first, first + length);
    assertThat(Arrays.mismatch(Arrays.copyOf(peer.bytes(), length), expected)).isEqualTo(-1);
    return moved;
  }
}
