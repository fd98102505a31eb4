/* What is the same for both libraries: versions, sizes, the error record, live-object counts, waking waiters. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static _Thread_local struct s3r_error last_error;
static _Atomic int64_t live[6];

int s3r_abi_version(void) { return S3R_ABI_VERSION; }

int s3r_sizeof(int which) {
  switch (which) {
    case S3R_SIZEOF_ERROR: return sizeof(struct s3r_error);
    case S3R_SIZEOF_DEVICE_NAME: return sizeof(struct s3r_device_name);
    case S3R_SIZEOF_DEVICE_ATTR: return sizeof(struct s3r_device_attr);
    case S3R_SIZEOF_PORT_ATTR: return sizeof(struct s3r_port_attr);
    case S3R_SIZEOF_GID_ENTRY: return sizeof(struct s3r_gid_entry);
    case S3R_SIZEOF_QP_CAPS: return sizeof(struct s3r_qp_caps);
    case S3R_SIZEOF_RTR: return sizeof(struct s3r_rtr);
    case S3R_SIZEOF_RTS: return sizeof(struct s3r_rts);
    case S3R_SIZEOF_QP_INFO: return sizeof(struct s3r_qp_info);
    case S3R_SIZEOF_CHUNK: return sizeof(struct s3r_chunk);
    case S3R_SIZEOF_COMPLETION: return sizeof(struct s3r_completion);
    case S3R_SIZEOF_ASYNC_EVENT: return sizeof(struct s3r_async_event);
    case S3R_SIZEOF_MEMORY: return sizeof(struct s3r_memory);
    default: return -EINVAL;
  }
}

int s3r_fail(int code, const char *call, int32_t detail, uint64_t value, const char *format, ...) {
  /* errno 0 after a failed verb has been seen from providers: never turn a failure into success. */
  if (code <= 0) code = EIO;
  last_error.code = code;
  last_error.detail = detail;
  last_error.value = value;
  snprintf(last_error.call, sizeof last_error.call, "%s", call);
  va_list args;
  va_start(args, format);
  vsnprintf(last_error.text, sizeof last_error.text, format, args);
  va_end(args);
  return -code;
}

int s3r_last_error(struct s3r_error *out) {
  *out = last_error;
  return 0;
}

int s3r_wake(int fd, const char *what) {
  uint64_t one = 1;
  /* A full eventfd is already readable: the waiter wakes all the same. */
  if (write(fd, &one, sizeof one) < 0 && errno != EAGAIN) return s3r_fail(errno, "write", fd, 0, "%s", what);
  return 0;
}

int s3r_was_woken(int fd) {
  uint64_t count;
  return read(fd, &count, sizeof count) == (ssize_t)sizeof count;
}

void s3r_count(enum s3r_kind kind, int delta) { atomic_fetch_add(&live[kind], delta); }

int s3r_live_objects(int64_t out[6]) {
  for (int i = 0; i < 6; i++) out[i] = atomic_load(&live[i]);
  return 0;
}
