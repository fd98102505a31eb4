/* Devices, their one port, GIDs and asynchronous events. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fake.h"

const char *s3r_provider(void) { return "fake"; }

const char *s3r_wc_status_text(int status) {
  switch (status) {
    case S3R_WC_SUCCESS: return "success";
    case S3R_WC_LOC_LEN_ERR: return "local length error";
    case S3R_WC_LOC_QP_OP_ERR: return "local QP operation error";
    case S3R_WC_LOC_PROT_ERR: return "local protection error";
    case S3R_WC_WR_FLUSH_ERR: return "Work Request Flushed Error";
    case S3R_WC_MW_BIND_ERR: return "memory bind operation error";
    case S3R_WC_LOC_ACCESS_ERR: return "local access error";
    case S3R_WC_REM_INV_REQ_ERR: return "remote invalid request error";
    case S3R_WC_REM_ACCESS_ERR: return "remote access error";
    case S3R_WC_REM_OP_ERR: return "remote operation error";
    case S3R_WC_RETRY_EXC_ERR: return "transport retry counter exceeded";
    case S3R_WC_RNR_RETRY_EXC_ERR: return "RNR retry counter exceeded";
    case S3R_WC_FATAL_ERR: return "fatal error";
    case S3R_WC_GENERAL_ERR: return "general error";
    default: return "unknown";
  }
}

int s3r_device_list(struct s3r_device_name *out, int capacity) {
  fake_lock();
  int count = fake_devices_shown;
  fake_unlock();
  for (int i = 0; i < count && i < capacity; i++) snprintf(out[i].name, sizeof out[i].name, "fake%d", i);
  return count;
}

static int index_of(const char *name) {
  for (int i = 0; i < fake_devices_shown; i++) {
    char known[16];
    snprintf(known, sizeof known, "fake%d", i);
    if (strcmp(name, known) == 0) return i;
  }
  return -1;
}

int s3r_device_open(const char *name, s3r_device **out) {
  s3r_device *device = calloc(1, sizeof *device);
  if (!device) return s3r_fail(ENOMEM, "calloc", 0, sizeof *device, "no memory for a device");
  device->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  device->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (device->event_fd < 0 || device->wake_fd < 0) {
    int code = errno;
    if (device->event_fd >= 0) close(device->event_fd);
    if (device->wake_fd >= 0) close(device->wake_fd);
    free(device);
    return s3r_fail(code, "eventfd", 0, 0, "no descriptor for a device (ulimit -n)");
  }
  fake_lock();
  device->index = index_of(name);
  if (device->index >= 0) {
    device->limits = fake_next_limits;
    device->next = fake_device_list;
    fake_device_list = device;
  }
  fake_unlock();
  if (device->index < 0) {
    close(device->event_fd);
    close(device->wake_fd);
    free(device);
    return s3r_fail(ENODEV, "ibv_open_device", 0, 0,
                    "cannot open RDMA device '%s'; s3r_fake_devices sets how many there are", name);
  }
  s3r_count(KIND_DEVICE, 1);
  *out = device;
  return 0;
}

int s3r_device_close(s3r_device *device) {
  fake_lock();
  int children = device->children;
  if (!children) {
    s3r_device **link = &fake_device_list;
    while (*link != device) link = &(*link)->next;
    *link = device->next;
  }
  fake_unlock();
  if (children)
    return s3r_fail(EBUSY, "ibv_close_device", children, 0, "device still has %d objects; close them first", children);
  close(device->event_fd);
  close(device->wake_fd);
  free(device);
  s3r_count(KIND_DEVICE, -1);
  return 0;
}

int s3r_device_query(s3r_device *device, struct s3r_device_attr *out) {
  memset(out, 0, sizeof *out);
  snprintf(out->name, sizeof out->name, "fake%d", device->index);
  snprintf(out->firmware, sizeof out->firmware, "fake");
  out->max_mr_size = (uint64_t)1 << 40;
  out->page_size_cap = 0xfffff000;
  out->max_qp = 65536;
  out->max_qp_wr = device->limits.max_qp_wr;
  out->max_sge = FAKE_MAX_SGE;
  out->max_cqe = device->limits.max_cqe;
  out->max_mr = 1 << 20;
  out->max_mw = 1 << 20;
  out->max_qp_rd_atom = device->limits.max_qp_rd_atom;
  out->max_qp_init_rd_atom = device->limits.max_qp_rd_atom;
  out->mw_type2 = 1;
  out->ports = 1;
  return 0;
}

int s3r_port_query(s3r_device *device, int port, struct s3r_port_attr *out) {
  if (port != 1)
    return s3r_fail(EINVAL, "ibv_query_port", port, 0, "port %d of 'fake%d' does not answer", port, device->index);
  fake_lock();
  int active = fake_nodes[device->index].active;
  fake_unlock();
  memset(out, 0, sizeof *out);
  out->max_msg_bytes = device->limits.max_msg_bytes;
  out->active = active;
  out->active_mtu_bytes = device->limits.mtu_bytes;
  out->max_mtu_bytes = 4096;
  out->gid_count = FAKE_GIDS;
  out->ethernet = 1;
  out->state = active ? FAKE_PORT_STATE_ACTIVE : FAKE_PORT_STATE_DOWN;
  return 0;
}

int fake_gid(int device_index, int gid_index, struct s3r_gid_entry *out) {
  static const uint8_t link_local[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x50, 0x54, 0, 0xff, 0xfe, 0, 0, 1};
  if (gid_index < 0 || gid_index >= FAKE_GIDS) return -EINVAL;
  memset(out, 0, sizeof *out);
  out->index = gid_index;
  out->type = gid_index == 1 ? S3R_GID_ROCE_V1 : S3R_GID_ROCE_V2;
  out->netdev = 1;
  if (gid_index == 0) {
    memcpy(out->gid, link_local, 16);
    out->gid[15] = (uint8_t)(1 + device_index);
    return 0;
  }
  uint32_t ipv4 = fake_nodes[device_index].ipv4;
  out->gid[10] = out->gid[11] = 0xff;
  for (int i = 0; i < 4; i++) out->gid[12 + i] = (uint8_t)(ipv4 >> (24 - 8 * i));
  return 0;
}

int s3r_gid_list(s3r_device *device, int port, struct s3r_gid_entry *out, int capacity) {
  if (port != 1) return 0;
  fake_lock();
  for (int i = 0; i < FAKE_GIDS && i < capacity; i++) fake_gid(device->index, i, &out[i]);
  fake_unlock();
  return FAKE_GIDS;
}

/* ---- events ---- */

static int known_event(int type) {
  return (type >= S3R_EVENT_CQ_ERR && type <= S3R_EVENT_QP_ACCESS_ERR) ||
         (type >= S3R_EVENT_DEVICE_FATAL && type <= S3R_EVENT_PORT_ERR) || type == S3R_EVENT_GID_CHANGE;
}

void fake_raise(s3r_device *device, int type, int port, uint32_t qpn) {
  if (device->event_count == FAKE_EVENTS) return; /* nobody reads them: the first ones tell more */
  struct s3r_async_event *e = &device->events[(device->event_head + device->event_count++) % FAKE_EVENTS];
  memset(e, 0, sizeof *e);
  e->type = known_event(type) ? type : S3R_EVENT_OTHER;
  e->raw = type;
  if (type == S3R_EVENT_PORT_ACTIVE || type == S3R_EVENT_PORT_ERR || type == S3R_EVENT_GID_CHANGE) e->port = port;
  if (type >= S3R_EVENT_QP_FATAL && type <= S3R_EVENT_QP_ACCESS_ERR) e->qpn = qpn;
  uint64_t one = 1;
  if (write(device->event_fd, &one, sizeof one) < 0) return; /* cannot fill: fewer than FAKE_EVENTS counts */
}

void fake_raise_all(int device_index, int type, int port, uint32_t qpn) {
  for (s3r_device *d = fake_device_list; d; d = d->next)
    if (device_index < 0 || d->index == device_index) fake_raise(d, type, port, qpn);
}

/* Unread events of a destroyed QP vanish with it, as in the kernel. */
void fake_forget_events(s3r_device *device, uint32_t qpn) {
  int kept = 0;
  for (int i = 0; i < device->event_count; i++) {
    struct s3r_async_event e = device->events[(device->event_head + i) % FAKE_EVENTS];
    if (e.qpn != qpn) device->events[(device->event_head + kept++) % FAKE_EVENTS] = e;
  }
  for (; device->event_count > kept; device->event_count--) {
    uint64_t count;
    if (read(device->event_fd, &count, sizeof count) < 0) continue;
  }
}

int s3r_async_wait(s3r_device *device, int timeout_ms, struct s3r_async_event *out) {
  struct pollfd fds[2] = {{.fd = device->event_fd, .events = POLLIN}, {.fd = device->wake_fd, .events = POLLIN}};
  int ready = poll(fds, 2, timeout_ms);
  if (ready < 0 && errno != EINTR) return s3r_fail(errno, "poll", fds[0].fd, 0, "waiting for asynchronous events");
  if (ready <= 0) return 0;
  if (!fds[0].revents) return s3r_was_woken(device->wake_fd) ? 2 : 0;
  uint64_t count;
  int found = 0;
  fake_lock();
  if (read(device->event_fd, &count, sizeof count) == (ssize_t)sizeof count && device->event_count > 0) {
    *out = device->events[device->event_head];
    device->event_head = (device->event_head + 1) % FAKE_EVENTS;
    device->event_count--;
    found = 1;
  }
  fake_unlock();
  return found;
}

int s3r_async_wake(s3r_device *device) { return s3r_wake(device->wake_fd, "waking the event thread"); }
