package io.s3rdma.bench.faults;

import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.rdma.HostBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import software.amazon.awssdk.core.sync.RequestBody;

/** What is read and written: known bytes in mixed sizes. For any thread once made. */
final class Objects implements AutoCloseable {
  private static final int MIB = 1 << 20;

  /** Small ones often, as in a data loader. */
  private static final int[] SIZES = {
    1, 4095, 4096, 4097, 16_384, 65_537, 65_536, 262_144, 100_000, MIB + 1, 3 * MIB + 5
  };

  private final List<HostBuffer> contents = new ArrayList<>();

  Objects() {
    for (int i = 0; i < SIZES.length; i++) {
      HostBuffer buffer = HostBuffer.allocate(SIZES[i]);
      byte[] bytes = new byte[SIZES[i]];
      new Random(i).nextBytes(bytes);
      MemorySegment.copy(bytes, 0, buffer.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
      contents.add(buffer);
    }
  }

  static int largest() {
    return SIZES[SIZES.length - 1];
  }

  int count() {
    return contents.size();
  }

  HostBuffer content(int number) {
    return contents.get(number);
  }

  static String key(int number) {
    return "known-" + number;
  }

  /** Stores them by HTTP. */
  void store(S3RdmaClient client) {
    for (int i = 0; i < contents.size(); i++) {
      String key = key(i);
      byte[] bytes = contents.get(i).segment().toArray(ValueLayout.JAVA_BYTE);
      client
          .s3()
          .putObject(b -> b.bucket(FaultServer.BUCKET).key(key), RequestBody.fromBytes(bytes));
    }
  }

  @Override
  public void close() {
    contents.forEach(HostBuffer::close);
  }
}
