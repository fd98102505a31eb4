package io.s3rdma.counters;

import java.util.List;

/**
 * The counters this project reads, by sysfs name. Sources: drivers/infiniband of Linux 6.1 to 7.3
 * ({@code core/sysfs.c}, {@code sw/rxe/rxe_hw_counters.c}, {@code hw/mlx5/counters.c}, {@code
 * hw/mlx5/mad.c}).
 *
 * <p>Directions are those of the reading port. {@code rdma_sends} and {@code rdma_recvs} of rxe
 * stay 0 for WRITE and READ, and {@code rx_write_requests} and {@code rx_read_requests} of mlx5
 * count what a responder receives, so none of the four can prove a transfer by the requester.
 *
 * <p>The width is where the device wraps. mlx5 keeps its queue counters in 32 bits; rxe uses 64 for
 * a counter of the same name, which {@link CounterDelta} notices by the value.
 */
public enum Counter {
  // rxe, hw_counters
  SENT_PKTS(Place.HW, "sent_pkts", Unit.PACKETS, 64),
  RCVD_PKTS(Place.HW, "rcvd_pkts", Unit.PACKETS, 64),
  SENT_BYTES(Place.HW, "sent_bytes", Unit.BYTES, 64),
  RCVD_BYTES(Place.HW, "rcvd_bytes", Unit.BYTES, 64),
  OUT_OF_SEQ_REQUEST(Place.HW, "out_of_seq_request", Unit.EVENTS, 64),
  RCVD_RNR_ERR(Place.HW, "rcvd_rnr_err", Unit.EVENTS, 64),
  SEND_RNR_ERR(Place.HW, "send_rnr_err", Unit.EVENTS, 64),
  RCVD_SEQ_ERR(Place.HW, "rcvd_seq_err", Unit.EVENTS, 64),
  ACK_DEFERRED(Place.HW, "ack_deferred", Unit.EVENTS, 64),
  RETRY_EXCEEDED_ERR(Place.HW, "retry_exceeded_err", Unit.EVENTS, 64),
  RETRY_RNR_EXCEEDED_ERR(Place.HW, "retry_rnr_exceeded_err", Unit.EVENTS, 64),
  COMPLETER_RETRY_ERR(Place.HW, "completer_retry_err", Unit.EVENTS, 64),
  SEND_ERR(Place.HW, "send_err", Unit.EVENTS, 64),
  RDMA_SENDS(Place.HW, "rdma_sends", Unit.EVENTS, 64),
  RDMA_RECVS(Place.HW, "rdma_recvs", Unit.EVENTS, 64),

  // rxe and mlx5, hw_counters
  DUPLICATE_REQUEST(Place.HW, "duplicate_request", Unit.EVENTS, 32),

  // mlx5, hw_counters
  PACKET_SEQ_ERR(Place.HW, "packet_seq_err", Unit.EVENTS, 32),
  OUT_OF_SEQUENCE(Place.HW, "out_of_sequence", Unit.EVENTS, 32),
  IMPLIED_NAK_SEQ_ERR(Place.HW, "implied_nak_seq_err", Unit.EVENTS, 32),
  LOCAL_ACK_TIMEOUT_ERR(Place.HW, "local_ack_timeout_err", Unit.EVENTS, 32),
  RNR_NAK_RETRY_ERR(Place.HW, "rnr_nak_retry_err", Unit.EVENTS, 32),
  ROCE_ADP_RETRANS(Place.HW, "roce_adp_retrans", Unit.EVENTS, 32),
  ROCE_ADP_RETRANS_TO(Place.HW, "roce_adp_retrans_to", Unit.EVENTS, 32),
  OUT_OF_BUFFER(Place.HW, "out_of_buffer", Unit.EVENTS, 32),
  RX_WRITE_REQUESTS(Place.HW, "rx_write_requests", Unit.EVENTS, 32),
  RX_READ_REQUESTS(Place.HW, "rx_read_requests", Unit.EVENTS, 32),
  REQ_CQE_ERROR(Place.HW, "req_cqe_error", Unit.EVENTS, 32),
  REQ_REMOTE_ACCESS_ERRORS(Place.HW, "req_remote_access_errors", Unit.EVENTS, 32),
  RESP_REMOTE_ACCESS_ERRORS(Place.HW, "resp_remote_access_errors", Unit.EVENTS, 32),
  NP_CNP_SENT(Place.HW, "np_cnp_sent", Unit.EVENTS, 64),
  RP_CNP_HANDLED(Place.HW, "rp_cnp_handled", Unit.EVENTS, 64),

  // mlx5, and rxe from Linux 7.x: counters
  PORT_XMIT_PACKETS(Place.PORT, "port_xmit_packets", Unit.PACKETS, 64),
  PORT_RCV_PACKETS(Place.PORT, "port_rcv_packets", Unit.PACKETS, 64),
  PORT_XMIT_DATA(Place.PORT, "port_xmit_data", Unit.WORDS, 64),
  PORT_RCV_DATA(Place.PORT, "port_rcv_data", Unit.WORDS, 64),
  PORT_RCV_ERRORS(Place.PORT, "port_rcv_errors", Unit.EVENTS, 16),
  PORT_XMIT_DISCARDS(Place.PORT, "port_xmit_discards", Unit.EVENTS, 16);

  /** Where in the port's directory a counter lies. */
  enum Place {
    /** Cached by the kernel for the directory's {@code lifespan}. */
    HW("hw_counters"),
    /** Asked from the device at every read. */
    PORT("counters");

    private final String directory;

    Place(String directory) {
      this.directory = directory;
    }

    String directory() {
      return directory;
    }
  }

  private static final List<Counter> ALL = List.of(values());
  private static final List<Counter> SENT =
      List.of(PORT_XMIT_PACKETS, SENT_PKTS, SENT_BYTES, PORT_XMIT_DATA);
  private static final List<Counter> RECEIVED =
      List.of(PORT_RCV_PACKETS, RCVD_PKTS, RCVD_BYTES, PORT_RCV_DATA);
  private static final List<Counter> RETRANSMISSION =
      List.of(
          COMPLETER_RETRY_ERR,
          DUPLICATE_REQUEST,
          OUT_OF_SEQ_REQUEST,
          RCVD_SEQ_ERR,
          PACKET_SEQ_ERR,
          OUT_OF_SEQUENCE,
          IMPLIED_NAK_SEQ_ERR,
          LOCAL_ACK_TIMEOUT_ERR,
          ROCE_ADP_RETRANS);

  private final Place place;
  private final String fileName;
  private final Unit unit;
  private final int widthBits;

  Counter(Place place, String fileName, Unit unit, int widthBits) {
    this.place = place;
    this.fileName = fileName;
    this.unit = unit;
    this.widthBits = widthBits;
  }

  Place place() {
    return place;
  }

  /** Name of the file in sysfs. */
  public String fileName() {
    return fileName;
  }

  public Unit unit() {
    return unit;
  }

  /** Bits after which the device wraps, unless its values show that it has more. */
  public int widthBits() {
    return widthBits;
  }

  /**
   * The least this counter moves, in its unit, when {@code packets} with {@code bytes} of payload
   * pass. Bytes and words also count headers, which depend on the device, so payload is the bound.
   */
  long least(long packets, long bytes) {
    return switch (unit) {
      case PACKETS -> packets;
      case BYTES -> bytes;
      case WORDS -> bytes / 4;
      case EVENTS -> 0;
    };
  }

  /**
   * Counters that see a transfer of this direction pass, the best witness first: packets before
   * bytes, and where a device has both (rxe of Linux 7.x) the one that the kernel does not cache.
   */
  static List<Counter> witnesses(Direction direction) {
    return direction == Direction.WRITE ? SENT : RECEIVED;
  }

  /** Counters that move when packets travel more than once: then packet counts are too high. */
  static List<Counter> retransmission() {
    return RETRANSMISSION;
  }

  static List<Counter> all() {
    return ALL;
  }
}
