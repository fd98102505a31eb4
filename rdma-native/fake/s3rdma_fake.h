/*
 * Controls of the fake device. Exported by libs3rdma_fake.so only. The fake moves bytes by memcpy inside one process
 * and enforces what real devices enforce (and what Soft-RoCE does not): different lkey and rkey, region and window
 * bounds, rights, PD of the QP, queue depths, max_msg_bytes, READ depth. No figure may come from it.
 */
#ifndef S3RDMA_FAKE_H
#define S3RDMA_FAKE_H
#include "s3rdma.h"

enum s3r_fake_fault {
  S3R_FAKE_NONE = 0,
  S3R_FAKE_STATUS = 1,          /* complete the matching WR with `argument` as wc status; QP goes to ERROR */
  S3R_FAKE_LOSE_COMPLETION = 2, /* move the bytes but never complete the WR */
  S3R_FAKE_DELAY = 3,           /* hold the matching WR for `argument` ms before it executes */
  S3R_FAKE_LATE_WRITE = 4,      /* complete the WR now with WR_FLUSH_ERR, move its bytes `argument` ms later
                                   (if the window or region still allows it: a fenced buffer must not change) */
  S3R_FAKE_STALL = 5,           /* never execute the matching WR (peer is a black hole) until the QP goes to ERROR */
  S3R_FAKE_SHORT = 6,           /* move `argument` bytes only but complete with success */
  S3R_FAKE_PSN_SKIP = 7,        /* success, but the PSN advances by `argument` packets too few */
  S3R_FAKE_REG_MR = 8,          /* the next s3r_mr_register fails with errno `argument` */
  S3R_FAKE_REG_DMABUF = 9,      /* the next s3r_mr_register_dmabuf fails with errno `argument` */
  S3R_FAKE_QP_CREATE = 10,      /* the next s3r_qp_create fails with errno `argument` */
  S3R_FAKE_POST = 11,           /* the next chunk of an s3r_post is refused with errno `argument` */
  S3R_FAKE_ASYNC = 12           /* raise async event type `argument` on the device at once */
};

/* Work requests other than s3r_opcode, for s3r_fake_arm and s3r_fake_totals. */
enum s3r_fake_opcode { S3R_FAKE_OP_BIND = 3, S3R_FAKE_OP_INV = 4 };

/* Arms a fault. `opcode` 0 = WRITE or READ, else s3r_opcode or s3r_fake_opcode; `skip` = matching WRs (calls for 8 to
 * 11) let through first; `times` >= 1 = how often. Faults that only change how bytes move (LATE_WRITE, SHORT,
 * PSN_SKIP) do nothing to a BIND or LOCAL_INV. ASYNC: the upper 32 bits of `argument` are the QP number of a QP
 * event; every open device gets it. */
S3R_API int s3r_fake_arm(int fault, int opcode, int skip, int times, int64_t argument);
S3R_API int s3r_fake_disarm_all(void);
/* Between tests: disarms, drops late writes not yet due, zeroes the totals, and puts back the default limits, devices,
 * ports, addresses and dma-buf support. Open objects stay. */
S3R_API int s3r_fake_reset(void);
/* Bytes moved and WRs executed since start or the last reset, by opcode. */
S3R_API int s3r_fake_totals(int opcode, uint64_t *bytes, uint64_t *wrs);
/* Limits for devices opened from now on: max_qp_wr, max_cqe, max_msg_bytes, max_qp_rd_atom, mtu. 0 = leave. */
S3R_API int s3r_fake_limits(int max_qp_wr, int max_cqe, uint32_t max_msg_bytes, int max_qp_rd_atom, int mtu_bytes);
/* 1: s3r_mr_register_dmabuf works (mmap of the fd), 0: it fails with EOPNOTSUPP. */
S3R_API int s3r_fake_dmabuf(int on);
/* Number of devices shown (0..2); port state of a device index: 1 active, 0 down. */
S3R_API int s3r_fake_devices(int count);
S3R_API int s3r_fake_port(int device_index, int active);
/* Address (host order IPv4) of the IPv4-mapped GID of device index 0 or 1; default 127.0.0.1. */
S3R_API int s3r_fake_address(int device_index, uint32_t ipv4);

#endif
