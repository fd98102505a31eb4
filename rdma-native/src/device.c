/* Devices, ports, GIDs and asynchronous events. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "internal.h"

const char *s3r_provider(void) { return "verbs"; }

const char *s3r_wc_status_text(int status) { return ibv_wc_status_str((enum ibv_wc_status)status); }

enum ibv_mtu s3r_mtu_to_verbs(int bytes) {
  switch (bytes) {
    case 256: return IBV_MTU_256;
    case 512: return IBV_MTU_512;
    case 1024: return IBV_MTU_1024;
    case 2048: return IBV_MTU_2048;
    case 4096: return IBV_MTU_4096;
    default: return (enum ibv_mtu)0;
  }
}

int s3r_mtu_from_verbs(enum ibv_mtu mtu) {
  return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128 << mtu : 0;
}

int s3r_device_list(struct s3r_device_name *out, int capacity) {
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  if (!list)
    return s3r_fail(errno, "ibv_get_device_list", 0, 0,
                    "no list of RDMA devices; is /dev/infiniband there (modprobe ib_uverbs)?");
  for (int i = 0; i < count && i < capacity; i++)
    snprintf(out[i].name, sizeof out[i].name, "%s", ibv_get_device_name(list[i]));
  ibv_free_device_list(list);
  return count;
}

static struct ibv_context *open_by_name(const char *name) {
  int count = 0;
  struct ibv_context *context = NULL;
  struct ibv_device **list = ibv_get_device_list(&count);
  if (!list) return NULL;
  errno = ENODEV;
  for (int i = 0; i < count; i++)
    if (strcmp(ibv_get_device_name(list[i]), name) == 0) {
      context = ibv_open_device(list[i]);
      break;
    }
  int saved = errno;
  ibv_free_device_list(list);
  errno = saved;
  return context;
}

int s3r_device_open(const char *name, s3r_device **out) {
  s3r_device *device = calloc(1, sizeof *device);
  if (!device) return s3r_fail(ENOMEM, "calloc", 0, sizeof *device, "no memory for a device");
  device->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (device->wake_fd < 0) {
    int code = errno;
    free(device);
    return s3r_fail(code, "eventfd", 0, 0, "no descriptor for a device (ulimit -n)");
  }
  device->context = open_by_name(name);
  if (!device->context) {
    int code = errno;
    close(device->wake_fd);
    free(device);
    return s3r_fail(code, "ibv_open_device", 0, 0, "cannot open RDMA device '%s'; ibv_devices lists those there are",
                    name);
  }
  s3r_count(KIND_DEVICE, 1);
  *out = device;
  return 0;
}

int s3r_device_close(s3r_device *device) {
  if (ibv_close_device(device->context))
    return s3r_fail(errno, "ibv_close_device", 0, 0, "device still has objects; close them first");
  close(device->wake_fd);
  free(device);
  s3r_count(KIND_DEVICE, -1);
  return 0;
}

int s3r_device_query(s3r_device *device, struct s3r_device_attr *out) {
  struct ibv_device_attr attr;
  memset(&attr, 0, sizeof attr);
  int rc = ibv_query_device(device->context, &attr);
  if (rc) return s3r_fail(rc, "ibv_query_device", 0, 0, "device does not answer");
  memset(out, 0, sizeof *out);
  snprintf(out->name, sizeof out->name, "%s", ibv_get_device_name(device->context->device));
  snprintf(out->firmware, sizeof out->firmware, "%.63s", attr.fw_ver);
  out->max_mr_size = attr.max_mr_size;
  out->page_size_cap = attr.page_size_cap;
  out->vendor_id = attr.vendor_id;
  out->vendor_part_id = attr.vendor_part_id;
  out->max_qp = attr.max_qp;
  out->max_qp_wr = attr.max_qp_wr;
  out->max_sge = attr.max_sge;
  out->max_cqe = attr.max_cqe;
  out->max_mr = attr.max_mr;
  out->max_mw = attr.max_mw;
  out->max_qp_rd_atom = attr.max_qp_rd_atom;
  out->max_qp_init_rd_atom = attr.max_qp_init_rd_atom;
  out->mw_type2 = (attr.device_cap_flags & (IBV_DEVICE_MEM_WINDOW_TYPE_2A | IBV_DEVICE_MEM_WINDOW_TYPE_2B)) != 0;
  out->ports = attr.phys_port_cnt;
  return 0;
}

int s3r_port_query(s3r_device *device, int port, struct s3r_port_attr *out) {
  struct ibv_port_attr attr;
  memset(&attr, 0, sizeof attr);
  int rc = ibv_query_port(device->context, (uint8_t)port, &attr);
  if (rc) return s3r_fail(rc, "ibv_query_port", port, 0, "port %d of '%s' does not answer", port,
                          ibv_get_device_name(device->context->device));
  memset(out, 0, sizeof *out);
  out->max_msg_bytes = attr.max_msg_sz;
  out->active = attr.state == IBV_PORT_ACTIVE;
  out->active_mtu_bytes = s3r_mtu_from_verbs(attr.active_mtu);
  out->max_mtu_bytes = s3r_mtu_from_verbs(attr.max_mtu);
  out->gid_count = attr.gid_tbl_len;
  out->lid = attr.lid;
  out->ethernet = attr.link_layer == IBV_LINK_LAYER_ETHERNET;
  out->state = attr.state;
  return 0;
}

int s3r_gid_list(s3r_device *device, int port, struct s3r_gid_entry *out, int capacity) {
  struct ibv_gid_entry entries[256];
  ssize_t n = ibv_query_gid_table(device->context, entries, 256, 0);
  if (n < 0) return s3r_fail((int)-n, "ibv_query_gid_table", port, 0, "GID table of port %d cannot be read", port);
  int count = 0;
  for (ssize_t i = 0; i < n; i++) {
    if (entries[i].port_num != (uint32_t)port) continue;
    if (count < capacity) {
      struct s3r_gid_entry *e = &out[count];
      memcpy(e->gid, entries[i].gid.raw, 16);
      e->index = (int32_t)entries[i].gid_index;
      e->type = (int32_t)entries[i].gid_type;
      e->netdev = entries[i].ndev_ifindex;
      e->reserved = 0;
    }
    count++;
  }
  return count;
}

static int event_type(enum ibv_event_type raw) {
  switch (raw) {
    case IBV_EVENT_CQ_ERR: return S3R_EVENT_CQ_ERR;
    case IBV_EVENT_QP_FATAL: return S3R_EVENT_QP_FATAL;
    case IBV_EVENT_QP_REQ_ERR: return S3R_EVENT_QP_REQ_ERR;
    case IBV_EVENT_QP_ACCESS_ERR: return S3R_EVENT_QP_ACCESS_ERR;
    case IBV_EVENT_DEVICE_FATAL: return S3R_EVENT_DEVICE_FATAL;
    case IBV_EVENT_PORT_ACTIVE: return S3R_EVENT_PORT_ACTIVE;
    case IBV_EVENT_PORT_ERR: return S3R_EVENT_PORT_ERR;
    case IBV_EVENT_GID_CHANGE: return S3R_EVENT_GID_CHANGE;
    default: return S3R_EVENT_OTHER;
  }
}

int s3r_async_wait(s3r_device *device, int timeout_ms, struct s3r_async_event *out) {
  struct pollfd fds[2] = {{.fd = device->context->async_fd, .events = POLLIN}, {.fd = device->wake_fd, .events = POLLIN}};
  int ready = poll(fds, 2, timeout_ms);
  if (ready < 0 && errno != EINTR) return s3r_fail(errno, "poll", fds[0].fd, 0, "waiting for asynchronous events");
  if (ready <= 0) return 0;
  if (!fds[0].revents) return s3r_was_woken(device->wake_fd) ? 2 : 0;
  struct ibv_async_event event;
  if (ibv_get_async_event(device->context, &event))
    return s3r_fail(errno, "ibv_get_async_event", 0, 0, "reading an asynchronous event");
  int type = event_type(event.event_type);
  memset(out, 0, sizeof *out);
  out->type = type;
  out->raw = event.event_type;
  if (type == S3R_EVENT_PORT_ACTIVE || type == S3R_EVENT_PORT_ERR || type == S3R_EVENT_GID_CHANGE)
    out->port = event.element.port_num;
  if (type == S3R_EVENT_QP_FATAL || type == S3R_EVENT_QP_REQ_ERR || type == S3R_EVENT_QP_ACCESS_ERR)
    out->qpn = event.element.qp->qp_num;
  /* Destroy calls block until their events are acknowledged. */
  ibv_ack_async_event(&event);
  return 1;
}

int s3r_async_wake(s3r_device *device) { return s3r_wake(device->wake_fd, "waking the event thread"); }
