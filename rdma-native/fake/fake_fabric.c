/* The fabric: one thread executes the work requests of all queue pairs, in order per QP, a slice of each in turn. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

enum { SLICE = 256 * 1024 };

static const uint64_t MS = 1000000;
static const uint64_t RETRY_CAP = 300 * 1000000ull;
static const uint64_t RETRY_STEP = 2 * 1000000ull;

/* A work request that completed with WR_FLUSH_ERR while its bytes are still under way. */
struct late {
  struct fake_wr wr;
  uint32_t qpn;
  struct late *next;
};

s3r_qp *fake_qps;
static struct late *late_list;
static int started;

/* ---- finding and asking the peer ---- */

static int same_gid(const uint8_t a[16], const uint8_t b[16]) { return memcmp(a, b, 16) == 0; }

static int port_has_gid(int device_index, const uint8_t gid[16], int type) {
  struct s3r_gid_entry entry;
  if (!fake_nodes[device_index].active) return 0;
  for (int i = 0; i < FAKE_GIDS; i++)
    if (fake_gid(device_index, i, &entry) == 0 && entry.type == type && same_gid(entry.gid, gid)) return 1;
  return 0;
}

/* The QP that would answer: there, connected back, and both ends still own their GIDs. NULL: silence. */
static s3r_qp *reachable(const s3r_qp *qp) {
  s3r_qp *peer = fake_find(FAKE_ID_QP, qp->rtr.remote_qpn);
  if (!peer || (peer->state != S3R_QP_RTR && peer->state != S3R_QP_RTS)) return NULL;
  if (peer->rtr.remote_qpn != qp->id.id || peer->gid_type != qp->gid_type) return NULL;
  if (!same_gid(peer->gid, qp->rtr.remote_gid) || !same_gid(qp->gid, peer->rtr.remote_gid)) return NULL;
  if (!port_has_gid(qp->pd->device->index, qp->gid, qp->gid_type)) return NULL;
  return port_has_gid(peer->pd->device->index, peer->gid, peer->gid_type) ? peer : NULL;
}

/* What the responder says to a request; with success *region holds the bytes (NULL for a zero length). */
static int responder_check(const s3r_qp *qp, const s3r_qp *peer, const struct fake_wr *wr, s3r_mr **region) {
  int read = wr->opcode == S3R_OP_READ;
  uint32_t right = read ? S3R_ACCESS_REMOTE_READ : S3R_ACCESS_REMOTE_WRITE;
  if (qp->rtr.mtu_bytes != peer->rtr.mtu_bytes) return S3R_WC_REM_INV_REQ_ERR;
  /* Stricter than Soft-RoCE: more READs than the peer said it takes is refused even when they come one by one. */
  if (read && qp->rts.max_rd_atomic > peer->rtr.max_dest_rd_atomic) return S3R_WC_REM_INV_REQ_ERR;
  if (!(peer->access & right)) return S3R_WC_REM_ACCESS_ERR;
  *region = NULL;
  if (wr->length == 0) return S3R_WC_SUCCESS;
  *region = fake_remote_region(peer, wr->rkey, wr->remote_address, wr->length, right);
  return *region ? S3R_WC_SUCCESS : S3R_WC_REM_ACCESS_ERR;
}

static int requester_check(const s3r_qp *qp, const struct fake_wr *wr, s3r_mr **region) {
  *region = NULL;
  if (wr->length > qp->pd->device->limits.max_msg_bytes) return S3R_WC_LOC_LEN_ERR;
  if (wr->length == 0) return S3R_WC_SUCCESS;
  *region = fake_local_region(qp->pd, wr->lkey, wr->local_address, wr->length, wr->opcode == S3R_OP_READ);
  return *region ? S3R_WC_SUCCESS : S3R_WC_LOC_PROT_ERR;
}

/* ---- moving bytes ---- */

static uint64_t to_move(const struct fake_wr *wr) {
  int cut = wr->fault == S3R_FAKE_SHORT && (uint64_t)wr->argument < wr->length;
  return cut ? (uint64_t)wr->argument : wr->length;
}

/* One slice, without the lock. Until it ends nobody frees the two regions and QPs; afterwards all may have changed. */
static void move_slice(s3r_qp *qp, s3r_qp *peer, struct fake_wr *wr, s3r_mr *local, s3r_mr *remote) {
  uint64_t left = to_move(wr) - wr->done;
  size_t n = left < SLICE ? (size_t)left : (size_t)SLICE;
  if (n == 0) return;
  unsigned char *near_side = local->base + (wr->local_address - local->iova) + wr->done;
  unsigned char *far_side = remote->base + (wr->remote_address - remote->iova) + wr->done;
  int read = wr->opcode == S3R_OP_READ;
  int opcode = wr->opcode;
  local->users++;
  remote->users++;
  qp->users++;
  peer->users++;
  fake_unlock();
  memmove(read ? near_side : far_side, read ? far_side : near_side, n);
  fake_lock();
  local->users--;
  remote->users--;
  qp->users--;
  peer->users--;
  wr->done += n;
  fake_count_move(opcode, n, 0);
  fake_copy_ended();
}

/* ---- ending a work request ---- */

static void complete(s3r_qp *qp, int status, uint64_t bytes) {
  struct fake_wr *wr = &qp->ring[qp->head];
  int lost = status == S3R_WC_SUCCESS && wr->fault == S3R_FAKE_LOSE_COMPLETION;
  if ((wr->signaled || status) && !lost) fake_push(qp, wr, status, bytes);
  qp->head = (qp->head + 1) % (qp->caps.max_send_wr + 1);
  qp->pending--;
}

static void fail(s3r_qp *qp, int status) {
  qp->state = S3R_QP_ERROR;
  complete(qp, status, 0);
}

static void fail_both(s3r_qp *qp, s3r_qp *peer, int status) {
  fail(qp, status);
  peer->state = S3R_QP_ERROR;
  int access = status == S3R_WC_REM_ACCESS_ERR;
  fake_raise(peer->pd->device, access ? S3R_EVENT_QP_ACCESS_ERR : S3R_EVENT_QP_REQ_ERR, 0, peer->id.id);
}

static void succeed(s3r_qp *qp, s3r_qp *peer, const struct fake_wr *wr) {
  uint64_t bytes = to_move(wr);
  uint64_t mtu = (uint64_t)qp->rtr.mtu_bytes;
  uint64_t packets = bytes ? (bytes + mtu - 1) / mtu : 1;
  if (wr->fault == S3R_FAKE_PSN_SKIP) packets -= (uint64_t)wr->argument < packets ? (uint64_t)wr->argument : packets;
  qp->sq_psn = (uint32_t)(qp->sq_psn + packets) & FAKE_MASK24;
  peer->rq_psn = (uint32_t)(peer->rq_psn + packets) & FAKE_MASK24;
  fake_count_move(wr->opcode, 0, 1);
  complete(qp, S3R_WC_SUCCESS, bytes);
}

static uint64_t retry_time(const s3r_qp *qp) {
  uint64_t t = (uint64_t)(qp->rts.retry_cnt + 1) * (4096ull << qp->rts.timeout);
  return t < RETRY_CAP ? t : RETRY_CAP;
}

/* The peer is silent: asks again every 2 ms until the retries are used up. */
static int silence(s3r_qp *qp, struct fake_wr *wr, uint64_t now) {
  if (!wr->retry_at) wr->retry_at = now + retry_time(qp);
  if (now >= wr->retry_at) {
    fail(qp, S3R_WC_RETRY_EXC_ERR);
    return 1;
  }
  wr->wake_at = wr->retry_at - now < RETRY_STEP ? wr->retry_at : now + RETRY_STEP;
  return 1;
}

/* ---- executing ---- */

static int run_data(s3r_qp *qp, struct fake_wr *wr, uint64_t now) {
  s3r_mr *local;
  s3r_mr *remote;
  int status = requester_check(qp, wr, &local);
  if (status) {
    fail(qp, status);
    return 1;
  }
  s3r_qp *peer = reachable(qp);
  if (!peer || peer->rq_psn != qp->sq_psn) return silence(qp, wr, now);
  wr->retry_at = 0;
  status = responder_check(qp, peer, wr, &remote);
  if (status) {
    fail_both(qp, peer, status);
    return 1;
  }
  move_slice(qp, peer, wr, local, remote);
  /* A QP that went to ERROR meanwhile flushes this WR, a silent peer is asked again: in the next turn. */
  if (qp->pending && wr->done == to_move(wr) && qp->state == S3R_QP_RTS && peer == reachable(qp)) succeed(qp, peer, wr);
  return 1;
}

static int run_window(s3r_qp *qp, struct fake_wr *wr) {
  int status = wr->opcode == S3R_FAKE_OP_BIND ? fake_bind(qp, wr) : fake_invalidate(qp, wr);
  if (status) {
    fail(qp, status);
    return 1;
  }
  fake_count_move(wr->opcode, 0, 1);
  complete(qp, S3R_WC_SUCCESS, 0);
  return 1;
}

static void defer(s3r_qp *qp, const struct fake_wr *wr, uint64_t now) {
  struct late *l = calloc(1, sizeof *l);
  if (!l) return;
  l->wr = *wr;
  l->wr.wake_at = now + (uint64_t)wr->argument * MS;
  l->qpn = qp->id.id;
  l->next = late_list;
  late_list = l;
}

/* Applies a fault to a WR that is about to execute; 1: the WR is done with. */
static int inject(s3r_qp *qp, struct fake_wr *wr, uint64_t now) {
  wr->phase = PHASE_READY;
  wr->fault = fake_fault_of_wr(wr->opcode, &wr->argument);
  switch (wr->fault) {
    case S3R_FAKE_STATUS:
      if (wr->argument) fail(qp, (int)wr->argument);
      else complete(qp, S3R_WC_SUCCESS, wr->length);
      return 1;
    case S3R_FAKE_LATE_WRITE:
      if (wr->opcode > S3R_OP_READ) return 0;
      defer(qp, wr, now);
      fail(qp, S3R_WC_WR_FLUSH_ERR);
      return 1;
    case S3R_FAKE_DELAY:
      wr->wake_at = now + (uint64_t)wr->argument * MS;
      return 0;
    case S3R_FAKE_STALL:
      wr->phase = PHASE_STALLED;
      return 0;
    default: return 0;
  }
}

/* One turn of one QP; 1 if something happened, else *next is lowered to when it wants to run. */
static int step(s3r_qp *qp, uint64_t now, uint64_t *next) {
  if (!qp->pending) return 0;
  struct fake_wr *wr = &qp->ring[qp->head];
  if (qp->state == S3R_QP_ERROR) {
    complete(qp, S3R_WC_WR_FLUSH_ERR, 0);
    return 1;
  }
  if (wr->phase == PHASE_NEW && inject(qp, wr, now)) return 1;
  if (wr->phase == PHASE_STALLED) return 0;
  if (wr->wake_at > now) {
    if (wr->wake_at < *next) *next = wr->wake_at;
    return 0;
  }
  return wr->opcode <= S3R_OP_READ ? run_data(qp, wr, now) : run_window(qp, wr);
}

/* A NIC has done a bind before the poster looks for it; a thread that must first be woken has not. While a copy runs for
   or into the QP, the thread does it, since an invalidation must not complete before the last byte is in place. */
void fake_window_came(s3r_qp *qp) {
  uint64_t next = UINT64_MAX;
  if (qp->pending == 1 && qp->users == 0 && qp->state == S3R_QP_RTS) step(qp, fake_now(), &next);
  if (qp->pending) fake_work_came();
}

/* ---- late writes ---- */

/* Moves a slice of it if every fence still lets it pass; 1 while there is more. */
static int late_slice(struct late *l) {
  s3r_mr *local;
  s3r_mr *remote;
  s3r_qp *qp = fake_find(FAKE_ID_QP, l->qpn);
  if (!qp || qp->fenced || requester_check(qp, &l->wr, &local)) return 0;
  s3r_qp *peer = reachable(qp);
  if (!peer || peer->fenced || responder_check(qp, peer, &l->wr, &remote)) return 0;
  move_slice(qp, peer, &l->wr, local, remote);
  return l->wr.done < l->wr.length;
}

static int run_late(uint64_t now, uint64_t *next) {
  int happened = 0;
  for (struct late **link = &late_list; *link;) {
    struct late *l = *link;
    if (l->wr.wake_at > now) {
      if (l->wr.wake_at < *next) *next = l->wr.wake_at;
      link = &l->next;
      continue;
    }
    happened = 1;
    *link = l->next; /* off the list while the lock is open: fake_drop_late may run then */
    if (late_slice(l)) {
      l->next = late_list;
      late_list = l;
    } else {
      free(l);
    }
    break;
  }
  return happened;
}

void fake_drop_late(void) {
  while (late_list) {
    struct late *l = late_list;
    late_list = l->next;
    free(l);
  }
}

/* ---- the thread ---- */

static void *fabric(void *unused) {
  (void)unused;
  fake_lock();
  for (;;) {
    uint64_t now = fake_now();
    uint64_t next = UINT64_MAX;
    int happened = run_late(now, &next);
    for (s3r_qp *qp = fake_qps; qp; qp = qp->next) happened |= step(qp, now, &next);
    if (!happened) {
      fake_wait_work(next);
    } else if (fake_lock_wanted()) {
      fake_unlock();
      sched_yield();
      fake_lock();
    }
  }
  return NULL;
}

int fake_fabric_start(void) {
  if (started) return 0;
  sigset_t all;
  sigset_t before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int rc = pthread_create(&thread, NULL, fabric, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc) return rc;
  pthread_setname_np(thread, "s3rdma-fake"); /* benchmarks leave it out by its name */
  pthread_detach(thread);
  started = 1;
  return 0;
}
