package io.s3rdma.rdma;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The structures of s3rdma.h, field for field. Offsets are taken by name, so order matters only
 * here.
 */
final class Layouts {
  static final StructLayout ERROR =
      struct("s3r_error", i("code"), i("detail"), l("value"), text("call", 48), text("text", 200));
  static final StructLayout DEVICE_NAME = struct("s3r_device_name", text("name", 64));
  static final StructLayout DEVICE_ATTR =
      struct(
          "s3r_device_attr",
          text("name", 64),
          text("firmware", 64),
          l("max_mr_size"),
          l("page_size_cap"),
          i("vendor_id"),
          i("vendor_part_id"),
          i("max_qp"),
          i("max_qp_wr"),
          i("max_sge"),
          i("max_cqe"),
          i("max_mr"),
          i("max_mw"),
          i("max_qp_rd_atom"),
          i("max_qp_init_rd_atom"),
          i("mw_type2"),
          i("ports"));
  static final StructLayout PORT_ATTR =
      struct(
          "s3r_port_attr",
          i("max_msg_bytes"),
          i("active"),
          i("active_mtu_bytes"),
          i("max_mtu_bytes"),
          i("gid_count"),
          i("lid"),
          i("ethernet"),
          i("state"));
  static final StructLayout GID_ENTRY =
      struct("s3r_gid_entry", text("gid", 16), i("index"), i("type"), i("netdev"), i("reserved"));
  static final StructLayout QP_CAPS =
      struct(
          "s3r_qp_caps", i("max_send_wr"), i("max_recv_wr"), i("max_send_sge"), i("max_recv_sge"));
  static final StructLayout RTR =
      struct(
          "s3r_rtr",
          text("remote_gid", 16),
          i("remote_qpn"),
          i("rq_psn"),
          i("port"),
          i("gid_index"),
          i("mtu_bytes"),
          i("max_dest_rd_atomic"),
          i("min_rnr_timer"),
          i("traffic_class"),
          i("hop_limit"),
          i("remote_lid"));
  static final StructLayout RTS =
      struct(
          "s3r_rts",
          i("sq_psn"),
          i("max_rd_atomic"),
          i("timeout"),
          i("retry_cnt"),
          i("rnr_retry"),
          i("reserved"));
  static final StructLayout QP_INFO =
      struct(
          "s3r_qp_info",
          i("state"),
          i("qpn"),
          i("sq_psn"),
          i("rq_psn"),
          i("dest_qpn"),
          i("access"),
          i("path_mtu_bytes"),
          i("retry_cnt"),
          i("timeout"),
          i("max_rd_atomic"),
          i("max_dest_rd_atomic"),
          i("reserved"));
  static final StructLayout CHUNK =
      struct(
          "s3r_chunk",
          l("wr_id"),
          l("local_address"),
          l("remote_address"),
          i("length"),
          i("lkey"),
          i("rkey"),
          i("flags"));
  static final StructLayout COMPLETION =
      struct(
          "s3r_completion", l("wr_id"), i("status"), i("qpn"), i("vendor_error"), i("byte_count"));
  static final StructLayout ASYNC_EVENT =
      struct("s3r_async_event", i("type"), i("raw"), i("port"), i("qpn"));
  static final StructLayout MEMORY =
      struct("s3r_memory", l("address"), l("length"), i("pages"), i("node"));

  /** In the order of enum s3r_struct. */
  static final List<StructLayout> BY_NUMBER =
      List.of(
          ERROR,
          DEVICE_NAME,
          DEVICE_ATTR,
          PORT_ATTR,
          GID_ENTRY,
          QP_CAPS,
          RTR,
          RTS,
          QP_INFO,
          CHUNK,
          COMPLETION,
          ASYNC_EVENT,
          MEMORY);

  private Layouts() {}

  /** Byte offset of a field; for control paths and for named constants of hot paths. */
  static long offset(StructLayout layout, String field) {
    return layout.byteOffset(groupElement(field));
  }

  static int getInt(MemorySegment segment, StructLayout layout, String field) {
    return segment.get(JAVA_INT, offset(layout, field));
  }

  static long getLong(MemorySegment segment, StructLayout layout, String field) {
    return segment.get(JAVA_LONG, offset(layout, field));
  }

  static void setInt(MemorySegment segment, StructLayout layout, String field, int value) {
    segment.set(JAVA_INT, offset(layout, field), value);
  }

  static String getText(MemorySegment segment, StructLayout layout, String field) {
    return segment.getString(offset(layout, field), StandardCharsets.UTF_8);
  }

  private static StructLayout struct(String name, MemoryLayout... fields) {
    return MemoryLayout.structLayout(fields).withName(name);
  }

  private static MemoryLayout i(String name) {
    return JAVA_INT.withName(name);
  }

  private static MemoryLayout l(String name) {
    return JAVA_LONG.withName(name);
  }

  private static MemoryLayout text(String name, long bytes) {
    return MemoryLayout.sequenceLayout(bytes, JAVA_BYTE).withName(name);
  }
}
