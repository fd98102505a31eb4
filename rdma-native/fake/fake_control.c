/* The lock, the clock, armed faults, totals and the controls of s3rdma_fake.h. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "fake.h"

enum { FAULTS = 64 };

struct armed {
  int fault;
  int opcode;
  int skip;
  int times;
  int64_t argument;
};

static const struct fake_limits DEFAULT_LIMITS = {
    .max_qp_wr = 16384, .max_cqe = 65536, .max_qp_rd_atom = 16, .mtu_bytes = 4096, .max_msg_bytes = 1u << 30};
static const struct fake_node DEFAULT_NODE = {.ipv4 = 0x7f000001, .active = 1};

struct fake_node fake_nodes[FAKE_DEVICES] = {{.ipv4 = 0x7f000001, .active = 1}, {.ipv4 = 0x7f000001, .active = 1}};
struct fake_limits fake_next_limits = {
    .max_qp_wr = 16384, .max_cqe = 65536, .max_qp_rd_atom = 16, .mtu_bytes = 4096, .max_msg_bytes = 1u << 30};
s3r_device *fake_device_list;
int fake_devices_shown = 1;
int fake_dmabuf_works = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static pthread_cond_t work;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int waiting;
static uint64_t copies; /* ended so far */

static struct armed faults[FAULTS];
static int fault_count;
static uint64_t total_bytes[S3R_FAKE_OP_INV + 1];
static uint64_t total_wrs[S3R_FAKE_OP_INV + 1];

static void initialise(void) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&work, &attr);
  pthread_condattr_destroy(&attr);
}

void fake_lock(void) {
  pthread_once(&once, initialise);
  atomic_fetch_add(&waiting, 1);
  pthread_mutex_lock(&lock);
  atomic_fetch_sub(&waiting, 1);
}

void fake_unlock(void) { pthread_mutex_unlock(&lock); }

int fake_lock_wanted(void) { return atomic_load(&waiting) > 0; }

void fake_wait_idle(void) {
  atomic_fetch_add(&waiting, 1);
  pthread_cond_wait(&idle, &lock);
  atomic_fetch_sub(&waiting, 1);
}

void fake_wait_copy(const s3r_mr *mr) {
  uint64_t seen = copies;
  while (mr->users && copies == seen) fake_wait_idle();
}

void fake_copy_ended(void) {
  copies++;
  pthread_cond_broadcast(&idle);
}

void fake_work_came(void) { pthread_cond_signal(&work); }

void fake_wait_work(uint64_t until) {
  if (until == UINT64_MAX) {
    pthread_cond_wait(&work, &lock);
    return;
  }
  struct timespec t = {.tv_sec = (time_t)(until / 1000000000u), .tv_nsec = (long)(until % 1000000000u)};
  pthread_cond_timedwait(&work, &lock, &t);
}

uint64_t fake_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- faults ---- */

static int of_call(int fault) { return fault >= S3R_FAKE_REG_MR && fault <= S3R_FAKE_POST; }

/* "Any" means the data operations: a fault meant for a transfer must not hit the bind before it. */
static int matches(const struct armed *a, int opcode) {
  return a->opcode ? a->opcode == opcode : opcode <= S3R_OP_READ;
}

static void remove_fault(int i) {
  fault_count--;
  memmove(&faults[i], &faults[i + 1], (size_t)(fault_count - i) * sizeof faults[0]);
}

static int fire(int i, int64_t *argument) {
  struct armed *a = &faults[i];
  if (a->skip > 0) {
    a->skip--;
    return S3R_FAKE_NONE;
  }
  int fault = a->fault;
  *argument = a->argument;
  if (--a->times == 0) remove_fault(i);
  return fault;
}

int fake_fault_of_call(int fault, int opcode, int64_t *argument) {
  for (int i = 0; i < fault_count; i++)
    if (faults[i].fault == fault && (!opcode || matches(&faults[i], opcode)) && fire(i, argument)) return fault;
  return S3R_FAKE_NONE;
}

int fake_fault_of_wr(int opcode, int64_t *argument) {
  for (int i = 0; i < fault_count; i++) {
    if (of_call(faults[i].fault) || !matches(&faults[i], opcode)) continue;
    int fault = fire(i, argument);
    if (fault) return fault;
  }
  return S3R_FAKE_NONE;
}

static int arm_locked(int fault, int opcode, int skip, int times, int64_t argument) {
  if (fault == S3R_FAKE_ASYNC) {
    fake_raise_all(-1, (int)(argument & 0xff), 1, (uint32_t)((uint64_t)argument >> 32));
    return 0;
  }
  if (fault_count == FAULTS)
    return s3r_fail(ENOSPC, "s3r_fake_arm", fault, FAULTS, "%d faults are armed; s3r_fake_disarm_all first", FAULTS);
  faults[fault_count++] =
      (struct armed){.fault = fault, .opcode = opcode, .skip = skip, .times = times, .argument = argument};
  return 0;
}

int s3r_fake_arm(int fault, int opcode, int skip, int times, int64_t argument) {
  if (fault < S3R_FAKE_STATUS || fault > S3R_FAKE_ASYNC || opcode < 0 || opcode > S3R_FAKE_OP_INV || skip < 0 ||
      times < 1 || argument < 0 || (of_call(fault) && argument < 1))
    return s3r_fail(EINVAL, "s3r_fake_arm", fault, (uint64_t)argument,
                    "fault %d, opcode %d, skip %d, times %d (>= 1) or argument %lld out of bounds", fault, opcode, skip,
                    times, (long long)argument);
  fake_lock();
  int rc = arm_locked(fault, opcode, skip, times, argument);
  fake_unlock();
  return rc;
}

int s3r_fake_disarm_all(void) {
  fake_lock();
  fault_count = 0;
  fake_unlock();
  return 0;
}

/* ---- totals ---- */

void fake_count_move(int opcode, uint64_t bytes, uint64_t wrs) {
  total_bytes[opcode] += bytes;
  total_wrs[opcode] += wrs;
}

int s3r_fake_totals(int opcode, uint64_t *bytes, uint64_t *wrs) {
  if (opcode < 0 || opcode > S3R_FAKE_OP_INV)
    return s3r_fail(EINVAL, "s3r_fake_totals", opcode, 0, "opcode %d is none of 0..%d", opcode, S3R_FAKE_OP_INV);
  fake_lock();
  *bytes = opcode ? total_bytes[opcode] : total_bytes[S3R_OP_WRITE] + total_bytes[S3R_OP_READ];
  *wrs = opcode ? total_wrs[opcode] : total_wrs[S3R_OP_WRITE] + total_wrs[S3R_OP_READ];
  fake_unlock();
  return 0;
}

/* ---- what devices look like ---- */

static int valid_mtu(int bytes) {
  return bytes == 256 || bytes == 512 || bytes == 1024 || bytes == 2048 || bytes == 4096;
}

int s3r_fake_limits(int max_qp_wr, int max_cqe, uint32_t max_msg_bytes, int max_qp_rd_atom, int mtu_bytes) {
  if (max_qp_wr < 0 || max_cqe < 0 || max_qp_rd_atom < 0 || max_qp_rd_atom > 255 || max_msg_bytes > 1u << 31 ||
      (mtu_bytes && !valid_mtu(mtu_bytes)))
    return s3r_fail(EINVAL, "s3r_fake_limits", mtu_bytes, max_msg_bytes, "a limit is out of bounds");
  fake_lock();
  if (max_qp_wr) fake_next_limits.max_qp_wr = max_qp_wr;
  if (max_cqe) fake_next_limits.max_cqe = max_cqe;
  if (max_msg_bytes) fake_next_limits.max_msg_bytes = max_msg_bytes;
  if (max_qp_rd_atom) fake_next_limits.max_qp_rd_atom = max_qp_rd_atom;
  if (mtu_bytes) fake_next_limits.mtu_bytes = mtu_bytes;
  fake_unlock();
  return 0;
}

int s3r_fake_dmabuf(int on) {
  fake_lock();
  fake_dmabuf_works = on != 0;
  fake_unlock();
  return 0;
}

int s3r_fake_devices(int count) {
  if (count < 0 || count > FAKE_DEVICES)
    return s3r_fail(EINVAL, "s3r_fake_devices", count, 0, "%d devices; 0..%d can be shown", count, FAKE_DEVICES);
  fake_lock();
  fake_devices_shown = count;
  fake_unlock();
  return 0;
}

static int bad_index(const char *call, int index) {
  if (index >= 0 && index < FAKE_DEVICES) return 0;
  return s3r_fail(EINVAL, call, index, 0, "device index %d; 0..%d exist", index, FAKE_DEVICES - 1);
}

int s3r_fake_port(int device_index, int active) {
  int rc = bad_index("s3r_fake_port", device_index);
  if (rc) return rc;
  fake_lock();
  struct fake_node *node = &fake_nodes[device_index];
  if (node->active != (active != 0)) {
    node->active = active != 0;
    fake_raise_all(device_index, active ? S3R_EVENT_PORT_ACTIVE : S3R_EVENT_PORT_ERR, 1, 0);
  }
  fake_unlock();
  return 0;
}

int s3r_fake_address(int device_index, uint32_t ipv4) {
  int rc = bad_index("s3r_fake_address", device_index);
  if (rc) return rc;
  fake_lock();
  struct fake_node *node = &fake_nodes[device_index];
  if (node->ipv4 != ipv4) {
    node->ipv4 = ipv4;
    fake_raise_all(device_index, S3R_EVENT_GID_CHANGE, 1, 0);
  }
  fake_unlock();
  return 0;
}

int s3r_fake_reset(void) {
  fake_lock();
  fault_count = 0;
  memset(total_bytes, 0, sizeof total_bytes);
  memset(total_wrs, 0, sizeof total_wrs);
  fake_next_limits = DEFAULT_LIMITS;
  for (int i = 0; i < FAKE_DEVICES; i++) fake_nodes[i] = DEFAULT_NODE;
  fake_devices_shown = 1;
  fake_dmabuf_works = 1;
  fake_drop_late();
  fake_unlock();
  return 0;
}
