/* Completion queues and RC queue pairs: state steps, posting, reaping. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fake.h"

enum { POST_MAX = 64 };

static uint32_t next_qpn = 0x11; /* counts up, as on every tested NIC */

/* ---- completion queues ---- */

int s3r_cq_create(s3r_device *device, int depth, s3r_cq **out) {
  if (depth < 1 || depth > device->limits.max_cqe)
    return s3r_fail(EINVAL, "ibv_create_cq", depth, (uint64_t)depth, "no completion queue of depth %d; 1..%d", depth,
                    device->limits.max_cqe);
  s3r_cq *cq = calloc(1, sizeof *cq);
  struct fake_cqe *ring = calloc((size_t)depth, sizeof *ring);
  int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (!cq || !ring || event_fd < 0 || wake_fd < 0) {
    if (wake_fd >= 0) close(wake_fd);
    if (event_fd >= 0) close(event_fd);
    free(ring);
    free(cq);
    return s3r_fail(ENOMEM, "ibv_create_cq", depth, (uint64_t)depth,
                    "no memory or descriptors for a completion queue of depth %d (ulimit -n)", depth);
  }
  *cq = (s3r_cq){.device = device, .depth = depth, .ring = ring, .event_fd = event_fd, .wake_fd = wake_fd};
  fake_lock();
  device->children++;
  fake_unlock();
  s3r_count(KIND_CQ, 1);
  *out = cq;
  return 0;
}

int s3r_cq_destroy(s3r_cq *cq) {
  fake_lock();
  int qps = cq->qps;
  if (!qps) cq->device->children--;
  fake_unlock();
  if (qps) return s3r_fail(EBUSY, "ibv_destroy_cq", qps, 0, "completion queue still has queue pairs");
  close(cq->event_fd);
  close(cq->wake_fd);
  free(cq->ring);
  free(cq);
  s3r_count(KIND_CQ, -1);
  return 0;
}

void fake_push(s3r_qp *qp, const struct fake_wr *wr, int status, uint64_t bytes) {
  s3r_cq *cq = qp->send_cq;
  if (cq->count == cq->depth) {
    if (!cq->overrun) fake_raise(cq->device, S3R_EVENT_CQ_ERR, 0, 0);
    cq->overrun = 1;
    return;
  }
  struct fake_cqe *e = &cq->ring[(cq->head + cq->count++) % cq->depth];
  memset(e, 0, sizeof *e);
  e->completion.wr_id = wr->wr_id;
  e->completion.status = status;
  e->completion.qpn = qp->id.id;
  e->completion.byte_count = status == S3R_WC_SUCCESS ? (uint32_t)bytes : 0;
  e->sequence = wr->sequence;
  if (!cq->armed) return;
  cq->armed = 0;
  s3r_wake(cq->event_fd, "telling of a completion");
}

int s3r_cq_poll(s3r_cq *cq, struct s3r_completion *out, int capacity) {
  int n = 0;
  fake_lock();
  for (; n < capacity && n < 64 && cq->count; n++) {
    struct fake_cqe *e = &cq->ring[cq->head];
    out[n] = e->completion;
    cq->head = (cq->head + 1) % cq->depth;
    cq->count--;
    s3r_qp *qp = fake_find(FAKE_ID_QP, out[n].qpn);
    if (qp && qp->reclaimed <= e->sequence) qp->reclaimed = e->sequence + 1;
  }
  fake_unlock();
  return n;
}

int s3r_cq_arm(s3r_cq *cq) {
  fake_lock();
  cq->armed = 1;
  fake_unlock();
  return 0;
}

int s3r_cq_wait(s3r_cq *cq, int timeout_ms) {
  struct pollfd fds[2] = {{.fd = cq->event_fd, .events = POLLIN}, {.fd = cq->wake_fd, .events = POLLIN}};
  int ready = poll(fds, 2, timeout_ms);
  if (ready < 0 && errno != EINTR) return s3r_fail(errno, "poll", cq->event_fd, 0, "waiting for completions");
  if (ready <= 0) return 0;
  int result = 0;
  if (s3r_was_woken(cq->wake_fd)) result = 2;
  if (s3r_was_woken(cq->event_fd)) result = 1;
  return result;
}

int s3r_cq_wake(s3r_cq *cq) { return s3r_wake(cq->wake_fd, "waking the completion thread"); }

/* As providers do at destroy: completions of a QP that is gone are not delivered. */
static void forget_completions(s3r_cq *cq, uint32_t qpn) {
  int kept = 0;
  for (int i = 0; i < cq->count; i++) {
    struct fake_cqe e = cq->ring[(cq->head + i) % cq->depth];
    if (e.completion.qpn != qpn) cq->ring[(cq->head + kept++) % cq->depth] = e;
  }
  cq->count = kept;
}

/* ---- queue pairs ---- */

static int caps_valid(const struct s3r_qp_caps *caps, const struct fake_limits *limits) {
  uint32_t wr = (uint32_t)limits->max_qp_wr;
  return caps->max_send_wr <= wr && caps->max_recv_wr <= wr && caps->max_send_sge <= FAKE_MAX_SGE &&
         caps->max_recv_sge <= FAKE_MAX_SGE;
}

static void publish(s3r_qp *qp) {
  do next_qpn = (next_qpn + 1) & FAKE_MASK24;
  while (next_qpn < 2 || fake_find(FAKE_ID_QP, next_qpn));
  fake_id_add(&qp->id, FAKE_ID_QP, next_qpn, qp);
  qp->pd->children++;
  qp->send_cq->qps++;
  qp->recv_cq->qps++;
  qp->next = fake_qps;
  if (fake_qps) fake_qps->previous = qp;
  fake_qps = qp;
}

int s3r_qp_create(s3r_pd *pd, s3r_cq *send_cq, s3r_cq *recv_cq, struct s3r_qp_caps *caps, s3r_qp **out) {
  int64_t argument = 0;
  int code = 0;
  fake_lock();
  if (fake_fault_of_call(S3R_FAKE_QP_CREATE, 0, &argument)) code = (int)argument;
  if (!code && (!caps_valid(caps, &pd->device->limits) || send_cq->device != pd->device ||
                recv_cq->device != pd->device))
    code = EINVAL;
  if (!code) code = fake_fabric_start();
  fake_unlock();
  s3r_qp *qp = code ? NULL : calloc(1, sizeof *qp);
  struct fake_wr *ring = code ? NULL : calloc(caps->max_send_wr + (size_t)1, sizeof *ring);
  if (!code && (!qp || !ring)) code = ENOMEM;
  if (code) {
    free(qp);
    free(ring);
    return s3r_fail(code, "ibv_create_qp", (int32_t)caps->max_send_wr, 0,
                    "no RC queue pair with %u send work requests; see max_qp_wr of the device (%d), and all must be "
                    "of one device",
                    caps->max_send_wr, pd->device->limits.max_qp_wr);
  }
  *qp = (s3r_qp){.pd = pd, .send_cq = send_cq, .recv_cq = recv_cq, .caps = *caps, .ring = ring};
  fake_lock();
  publish(qp);
  fake_unlock();
  s3r_count(KIND_QP, 1);
  *out = qp;
  return 0;
}

int s3r_qp_number(s3r_qp *qp, uint32_t *out) {
  *out = qp->id.id;
  return 0;
}

static int refused(s3r_qp *qp, int state, const char *step) {
  return s3r_fail(EINVAL, "ibv_modify_qp", (int32_t)qp->id.id, (uint64_t)(uint32_t)state,
                  "QP 0x%x in state %d refused the step to %s: wrong order or an attribute out of bounds", qp->id.id,
                  state, step);
}

int s3r_qp_to_init(s3r_qp *qp, int port, uint32_t access) {
  uint32_t known = S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ | S3R_ACCESS_MW_BIND;
  fake_lock();
  int state = qp->state;
  int valid = state == S3R_QP_RESET && port == 1 && !(access & ~known);
  if (valid) {
    qp->access = access;
    qp->state = S3R_QP_INIT;
  }
  fake_unlock();
  return valid ? 0 : refused(qp, state, "INIT");
}

static int ipv4_mapped(const uint8_t gid[16]) {
  static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return memcmp(gid, prefix, sizeof prefix) == 0;
}

static int rtr_valid(const s3r_qp *qp, const struct s3r_rtr *rtr, struct s3r_gid_entry *own) {
  static const uint8_t zero[16];
  const struct fake_limits *limits = &qp->pd->device->limits;
  int mtu = rtr->mtu_bytes;
  if (mtu < 256 || (mtu & (mtu - 1)) || mtu > limits->mtu_bytes) return 0;
  if (rtr->port != 1 || fake_gid(qp->pd->device->index, rtr->gid_index, own)) return 0;
  if (memcmp(rtr->remote_gid, zero, 16) == 0 || ipv4_mapped(rtr->remote_gid) != ipv4_mapped(own->gid)) return 0;
  if (rtr->max_dest_rd_atomic < 0 || rtr->max_dest_rd_atomic > limits->max_qp_rd_atom) return 0;
  return rtr->min_rnr_timer >= 0 && rtr->min_rnr_timer <= 31 && rtr->traffic_class >= 0 && rtr->traffic_class <= 255 &&
         rtr->hop_limit >= 0 && rtr->hop_limit <= 255 && rtr->remote_qpn <= FAKE_MASK24;
}

int s3r_qp_to_rtr(s3r_qp *qp, const struct s3r_rtr *rtr) {
  struct s3r_gid_entry own;
  fake_lock();
  int state = qp->state;
  int valid = state == S3R_QP_INIT && rtr_valid(qp, rtr, &own);
  if (valid) {
    qp->rtr = *rtr;
    qp->rq_psn = rtr->rq_psn & FAKE_MASK24;
    memcpy(qp->gid, own.gid, 16);
    qp->gid_type = own.type;
    qp->state = S3R_QP_RTR;
  }
  fake_unlock();
  return valid ? 0 : refused(qp, state, "RTR");
}

int s3r_qp_to_rts(s3r_qp *qp, const struct s3r_rts *rts) {
  if (rts->retry_cnt < 0 || rts->retry_cnt > 6 || rts->timeout < 1 || rts->timeout > 31 || rts->max_rd_atomic < 1)
    return s3r_fail(EINVAL, "s3r_qp_to_rts", rts->retry_cnt, (uint64_t)(uint32_t)rts->timeout,
                    "retry_cnt %d (0..6), timeout %d (1..31), max_rd_atomic %d (>= 1): out of bounds", rts->retry_cnt,
                    rts->timeout, rts->max_rd_atomic);
  fake_lock();
  int state = qp->state;
  int valid = state == S3R_QP_RTR && rts->rnr_retry >= 0 && rts->rnr_retry <= 7 &&
              rts->max_rd_atomic <= qp->pd->device->limits.max_qp_rd_atom;
  if (valid) {
    qp->rts = *rts;
    qp->sq_psn = rts->sq_psn & FAKE_MASK24;
    qp->state = S3R_QP_RTS;
  }
  fake_unlock();
  return valid ? 0 : refused(qp, state, "RTS");
}

int s3r_qp_to_error(s3r_qp *qp) {
  fake_lock();
  int state = qp->state;
  if (state != S3R_QP_RESET) { /* the verbs state table has no step from RESET to ERROR */
    qp->state = S3R_QP_ERROR;
    qp->fenced = 1;
    fake_work_came();
    while (qp->users) fake_wait_idle();
  }
  fake_unlock();
  return state == S3R_QP_RESET ? refused(qp, state, "ERROR") : 0;
}

int s3r_qp_query(s3r_qp *qp, struct s3r_qp_info *out) {
  memset(out, 0, sizeof *out);
  fake_lock();
  out->state = qp->state;
  out->qpn = qp->id.id;
  out->sq_psn = qp->sq_psn;
  out->rq_psn = qp->rq_psn;
  out->dest_qpn = qp->rtr.remote_qpn;
  out->access = qp->access;
  out->path_mtu_bytes = qp->rtr.mtu_bytes;
  out->retry_cnt = qp->rts.retry_cnt;
  out->timeout = qp->rts.timeout;
  out->max_rd_atomic = qp->rts.max_rd_atomic;
  out->max_dest_rd_atomic = qp->rtr.max_dest_rd_atomic;
  fake_unlock();
  return 0;
}

int s3r_qp_destroy(s3r_qp *qp) {
  fake_lock();
  fake_id_remove(&qp->id);
  qp->state = S3R_QP_ERROR;
  qp->pending = 0;
  while (qp->users) fake_wait_idle();
  if (qp->previous) qp->previous->next = qp->next;
  if (qp->next) qp->next->previous = qp->previous;
  if (fake_qps == qp) fake_qps = qp->next;
  qp->pd->children--;
  qp->send_cq->qps--;
  qp->recv_cq->qps--;
  forget_completions(qp->send_cq, qp->id.id);
  fake_forget_events(qp->pd->device, qp->id.id);
  fake_unlock();
  free(qp->ring);
  free(qp);
  s3r_count(KIND_QP, -1);
  return 0;
}

/* ---- posting ---- */

struct fake_wr *fake_slot(s3r_qp *qp, int *code) {
  if (qp->state != S3R_QP_RTS && qp->state != S3R_QP_ERROR) {
    *code = EINVAL;
    return NULL;
  }
  if (qp->posted - qp->reclaimed >= qp->caps.max_send_wr) {
    *code = ENOMEM;
    return NULL;
  }
  struct fake_wr *wr = &qp->ring[(qp->head + qp->pending++) % (qp->caps.max_send_wr + 1)];
  memset(wr, 0, sizeof *wr);
  wr->sequence = qp->posted++;
  return wr;
}

static int post_locked(s3r_qp *qp, int opcode, const struct s3r_chunk *chunks, int count, int *code) {
  int64_t argument = 0;
  if (qp->caps.max_send_sge < 1) {
    *code = EINVAL;
    return 0;
  }
  int n = 0;
  for (; n < count; n++) {
    const struct s3r_chunk *c = &chunks[n];
    if (fake_fault_of_call(S3R_FAKE_POST, opcode, &argument)) {
      *code = (int)argument;
      break;
    }
    struct fake_wr *wr = fake_slot(qp, code);
    if (!wr) break;
    wr->opcode = opcode;
    wr->signaled = (c->flags & S3R_CHUNK_SIGNALED) != 0;
    wr->wr_id = c->wr_id;
    wr->local_address = c->local_address;
    wr->remote_address = c->remote_address;
    wr->length = c->length;
    wr->lkey = c->lkey;
    wr->rkey = c->rkey;
  }
  if (n) fake_work_came();
  return n;
}

int s3r_post(s3r_qp *qp, int opcode, const struct s3r_chunk *chunks, int count, int *posted) {
  *posted = 0;
  if (count < 1 || count > POST_MAX || (opcode != S3R_OP_WRITE && opcode != S3R_OP_READ))
    return s3r_fail(EINVAL, "s3r_post", count, (uint64_t)(uint32_t)opcode,
                    "count %d (1..%d) or opcode %d out of bounds", count, POST_MAX, opcode);
  int code = 0;
  fake_lock();
  *posted = post_locked(qp, opcode, chunks, count, &code);
  fake_unlock();
  if (code)
    return s3r_fail(code, "ibv_post_send", (int32_t)qp->id.id, (uint64_t)(uint32_t)count,
                    "QP 0x%x took %d of %d chunks; ENOMEM means more was posted than the queue was asked to hold",
                    qp->id.id, *posted, count);
  return count;
}
