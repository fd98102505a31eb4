package io.s3rdma.client.cli;

import io.s3rdma.gpu.Gpu;
import io.s3rdma.gpu.PinnedBuffer;
import io.s3rdma.rdma.Availability;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.TransferBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The memory kinds of {@code --memory}, and copies between them and files. The only class of the
 * commands that knows GPUs.
 *
 * @param gpu ordinal, -1 for host memory
 */
record Memory(TransferBuffer.Kind kind, int gpu) {
  static final Memory HOST = new Memory(TransferBuffer.Kind.HOST, -1);
  private static final Pattern GPU = Pattern.compile("gpu:([0-9]{1,3})");
  private static final int COPY_BYTES = 8 << 20;

  /** Reads host, pinned or gpu:N. */
  static Memory parse(String text) {
    Matcher matcher = GPU.matcher(text);
    if (matcher.matches()) {
      return new Memory(TransferBuffer.Kind.DEVICE, Integer.parseInt(matcher.group(1)));
    }
    return switch (text) {
      case "host" -> HOST;
      case "pinned" -> new Memory(TransferBuffer.Kind.PINNED, -1);
      default -> throw new IllegalArgumentException("'" + text + "' is not host, pinned or gpu:N");
    };
  }

  /** The caller closes it. */
  TransferBuffer allocate(long bytes) {
    if (kind == TransferBuffer.Kind.HOST) {
      return HostBuffer.allocate(bytes);
    }
    Availability gpus = Gpu.availability();
    if (!gpus.available()) {
      throw new UsageException(
          "--memory " + this + ": " + gpus.cause() + "; without a GPU use --memory host");
    }
    if (kind == TransferBuffer.Kind.PINNED) {
      return Gpu.allocatePinned(bytes);
    }
    if (gpu >= Gpu.deviceCount()) {
      throw new UsageException(
          "--memory " + this + ": there are " + Gpu.deviceCount() + " GPUs, counted from 0");
    }
    return Gpu.allocate(gpu, bytes);
  }

  /** Whether there is a GPU, for the doctor. */
  static Availability gpuAvailability() {
    return Gpu.availability();
  }

  static int gpuCount() {
    return Gpu.deviceCount();
  }

  /** Fills the buffer's first bytes; tells after each piece how many came. */
  static void read(
      ReadableByteChannel from, TransferBuffer buffer, long lengthBytes, LongConsumer progress)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Optional<MemorySegment> direct = segment(buffer);
      MemorySegment copy = direct.isPresent() ? MemorySegment.NULL : arena.allocate(COPY_BYTES);
      for (long at = 0; at < lengthBytes; at += COPY_BYTES) {
        long n = Math.min(COPY_BYTES, lengthBytes - at);
        MemorySegment piece = direct.isPresent() ? direct.get().asSlice(at, n) : copy.asSlice(0, n);
        readFully(from, piece.asByteBuffer());
        if (direct.isEmpty()) {
          buffer.copyIn(at, piece);
        }
        progress.accept(n);
      }
    }
  }

  /** The file's bytes from {@code offset} on, whoever else reads it. */
  static ReadableByteChannel at(FileChannel file, long offset) {
    return new ReadableByteChannel() {
      private long at = offset;

      @Override
      public int read(ByteBuffer target) throws IOException {
        int count = file.read(target, at);
        at += Math.max(count, 0);
        return count;
      }

      @Override
      public boolean isOpen() {
        return file.isOpen();
      }

      @Override
      public void close() {}
    };
  }

  private static void readFully(ReadableByteChannel from, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (from.read(target) < 0) {
        throw new EOFException("the file became shorter while it was read; run it again");
      }
    }
  }

  /** Writes the buffer's first bytes. */
  static void write(TransferBuffer buffer, long lengthBytes, WritableByteChannel to)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Optional<MemorySegment> direct = segment(buffer);
      MemorySegment copy = direct.isPresent() ? MemorySegment.NULL : arena.allocate(COPY_BYTES);
      for (long at = 0; at < lengthBytes; at += COPY_BYTES) {
        long n = Math.min(COPY_BYTES, lengthBytes - at);
        MemorySegment piece = direct.isPresent() ? direct.get().asSlice(at, n) : copy.asSlice(0, n);
        if (direct.isEmpty()) {
          buffer.copyOut(at, piece);
        }
        ByteBuffer bytes = piece.asByteBuffer();
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      }
    }
  }

  private static Optional<MemorySegment> segment(TransferBuffer buffer) {
    return switch (buffer) {
      case HostBuffer host -> Optional.of(host.segment());
      case PinnedBuffer pinned -> Optional.of(pinned.segment());
      default -> Optional.empty();
    };
  }

  @Override
  public String toString() {
    return switch (kind) {
      case HOST -> "host";
      case PINNED -> "pinned";
      case DEVICE -> "gpu:" + gpu;
    };
  }

  /** For the option. */
  static final class Converter implements ITypeConverter<Memory> {
    @Override
    public Memory convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
