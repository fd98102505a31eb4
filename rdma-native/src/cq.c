/* Completion queues, each with its own event channel and a wake-up descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "internal.h"

int s3r_cq_create(s3r_device *device, int depth, s3r_cq **out) {
  int code;
  s3r_cq *cq = calloc(1, sizeof *cq);
  if (!cq) return s3r_fail(ENOMEM, "calloc", 0, sizeof *cq, "no memory for a completion queue");
  cq->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (cq->wake_fd < 0) {
    code = s3r_fail(errno, "eventfd", 0, 0, "no descriptor for a completion queue (ulimit -n)");
    goto free_cq;
  }
  cq->channel = ibv_create_comp_channel(device->context);
  if (!cq->channel) {
    code = s3r_fail(errno, "ibv_create_comp_channel", 0, 0, "no completion channel (ulimit -n)");
    goto close_wake;
  }
  int flags = fcntl(cq->channel->fd, F_GETFL);
  if (flags < 0 || fcntl(cq->channel->fd, F_SETFL, flags | O_NONBLOCK) < 0) {
    code = s3r_fail(errno, "fcntl", cq->channel->fd, 0, "completion channel cannot be made non-blocking");
    goto destroy_channel;
  }
  cq->cq = ibv_create_cq(device->context, depth, cq, cq->channel, 0);
  if (!cq->cq) {
    code = s3r_fail(errno, "ibv_create_cq", 0, (uint64_t)depth, "no completion queue of depth %d", depth);
    goto destroy_channel;
  }
  s3r_count(KIND_CQ, 1);
  *out = cq;
  return 0;

destroy_channel:
  ibv_destroy_comp_channel(cq->channel);
close_wake:
  close(cq->wake_fd);
free_cq:
  free(cq);
  return code;
}

int s3r_cq_destroy(s3r_cq *cq) {
  int rc = ibv_destroy_cq(cq->cq);
  if (rc) return s3r_fail(rc, "ibv_destroy_cq", 0, 0, "completion queue still has queue pairs");
  ibv_destroy_comp_channel(cq->channel);
  close(cq->wake_fd);
  free(cq);
  s3r_count(KIND_CQ, -1);
  return 0;
}

int s3r_cq_poll(s3r_cq *cq, struct s3r_completion *out, int capacity) {
  struct ibv_wc wc[64];
  int n = ibv_poll_cq(cq->cq, capacity < 64 ? capacity : 64, wc);
  if (n < 0) return s3r_fail(EIO, "ibv_poll_cq", n, 0, "completion queue broken");
  for (int i = 0; i < n; i++) {
    out[i].wr_id = wc[i].wr_id;
    out[i].status = (int32_t)wc[i].status;
    out[i].qpn = wc[i].qp_num;
    out[i].vendor_error = wc[i].vendor_err;
    out[i].byte_count = wc[i].status == IBV_WC_SUCCESS ? wc[i].byte_len : 0;
  }
  return n;
}

int s3r_cq_arm(s3r_cq *cq) {
  int rc = ibv_req_notify_cq(cq->cq, 0);
  if (rc) return s3r_fail(rc, "ibv_req_notify_cq", 0, 0, "completion queue cannot be armed");
  return 0;
}

static int consume_event(s3r_cq *cq) {
  struct ibv_cq *source;
  void *context;
  /* One: each arming brings one at most. A second, left by a race, makes the next wait return at once, which costs a
     system call then instead of one at every event. */
  if (ibv_get_cq_event(cq->channel, &source, &context)) return 0;
  ibv_ack_cq_events(cq->cq, 1);
  return 1;
}

int s3r_cq_wait(s3r_cq *cq, int timeout_ms) {
  struct pollfd fds[2] = {{.fd = cq->channel->fd, .events = POLLIN}, {.fd = cq->wake_fd, .events = POLLIN}};
  int ready = poll(fds, 2, timeout_ms);
  if (ready < 0 && errno != EINTR) return s3r_fail(errno, "poll", cq->channel->fd, 0, "waiting for completions");
  if (ready <= 0) return 0;
  int result = 0;
  if ((fds[1].revents & POLLIN) && s3r_was_woken(cq->wake_fd)) result = 2;
  if ((fds[0].revents & POLLIN) && consume_event(cq)) result = 1;
  return result;
}

int s3r_cq_wake(s3r_cq *cq) { return s3r_wake(cq->wake_fd, "waking the completion thread"); }
