/* Protection domains, memory regions, type 2B memory windows, and the table of keys and QP numbers. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fake.h"

enum { BUCKETS = 4096 };

static const uint32_t REMOTE_RIGHTS = S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ;
static const uint32_t HOST_RIGHTS = S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ |
                                    S3R_ACCESS_MW_BIND | S3R_ACCESS_RELAXED_ORDERING;

static struct fake_id *table[BUCKETS];
static uint32_t key_counter = 0x5e7;

/* ---- identifiers ---- */

static struct fake_id **bucket(uint32_t id) { return &table[(id ^ id >> 12) % BUCKETS]; }

void *fake_find(enum fake_id_kind kind, uint32_t id) {
  for (struct fake_id *e = *bucket(id); e; e = e->next)
    if (e->id == id && e->kind == kind) return e->owner;
  return NULL;
}

void fake_id_add(struct fake_id *entry, enum fake_id_kind kind, uint32_t id, void *owner) {
  *entry = (struct fake_id){.id = id, .kind = kind, .owner = owner, .next = *bucket(id)};
  *bucket(id) = entry;
}

void fake_id_remove(struct fake_id *entry) {
  struct fake_id **link = bucket(entry->id);
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
}

/* Steps through all 2^24 indices in a scattered order before one comes back. */
static uint32_t next_index(void) {
  for (;;) {
    uint32_t index = (++key_counter * 0x9e3779b1u) & FAKE_MASK24;
    if (index && !fake_find(FAKE_ID_LKEY, index) && !fake_find(FAKE_ID_RKEY, index) && !fake_find(FAKE_ID_MW, index))
      return index;
  }
}

static int in_range(uint64_t start, uint64_t size, uint64_t address, uint64_t length) {
  return address >= start && length <= size && address - start <= size - length;
}

/* ---- protection domains ---- */

int s3r_pd_alloc(s3r_device *device, s3r_pd **out) {
  s3r_pd *pd = calloc(1, sizeof *pd);
  if (!pd) return s3r_fail(ENOMEM, "calloc", 0, sizeof *pd, "no memory for a protection domain");
  pd->device = device;
  fake_lock();
  device->children++;
  fake_unlock();
  s3r_count(KIND_PD, 1);
  *out = pd;
  return 0;
}

int s3r_pd_free(s3r_pd *pd) {
  fake_lock();
  int children = pd->children;
  if (!children) pd->device->children--;
  fake_unlock();
  if (children)
    return s3r_fail(EBUSY, "ibv_dealloc_pd", children, 0,
                    "protection domain still has %d regions, windows or queue pairs", children);
  free(pd);
  s3r_count(KIND_PD, -1);
  return 0;
}

/* ---- registration ---- */

/* Reads one byte where a file mapping may end early; only EFAULT counts, a sandbox may forbid the call. */
static int unreadable(uint64_t address) {
  char byte;
  struct iovec local = {.iov_base = &byte, .iov_len = 1};
  struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = 1};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0 && errno == EFAULT;
}

/* EFAULT unless every byte is mapped with the rights wanted: what pinning the pages would find out. */
static int check_pages(uint64_t address, uint64_t length, int write) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return 0; /* nothing to ask */
  uint64_t at = address;
  uint64_t end = address + length;
  char *line = NULL;
  size_t capacity = 0;
  while (at < end && getline(&line, &capacity, maps) > 0) {
    uint64_t from;
    uint64_t to;
    char rights[5];
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights) != 3 || to <= at) continue;
    if (from > at || rights[0] != 'r' || (write && rights[1] != 'w')) break;
    if (unreadable((to < end ? to : end) - 1)) break;
    at = to;
  }
  free(line);
  fclose(maps);
  return at < end ? EFAULT : 0;
}

static int bad_rights(uint32_t access, uint32_t allowed) {
  return (access & ~allowed) || ((access & S3R_ACCESS_REMOTE_WRITE) && !(access & S3R_ACCESS_LOCAL_WRITE));
}

static int registration_failed(int code, const char *call, uint64_t address, uint64_t length, uint32_t access) {
  return s3r_fail(code, call, (int32_t)access, length,
                  "registering %llu bytes at 0x%llx with access 0x%x failed; REMOTE_WRITE needs LOCAL_WRITE, and all "
                  "pages must be mapped",
                  (unsigned long long)length, (unsigned long long)address, access);
}

static int publish(s3r_mr *mr, s3r_mr **out) {
  fake_lock();
  mr->pd->children++;
  uint32_t tag = key_counter * 0x6b & 0xfe;
  uint32_t index = next_index();
  mr->lkey = index << 8 | tag;
  fake_id_add(&mr->lkey_id, FAKE_ID_LKEY, index, mr);
  index = next_index();
  mr->rkey = index << 8 | (tag ^ 0x5a) | 1;
  fake_id_add(&mr->rkey_id, FAKE_ID_RKEY, index, mr);
  fake_unlock();
  s3r_count(KIND_MR, 1);
  *out = mr;
  return 0;
}

static int injected(int fault) {
  int64_t argument = 0;
  fake_lock();
  int hit = fake_fault_of_call(fault, 0, &argument);
  fake_unlock();
  return hit ? (int)argument : 0;
}

int s3r_mr_register(s3r_pd *pd, uint64_t address, uint64_t length, uint32_t access, s3r_mr **out) {
  static const char *call = "ibv_reg_mr";
  int code = injected(S3R_FAKE_REG_MR);
  if (!code && (length == 0 || address + length < address || bad_rights(access, HOST_RIGHTS))) code = EINVAL;
  if (!code) code = check_pages(address, length, (access & S3R_ACCESS_LOCAL_WRITE) != 0);
  if (code) return registration_failed(code, call, address, length, access);
  s3r_mr *mr = calloc(1, sizeof *mr);
  if (!mr) return s3r_fail(ENOMEM, "calloc", 0, sizeof *mr, "no memory for a memory region");
  *mr = (s3r_mr){.pd = pd, .iova = address, .length = length, .access = access};
  mr->base = (unsigned char *)(uintptr_t)address;
  return publish(mr, out);
}

static int check_dmabuf(uint64_t offset, uint64_t length, uint64_t iova, int fd, uint32_t access) {
  fake_lock();
  int works = fake_dmabuf_works;
  fake_unlock();
  if (!works) return EOPNOTSUPP;
  struct stat st;
  if (fstat(fd, &st)) return errno; /* EBADF is how a caller probes for support */
  uint64_t in_page = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
  if (length == 0 || offset + length < offset || iova + length < iova || (offset & in_page) != (iova & in_page) ||
      bad_rights(access, HOST_RIGHTS & ~(uint32_t)S3R_ACCESS_MW_BIND))
    return EINVAL;
  if (st.st_size > 0 && offset + length > (uint64_t)st.st_size) return EINVAL;
  return 0;
}

int s3r_mr_register_dmabuf(s3r_pd *pd, uint64_t offset, uint64_t length, uint64_t iova, int fd, uint32_t access,
                           s3r_mr **out) {
  static const char *call = "ibv_reg_dmabuf_mr";
  int code = injected(S3R_FAKE_REG_DMABUF);
  if (!code) code = check_dmabuf(offset, length, iova, fd, access);
  if (code) return registration_failed(code, call, iova, length, access);
  s3r_mr *mr = calloc(1, sizeof *mr);
  if (!mr) return s3r_fail(ENOMEM, "calloc", 0, sizeof *mr, "no memory for a memory region");
  uint64_t skip = offset & ((uint64_t)sysconf(_SC_PAGESIZE) - 1);
  *mr = (s3r_mr){.pd = pd, .iova = iova, .length = length, .access = access, .map_length = skip + length};
  mr->map = mmap(NULL, mr->map_length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(offset - skip));
  if (mr->map == MAP_FAILED) {
    code = errno;
    free(mr);
    return registration_failed(code, call, iova, length, access);
  }
  mr->base = (unsigned char *)mr->map + skip;
  return publish(mr, out);
}

int s3r_mr_keys(s3r_mr *mr, uint32_t *lkey, uint32_t *rkey) {
  *lkey = mr->lkey;
  *rkey = mr->rkey;
  return 0;
}

int s3r_mr_deregister(s3r_mr *mr) {
  fake_lock();
  int windows = mr->windows;
  if (!windows) {
    fake_id_remove(&mr->lkey_id);
    fake_id_remove(&mr->rkey_id);
    while (mr->users) fake_wait_idle();
    mr->pd->children--;
  }
  fake_unlock();
  if (windows)
    return s3r_fail(EBUSY, "ibv_dereg_mr", windows, mr->length, "region of %llu bytes still has %d bound windows",
                    (unsigned long long)mr->length, windows);
  if (mr->map) munmap(mr->map, mr->map_length);
  free(mr);
  s3r_count(KIND_MR, -1);
  return 0;
}

/* ---- access checks ---- */

s3r_mr *fake_local_region(const s3r_pd *pd, uint32_t lkey, uint64_t address, uint64_t length, int write) {
  s3r_mr *mr = fake_find(FAKE_ID_LKEY, lkey >> 8);
  if (!mr || mr->lkey != lkey || mr->pd != pd || !in_range(mr->iova, mr->length, address, length)) return NULL;
  return write && !(mr->access & S3R_ACCESS_LOCAL_WRITE) ? NULL : mr;
}

s3r_mr *fake_remote_region(const s3r_qp *peer, uint32_t rkey, uint64_t address, uint64_t length, uint32_t right) {
  s3r_mr *mr = fake_find(FAKE_ID_RKEY, rkey >> 8);
  if (mr) {
    int allowed = mr->rkey == rkey && mr->pd == peer->pd && (mr->access & right) &&
                  in_range(mr->iova, mr->length, address, length);
    return allowed ? mr : NULL;
  }
  s3r_mw *mw = fake_find(FAKE_ID_MW, rkey >> 8);
  /* The QP implies the PD: a bind checks that they agree. */
  if (!mw || !mw->bound || mw->key != rkey || mw->qpn != peer->id.id) return NULL;
  return (mw->access & right) && in_range(mw->address, mw->length, address, length) ? mw->mr : NULL;
}

/* ---- memory windows ---- */

int s3r_mw_alloc(s3r_pd *pd, s3r_mw **out) {
  s3r_mw *mw = calloc(1, sizeof *mw);
  if (!mw) return s3r_fail(ENOMEM, "calloc", 0, sizeof *mw, "no memory for a memory window");
  mw->pd = pd;
  fake_lock();
  pd->children++;
  uint32_t index = next_index();
  mw->issued = index << 8 | (key_counter & 0xff);
  fake_id_add(&mw->id, FAKE_ID_MW, index, mw);
  fake_unlock();
  s3r_count(KIND_MW, 1);
  *out = mw;
  return 0;
}

static void unbind(s3r_mw *mw) {
  mw->bound = 0;
  mw->mr->windows--;
}

int s3r_mw_free(s3r_mw *mw) {
  fake_lock();
  fake_id_remove(&mw->id);
  if (mw->bound) {
    fake_wait_copy(mw->mr); /* other requests may keep the region itself in use */
    unbind(mw);
  }
  mw->pd->children--;
  fake_unlock();
  free(mw);
  s3r_count(KIND_MW, -1);
  return 0;
}

static int post_failed(s3r_qp *qp, int code, const char *call, uint64_t length) {
  return s3r_fail(code, call, (int32_t)qp->id.id, length,
                  "QP 0x%x in state %d refused a window operation; ENOMEM means more was posted than the queue was "
                  "asked to hold",
                  qp->id.id, qp->state);
}

int s3r_mw_bind(s3r_qp *qp, s3r_mw *mw, s3r_mr *mr, uint64_t address, uint64_t length, uint32_t access,
                uint64_t wr_id, uint32_t *rkey) {
  int code = 0;
  int64_t argument = 0;
  fake_lock();
  if (fake_fault_of_call(S3R_FAKE_POST, S3R_FAKE_OP_BIND, &argument)) code = (int)argument;
  struct fake_wr *wr = code ? NULL : fake_slot(qp, &code);
  if (wr) {
    uint32_t key = (mw->issued & ~0xffu) | ((mw->issued + 1) & 0xff);
    wr->opcode = S3R_FAKE_OP_BIND;
    wr->signaled = 1;
    wr->wr_id = wr_id;
    wr->remote_address = address;
    wr->length = length;
    wr->access = access;
    wr->mw = mw->id.id;
    wr->lkey = mr->lkey;
    wr->rkey = mw->issued = key;
    *rkey = key;
    fake_window_came(qp);
  } else {
    code = post_failed(qp, code, "ibv_post_send(BIND_MW)", length);
  }
  fake_unlock();
  return code;
}

int s3r_mw_invalidate(s3r_qp *qp, uint32_t rkey, uint64_t wr_id) {
  int code = 0;
  int64_t argument = 0;
  fake_lock();
  if (fake_fault_of_call(S3R_FAKE_POST, S3R_FAKE_OP_INV, &argument)) code = (int)argument;
  struct fake_wr *wr = code ? NULL : fake_slot(qp, &code);
  if (wr) {
    wr->opcode = S3R_FAKE_OP_INV;
    wr->signaled = 1;
    wr->wr_id = wr_id;
    wr->rkey = rkey;
    fake_window_came(qp);
  } else {
    code = post_failed(qp, code, "ibv_post_send(LOCAL_INV)", 0);
  }
  fake_unlock();
  return code;
}

int fake_bind(s3r_qp *qp, const struct fake_wr *wr) {
  s3r_mw *mw = fake_find(FAKE_ID_MW, wr->mw);
  s3r_mr *mr = fake_find(FAKE_ID_LKEY, wr->lkey >> 8);
  if (!mw || !mr || mr->lkey != wr->lkey || mw->pd != qp->pd || mr->pd != qp->pd) return S3R_WC_MW_BIND_ERR;
  /* A type 2 window must be free: a bound one is invalidated first (IBTA o10-37.2.30, rxe and mlx5 check it). */
  if (mw->bound || !(mr->access & S3R_ACCESS_MW_BIND) || (wr->access & ~REMOTE_RIGHTS)) return S3R_WC_MW_BIND_ERR;
  if ((wr->access & S3R_ACCESS_REMOTE_WRITE) && !(mr->access & S3R_ACCESS_LOCAL_WRITE)) return S3R_WC_MW_BIND_ERR;
  if (wr->length == 0 || !in_range(mr->iova, mr->length, wr->remote_address, wr->length)) return S3R_WC_MW_BIND_ERR;
  mw->key = wr->rkey;
  mw->access = wr->access;
  mw->qpn = qp->id.id;
  mw->mr = mr;
  mw->address = wr->remote_address;
  mw->length = wr->length;
  mw->bound = 1;
  mr->windows++;
  return S3R_WC_SUCCESS;
}

int fake_invalidate(s3r_qp *qp, const struct fake_wr *wr) {
  s3r_mw *mw = fake_find(FAKE_ID_MW, wr->rkey >> 8);
  if (!mw || !mw->bound || mw->key != wr->rkey || mw->pd != qp->pd) return S3R_WC_LOC_QP_OP_ERR;
  /* Only the QP that bound it, or any of its PD once that one is gone. */
  if (mw->qpn != qp->id.id && fake_find(FAKE_ID_QP, mw->qpn)) return S3R_WC_LOC_QP_OP_ERR;
  unbind(mw);
  return S3R_WC_SUCCESS;
}
