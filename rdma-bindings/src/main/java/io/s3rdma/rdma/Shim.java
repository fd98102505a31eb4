package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The downcalls into libs3rdma, one method per function; those for host memory are in {@link
 * MemoryShim}. Nothing else in the project may touch the shim. Initialised only after {@link
 * NativeLibrary} found the library and its ABI right.
 *
 * <p>Objects are passed as {@code long}: the owners ({@link NativeObject}) keep them alive, so the
 * linker need not guard a scope on every call.
 */
final class Shim {
  private static final NativeLibrary LIB = NativeLibrary.get();

  private static final MethodHandle LAST_ERROR = LIB.bind("s3r_last_error", ADDRESS);
  private static final MethodHandle STATUS_TEXT = LIB.bindText("s3r_wc_status_text", JAVA_INT);
  private static final MethodHandle LIVE_OBJECTS = LIB.bind("s3r_live_objects", ADDRESS);
  private static final MethodHandle DEVICE_LIST = LIB.bind("s3r_device_list", ADDRESS, JAVA_INT);
  private static final MethodHandle DEVICE_OPEN = LIB.bind("s3r_device_open", ADDRESS, ADDRESS);
  private static final MethodHandle DEVICE_CLOSE = LIB.bind("s3r_device_close", JAVA_LONG);
  private static final MethodHandle DEVICE_QUERY = LIB.bind("s3r_device_query", JAVA_LONG, ADDRESS);
  private static final MethodHandle PORT_QUERY =
      LIB.bind("s3r_port_query", JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle GID_LIST =
      LIB.bind("s3r_gid_list", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle ASYNC_WAIT =
      LIB.bind("s3r_async_wait", JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle ASYNC_WAKE = LIB.bind("s3r_async_wake", JAVA_LONG);
  private static final MethodHandle PD_ALLOC = LIB.bind("s3r_pd_alloc", JAVA_LONG, ADDRESS);
  private static final MethodHandle PD_FREE = LIB.bind("s3r_pd_free", JAVA_LONG);
  private static final MethodHandle MR_REGISTER =
      LIB.bind("s3r_mr_register", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle MR_REGISTER_DMABUF =
      LIB.bind(
          "s3r_mr_register_dmabuf",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          ADDRESS);
  private static final MethodHandle MR_KEYS = LIB.bind("s3r_mr_keys", JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle MR_DEREGISTER = LIB.bind("s3r_mr_deregister", JAVA_LONG);
  private static final MethodHandle MW_ALLOC = LIB.bind("s3r_mw_alloc", JAVA_LONG, ADDRESS);
  private static final MethodHandle MW_FREE = LIB.bind("s3r_mw_free", JAVA_LONG);
  private static final MethodHandle MW_BIND =
      LIB.bind(
          "s3r_mw_bind",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_LONG,
          ADDRESS);
  private static final MethodHandle MW_INVALIDATE =
      LIB.bind("s3r_mw_invalidate", JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle CQ_CREATE =
      LIB.bind("s3r_cq_create", JAVA_LONG, JAVA_INT, ADDRESS);
  private static final MethodHandle CQ_DESTROY = LIB.bind("s3r_cq_destroy", JAVA_LONG);
  private static final MethodHandle CQ_POLL =
      LIB.bind("s3r_cq_poll", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle CQ_ARM = LIB.bind("s3r_cq_arm", JAVA_LONG);
  private static final MethodHandle CQ_WAIT = LIB.bind("s3r_cq_wait", JAVA_LONG, JAVA_INT);
  private static final MethodHandle CQ_WAKE = LIB.bind("s3r_cq_wake", JAVA_LONG);
  private static final MethodHandle QP_CREATE =
      LIB.bind("s3r_qp_create", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle QP_NUMBER = LIB.bind("s3r_qp_number", JAVA_LONG, ADDRESS);
  private static final MethodHandle QP_TO_INIT =
      LIB.bind("s3r_qp_to_init", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle QP_TO_RTR = LIB.bind("s3r_qp_to_rtr", JAVA_LONG, ADDRESS);
  private static final MethodHandle QP_TO_RTS = LIB.bind("s3r_qp_to_rts", JAVA_LONG, ADDRESS);
  private static final MethodHandle QP_TO_ERROR = LIB.bind("s3r_qp_to_error", JAVA_LONG);
  private static final MethodHandle QP_QUERY = LIB.bind("s3r_qp_query", JAVA_LONG, ADDRESS);
  private static final MethodHandle QP_DESTROY = LIB.bind("s3r_qp_destroy", JAVA_LONG);
  private static final MethodHandle POST =
      LIB.bind("s3r_post", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);

  private Shim() {}

  // ---- errors ----

  static int check(int result) {
    if (result < 0) {
      throw lastError(-result);
    }
    return result;
  }

  private static RdmaException lastError(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(Layouts.ERROR);
      int ignored = (int) LAST_ERROR.invokeExact(error);
      return RdmaException.ofCall(
          Layouts.getText(error, Layouts.ERROR, "call"),
          code,
          Layouts.getText(error, Layouts.ERROR, "text"));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static IllegalStateException unexpected(Throwable e) {
    if (e instanceof RdmaException known) {
      throw known;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("downcall failed: " + e, e);
  }

  @SuppressWarnings("restricted")
  static String statusText(int status) {
    try {
      MemorySegment text = (MemorySegment) STATUS_TEXT.invokeExact(status);
      return text.reinterpret(256).getString(0, StandardCharsets.UTF_8);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static LiveObjects liveObjects() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG, 6);
      check((int) LIVE_OBJECTS.invokeExact(out));
      return new LiveObjects(
          out.getAtIndex(JAVA_LONG, 0),
          out.getAtIndex(JAVA_LONG, 1),
          out.getAtIndex(JAVA_LONG, 2),
          out.getAtIndex(JAVA_LONG, 3),
          out.getAtIndex(JAVA_LONG, 4),
          out.getAtIndex(JAVA_LONG, 5));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // ---- device and port ----

  static List<String> deviceList() {
    int capacity = 64;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment names = arena.allocate(Layouts.DEVICE_NAME, capacity);
      int count = check((int) DEVICE_LIST.invokeExact(names, capacity));
      List<String> result = new ArrayList<>();
      for (int i = 0; i < Math.min(count, capacity); i++) {
        result.add(names.getString(i * Layouts.DEVICE_NAME.byteSize(), StandardCharsets.UTF_8));
      }
      return List.copyOf(result);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long deviceOpen(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) DEVICE_OPEN.invokeExact(arena.allocateFrom(name), out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void deviceClose(long device) {
    call(DEVICE_CLOSE, device);
  }

  static void deviceQuery(long device, MemorySegment out) {
    callWith(DEVICE_QUERY, device, out);
  }

  static void portQuery(long device, int port, MemorySegment out) {
    try {
      check((int) PORT_QUERY.invokeExact(device, port, out));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int gidList(long device, int port, MemorySegment out, int capacity) {
    try {
      return check((int) GID_LIST.invokeExact(device, port, out, capacity));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** 1: an event, 2: woken, 0: neither. */
  static int asyncWait(long device, int timeoutMillis, MemorySegment out) {
    try {
      return check((int) ASYNC_WAIT.invokeExact(device, timeoutMillis, out));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void asyncWake(long device) {
    call(ASYNC_WAKE, device);
  }

  // ---- memory ----

  static long pdAlloc(long device) {
    return create(PD_ALLOC, device);
  }

  static void pdFree(long pd) {
    call(PD_FREE, pd);
  }

  static long mrRegister(long pd, long address, long length, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) MR_REGISTER.invokeExact(pd, address, length, access, out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long mrRegisterDmaBuf(long pd, long offset, long length, long iova, int fd, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) MR_REGISTER_DMABUF.invokeExact(pd, offset, length, iova, fd, access, out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** lkey in the low, rkey in the high half. */
  static long mrKeys(long mr) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocate(JAVA_INT, 2);
      check((int) MR_KEYS.invokeExact(mr, keys, keys.asSlice(4)));
      return Integer.toUnsignedLong(keys.get(JAVA_INT, 0))
          | Integer.toUnsignedLong(keys.get(JAVA_INT, 4)) << 32;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void mrDeregister(long mr) {
    call(MR_DEREGISTER, mr);
  }

  static long mwAlloc(long pd) {
    return create(MW_ALLOC, pd);
  }

  static void mwFree(long mw) {
    call(MW_FREE, mw);
  }

  static int mwBind(long qp, long mw, long mr, long address, long length, int access, long id) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rkey = arena.allocate(JAVA_INT);
      check((int) MW_BIND.invokeExact(qp, mw, mr, address, length, access, id, rkey));
      return rkey.get(JAVA_INT, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void mwInvalidate(long qp, int rkey, long id) {
    try {
      check((int) MW_INVALIDATE.invokeExact(qp, rkey, id));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // ---- completion queue ----

  static long cqCreate(long device, int depth) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) CQ_CREATE.invokeExact(device, depth, out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void cqDestroy(long cq) {
    call(CQ_DESTROY, cq);
  }

  /** Per-completion path: no allocation. */
  static int cqPoll(long cq, long completions, int capacity) {
    try {
      return check((int) CQ_POLL.invokeExact(cq, completions, capacity));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void cqArm(long cq) {
    call(CQ_ARM, cq);
  }

  static int cqWait(long cq, int timeoutMillis) {
    try {
      return check((int) CQ_WAIT.invokeExact(cq, timeoutMillis));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void cqWake(long cq) {
    call(CQ_WAKE, cq);
  }

  // ---- queue pair ----

  static long qpCreate(long pd, long sendCq, long receiveCq, MemorySegment caps) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) QP_CREATE.invokeExact(pd, sendCq, receiveCq, caps, out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int qpNumber(long qp) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      check((int) QP_NUMBER.invokeExact(qp, out));
      return out.get(JAVA_INT, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void qpToInit(long qp, int port, int access) {
    try {
      check((int) QP_TO_INIT.invokeExact(qp, port, access));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void qpToReadyToReceive(long qp, MemorySegment attributes) {
    callWith(QP_TO_RTR, qp, attributes);
  }

  static void qpToReadyToSend(long qp, MemorySegment attributes) {
    callWith(QP_TO_RTS, qp, attributes);
  }

  static void qpToError(long qp) {
    call(QP_TO_ERROR, qp);
  }

  static void qpQuery(long qp, MemorySegment out) {
    callWith(QP_QUERY, qp, out);
  }

  static void qpDestroy(long qp) {
    call(QP_DESTROY, qp);
  }

  /** Per-chunk path: no allocation. {@code posted} is the address of an int. */
  static int post(long qp, int opcode, long chunks, int count, long posted) {
    try {
      return check((int) POST.invokeExact(qp, opcode, chunks, count, posted));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // ---- shapes that recur ----

  private static void call(MethodHandle function, long object) {
    try {
      check((int) function.invokeExact(object));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static void callWith(MethodHandle function, long object, MemorySegment argument) {
    try {
      check((int) function.invokeExact(object, argument));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long create(MethodHandle function, long parent) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      check((int) function.invokeExact(parent, out));
      return out.get(JAVA_LONG, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }
}
