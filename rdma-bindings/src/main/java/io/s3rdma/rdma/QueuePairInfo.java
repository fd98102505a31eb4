package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Set;

/** A queue pair as the device has it at one moment. PSNs are 24-bit. */
public record QueuePairInfo(
    State state,
    int number,
    int sendPsn,
    int receivePsn,
    int remoteNumber,
    Set<Access> remoteRights,
    int mtuBytes,
    int retries,
    int timeout,
    int outgoingReads,
    int incomingReads) {
  private static final StructLayout L = Layouts.QP_INFO;
  private static final long SEND_PSN = Layouts.offset(L, "sq_psn");

  /** The states of interest. */
  public enum State {
    RESET,
    INIT,
    READY_TO_RECEIVE,
    READY_TO_SEND,
    ERROR,
    OTHER;

    static State of(int code) {
      return switch (code) {
        case 0 -> RESET;
        case 1 -> INIT;
        case 2 -> READY_TO_RECEIVE;
        case 3 -> READY_TO_SEND;
        case 6 -> ERROR;
        default -> OTHER;
      };
    }
  }

  static int sendPsn(MemorySegment s) {
    return s.get(JAVA_INT, SEND_PSN);
  }

  static QueuePairInfo read(MemorySegment s) {
    return new QueuePairInfo(
        State.of(Layouts.getInt(s, L, "state")),
        Layouts.getInt(s, L, "qpn"),
        Layouts.getInt(s, L, "sq_psn"),
        Layouts.getInt(s, L, "rq_psn"),
        Layouts.getInt(s, L, "dest_qpn"),
        Access.ofBits(Layouts.getInt(s, L, "access")),
        Layouts.getInt(s, L, "path_mtu_bytes"),
        Layouts.getInt(s, L, "retry_cnt"),
        Layouts.getInt(s, L, "timeout"),
        Layouts.getInt(s, L, "max_rd_atomic"),
        Layouts.getInt(s, L, "max_dest_rd_atomic"));
  }
}
