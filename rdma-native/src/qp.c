/* RC queue pairs: each state step, the PSN query, and the data path. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { POST_MAX = 64 };

int s3r_qp_create(s3r_pd *pd, s3r_cq *send_cq, s3r_cq *recv_cq, struct s3r_qp_caps *caps, s3r_qp **out) {
  s3r_qp *qp = calloc(1, sizeof *qp);
  if (!qp) return s3r_fail(ENOMEM, "calloc", 0, sizeof *qp, "no memory for a queue pair");
  struct ibv_qp_init_attr init;
  memset(&init, 0, sizeof init);
  init.send_cq = send_cq->cq;
  init.recv_cq = recv_cq->cq;
  init.qp_type = IBV_QPT_RC;
  init.cap.max_send_wr = caps->max_send_wr;
  init.cap.max_recv_wr = caps->max_recv_wr;
  init.cap.max_send_sge = caps->max_send_sge;
  init.cap.max_recv_sge = caps->max_recv_sge;
  qp->qp = ibv_create_qp(pd->pd, &init);
  if (!qp->qp) {
    int code = errno;
    free(qp);
    return s3r_fail(code, "ibv_create_qp", (int32_t)caps->max_send_wr, 0,
                    "no RC queue pair with %u send work requests; see max_qp and max_qp_wr of the device",
                    caps->max_send_wr);
  }
  caps->max_send_wr = init.cap.max_send_wr;
  caps->max_recv_wr = init.cap.max_recv_wr;
  caps->max_send_sge = init.cap.max_send_sge;
  caps->max_recv_sge = init.cap.max_recv_sge;
  s3r_count(KIND_QP, 1);
  *out = qp;
  return 0;
}

int s3r_qp_number(s3r_qp *qp, uint32_t *out) {
  *out = qp->qp->qp_num;
  return 0;
}

static int modify(s3r_qp *qp, struct ibv_qp_attr *attr, int mask, const char *step) {
  int rc = ibv_modify_qp(qp->qp, attr, mask);
  if (rc)
    return s3r_fail(rc, "ibv_modify_qp", (int32_t)qp->qp->qp_num, (uint64_t)(uint32_t)mask,
                    "QP 0x%x refused the step to %s", qp->qp->qp_num, step);
  return 0;
}

int s3r_qp_to_init(s3r_qp *qp, int port, uint32_t access) {
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.qp_state = IBV_QPS_INIT;
  attr.pkey_index = 0;
  attr.port_num = (uint8_t)port;
  attr.qp_access_flags = (unsigned)s3r_access_to_verbs(access);
  return modify(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
}

int s3r_qp_to_rtr(s3r_qp *qp, const struct s3r_rtr *rtr) {
  struct ibv_qp_attr attr;
  /* Soft-RoCE takes an undefined MTU and then sends nothing. */
  if (!s3r_mtu_to_verbs(rtr->mtu_bytes))
    return s3r_fail(EINVAL, "s3r_qp_to_rtr", rtr->mtu_bytes, 0, "path MTU %d is none of 256, 512, 1024, 2048, 4096",
                    rtr->mtu_bytes);
  memset(&attr, 0, sizeof attr);
  attr.qp_state = IBV_QPS_RTR;
  attr.path_mtu = s3r_mtu_to_verbs(rtr->mtu_bytes);
  attr.dest_qp_num = rtr->remote_qpn;
  attr.rq_psn = rtr->rq_psn & 0xffffff;
  attr.max_dest_rd_atomic = (uint8_t)rtr->max_dest_rd_atomic;
  attr.min_rnr_timer = (uint8_t)rtr->min_rnr_timer;
  attr.ah_attr.port_num = (uint8_t)rtr->port;
  attr.ah_attr.dlid = (uint16_t)rtr->remote_lid;
  attr.ah_attr.is_global = 1;
  memcpy(attr.ah_attr.grh.dgid.raw, rtr->remote_gid, 16);
  attr.ah_attr.grh.sgid_index = (uint8_t)rtr->gid_index;
  attr.ah_attr.grh.hop_limit = (uint8_t)rtr->hop_limit;
  attr.ah_attr.grh.traffic_class = (uint8_t)rtr->traffic_class;
  return modify(qp, &attr,
                IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
                "RTR");
}

int s3r_qp_to_rts(s3r_qp *qp, const struct s3r_rts *rts) {
  /* retry_cnt 7 and timeout 0 mean "for ever" on Soft-RoCE; READ depth 0 hangs there without an error. */
  if (rts->retry_cnt < 0 || rts->retry_cnt > 6 || rts->timeout < 1 || rts->timeout > 31 || rts->max_rd_atomic < 1)
    return s3r_fail(EINVAL, "s3r_qp_to_rts", rts->retry_cnt, (uint64_t)(uint32_t)rts->timeout,
                    "retry_cnt %d (0..6), timeout %d (1..31), max_rd_atomic %d (>= 1): out of bounds", rts->retry_cnt,
                    rts->timeout, rts->max_rd_atomic);
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.qp_state = IBV_QPS_RTS;
  attr.sq_psn = rts->sq_psn & 0xffffff;
  attr.max_rd_atomic = (uint8_t)rts->max_rd_atomic;
  attr.timeout = (uint8_t)rts->timeout;
  attr.retry_cnt = (uint8_t)rts->retry_cnt;
  attr.rnr_retry = (uint8_t)rts->rnr_retry;
  return modify(qp, &attr,
                IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                    IBV_QP_TIMEOUT,
                "RTS");
}

int s3r_qp_to_error(s3r_qp *qp) {
  struct ibv_qp_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.qp_state = IBV_QPS_ERR;
  return modify(qp, &attr, IBV_QP_STATE, "ERROR");
}

static int state_of(enum ibv_qp_state state) {
  switch (state) {
    case IBV_QPS_RESET: return S3R_QP_RESET;
    case IBV_QPS_INIT: return S3R_QP_INIT;
    case IBV_QPS_RTR: return S3R_QP_RTR;
    case IBV_QPS_RTS: return S3R_QP_RTS;
    case IBV_QPS_ERR: return S3R_QP_ERROR;
    default: return S3R_QP_OTHER;
  }
}

int s3r_qp_query(s3r_qp *qp, struct s3r_qp_info *out) {
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  memset(&attr, 0, sizeof attr);
  memset(&init, 0, sizeof init);
  int rc = ibv_query_qp(qp->qp, &attr,
                        IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_RQ_PSN | IBV_QP_DEST_QPN | IBV_QP_ACCESS_FLAGS |
                            IBV_QP_PATH_MTU | IBV_QP_RETRY_CNT | IBV_QP_TIMEOUT | IBV_QP_MAX_QP_RD_ATOMIC |
                            IBV_QP_MAX_DEST_RD_ATOMIC,
                        &init);
  if (rc) return s3r_fail(rc, "ibv_query_qp", (int32_t)qp->qp->qp_num, 0, "QP 0x%x cannot be queried", qp->qp->qp_num);
  memset(out, 0, sizeof *out);
  out->state = state_of(attr.qp_state);
  out->qpn = qp->qp->qp_num;
  out->sq_psn = attr.sq_psn & 0xffffff;
  out->rq_psn = attr.rq_psn & 0xffffff;
  out->dest_qpn = attr.dest_qp_num;
  out->access = s3r_access_from_verbs((int)attr.qp_access_flags);
  out->path_mtu_bytes = s3r_mtu_from_verbs(attr.path_mtu);
  out->retry_cnt = attr.retry_cnt;
  out->timeout = attr.timeout;
  out->max_rd_atomic = attr.max_rd_atomic;
  out->max_dest_rd_atomic = attr.max_dest_rd_atomic;
  return 0;
}

int s3r_qp_destroy(s3r_qp *qp) {
  uint32_t qpn = qp->qp->qp_num;
  int rc = ibv_destroy_qp(qp->qp);
  if (rc) return s3r_fail(rc, "ibv_destroy_qp", (int32_t)qpn, 0, "QP 0x%x not destroyed", qpn);
  free(qp);
  s3r_count(KIND_QP, -1);
  return 0;
}

static void fill(struct ibv_send_wr *wr, struct ibv_sge *sge, enum ibv_wr_opcode opcode, const struct s3r_chunk *c) {
  sge->addr = c->local_address;
  sge->length = c->length;
  sge->lkey = c->lkey;
  wr->wr_id = c->wr_id;
  wr->next = NULL;
  wr->sg_list = sge;
  wr->num_sge = 1;
  wr->opcode = opcode;
  wr->send_flags = (c->flags & S3R_CHUNK_SIGNALED ? IBV_SEND_SIGNALED : 0) |
                   (c->flags & S3R_CHUNK_FENCE ? IBV_SEND_FENCE : 0);
  wr->imm_data = 0;
  wr->wr.rdma.remote_addr = c->remote_address;
  wr->wr.rdma.rkey = c->rkey;
}

int s3r_post(s3r_qp *qp, int opcode, const struct s3r_chunk *chunks, int count, int *posted) {
  struct ibv_send_wr wr[POST_MAX];
  struct ibv_sge sge[POST_MAX];
  struct ibv_send_wr *bad = NULL;
  *posted = 0;
  if (count < 1 || count > POST_MAX || (opcode != S3R_OP_WRITE && opcode != S3R_OP_READ))
    return s3r_fail(EINVAL, "s3r_post", count, (uint64_t)(uint32_t)opcode,
                    "count %d (1..%d) or opcode %d out of bounds", count, POST_MAX, opcode);
  enum ibv_wr_opcode verb = opcode == S3R_OP_WRITE ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
  for (int i = 0; i < count; i++) {
    fill(&wr[i], &sge[i], verb, &chunks[i]);
    if (i) wr[i - 1].next = &wr[i];
  }
  int rc = ibv_post_send(qp->qp, wr, &bad);
  if (rc) {
    *posted = bad ? (int)(bad - wr) : 0;
    return s3r_fail(rc, "ibv_post_send", (int32_t)qp->qp->qp_num, (uint64_t)(uint32_t)count,
                    "QP 0x%x took %d of %d chunks; ENOMEM means more was posted than the queue was asked to hold",
                    qp->qp->qp_num, *posted, count);
  }
  *posted = count;
  return count;
}
