/* Protection domains, memory regions and type 2 memory windows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "internal.h"

int s3r_access_to_verbs(uint32_t access) {
  int v = 0;
  if (access & S3R_ACCESS_LOCAL_WRITE) v |= IBV_ACCESS_LOCAL_WRITE;
  if (access & S3R_ACCESS_REMOTE_WRITE) v |= IBV_ACCESS_REMOTE_WRITE;
  if (access & S3R_ACCESS_REMOTE_READ) v |= IBV_ACCESS_REMOTE_READ;
  if (access & S3R_ACCESS_MW_BIND) v |= IBV_ACCESS_MW_BIND;
  if (access & S3R_ACCESS_RELAXED_ORDERING) v |= IBV_ACCESS_RELAXED_ORDERING;
  return v;
}

uint32_t s3r_access_from_verbs(int v) {
  uint32_t access = 0;
  if (v & IBV_ACCESS_LOCAL_WRITE) access |= S3R_ACCESS_LOCAL_WRITE;
  if (v & IBV_ACCESS_REMOTE_WRITE) access |= S3R_ACCESS_REMOTE_WRITE;
  if (v & IBV_ACCESS_REMOTE_READ) access |= S3R_ACCESS_REMOTE_READ;
  if (v & IBV_ACCESS_MW_BIND) access |= S3R_ACCESS_MW_BIND;
  return access;
}

int s3r_pd_alloc(s3r_device *device, s3r_pd **out) {
  s3r_pd *pd = calloc(1, sizeof *pd);
  if (!pd) return s3r_fail(ENOMEM, "calloc", 0, sizeof *pd, "no memory for a protection domain");
  pd->pd = ibv_alloc_pd(device->context);
  if (!pd->pd) {
    int code = errno;
    free(pd);
    return s3r_fail(code, "ibv_alloc_pd", 0, 0, "no protection domain");
  }
  s3r_count(KIND_PD, 1);
  *out = pd;
  return 0;
}

int s3r_pd_free(s3r_pd *pd) {
  int rc = ibv_dealloc_pd(pd->pd);
  if (rc) return s3r_fail(rc, "ibv_dealloc_pd", 0, 0, "protection domain still has regions, windows or queue pairs");
  free(pd);
  s3r_count(KIND_PD, -1);
  return 0;
}

static int registration_failed(int code, const char *call, uint64_t address, uint64_t length, uint32_t access) {
  struct rlimit limit = {0, 0};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur == RLIM_INFINITY)
    return s3r_fail(code, call, (int32_t)access, length,
                    "registering %llu bytes at 0x%llx with access 0x%x failed; memlock is unlimited",
                    (unsigned long long)length, (unsigned long long)address, access);
  return s3r_fail(code, call, (int32_t)access, length,
                  "registering %llu bytes at 0x%llx with access 0x%x failed; memlock limit is %llu bytes "
                  "(ulimit -l, LimitMEMLOCK=infinity)",
                  (unsigned long long)length, (unsigned long long)address, access,
                  (unsigned long long)limit.rlim_cur);
}

static int own_mr(struct ibv_mr *mr, s3r_mr **out) {
  s3r_mr *owned = calloc(1, sizeof *owned);
  if (!owned) {
    ibv_dereg_mr(mr);
    return s3r_fail(ENOMEM, "calloc", 0, sizeof *owned, "no memory for a memory region");
  }
  owned->mr = mr;
  s3r_count(KIND_MR, 1);
  *out = owned;
  return 0;
}

int s3r_mr_register(s3r_pd *pd, uint64_t address, uint64_t length, uint32_t access, s3r_mr **out) {
  /* The exported function, not the macro: with relaxed ordering the old entry point refuses the bit. */
  struct ibv_mr *mr =
      ibv_reg_mr_iova2(pd->pd, (void *)(uintptr_t)address, length, address, (unsigned)s3r_access_to_verbs(access));
  if (!mr) return registration_failed(errno, "ibv_reg_mr", address, length, access);
  return own_mr(mr, out);
}

int s3r_mr_register_dmabuf(s3r_pd *pd, uint64_t offset, uint64_t length, uint64_t iova, int fd, uint32_t access,
                           s3r_mr **out) {
  struct ibv_mr *mr = ibv_reg_dmabuf_mr(pd->pd, offset, length, iova, fd, s3r_access_to_verbs(access));
  if (!mr) return registration_failed(errno, "ibv_reg_dmabuf_mr", iova, length, access);
  return own_mr(mr, out);
}

int s3r_mr_keys(s3r_mr *mr, uint32_t *lkey, uint32_t *rkey) {
  *lkey = mr->mr->lkey;
  *rkey = mr->mr->rkey;
  return 0;
}

int s3r_mr_deregister(s3r_mr *mr) {
  uint64_t length = mr->mr->length;
  int rc = ibv_dereg_mr(mr->mr);
  if (rc) return s3r_fail(rc, "ibv_dereg_mr", 0, length, "region of %llu bytes still has bound windows",
                          (unsigned long long)length);
  free(mr);
  s3r_count(KIND_MR, -1);
  return 0;
}

int s3r_mw_alloc(s3r_pd *pd, s3r_mw **out) {
  s3r_mw *mw = calloc(1, sizeof *mw);
  if (!mw) return s3r_fail(ENOMEM, "calloc", 0, sizeof *mw, "no memory for a memory window");
  mw->mw = ibv_alloc_mw(pd->pd, IBV_MW_TYPE_2);
  if (!mw->mw) {
    int code = errno;
    free(mw);
    return s3r_fail(code, "ibv_alloc_mw", 0, 0, "no type 2 memory window");
  }
  s3r_count(KIND_MW, 1);
  *out = mw;
  return 0;
}

int s3r_mw_free(s3r_mw *mw) {
  int rc = ibv_dealloc_mw(mw->mw);
  if (rc) return s3r_fail(rc, "ibv_dealloc_mw", 0, 0, "memory window not freed");
  free(mw);
  s3r_count(KIND_MW, -1);
  return 0;
}

int s3r_mw_bind(s3r_qp *qp, s3r_mw *mw, s3r_mr *mr, uint64_t address, uint64_t length, uint32_t access,
                uint64_t wr_id, uint32_t *rkey) {
  struct ibv_send_wr wr;
  struct ibv_send_wr *bad = NULL;
  memset(&wr, 0, sizeof wr);
  wr.wr_id = wr_id;
  wr.opcode = IBV_WR_BIND_MW;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.bind_mw.mw = mw->mw;
  /* The low byte of the key is the consumer's tag; each bind takes the next one, so an old key is dead. */
  wr.bind_mw.rkey = ibv_inc_rkey(mw->mw->rkey);
  wr.bind_mw.bind_info.mr = mr->mr;
  wr.bind_mw.bind_info.addr = address;
  wr.bind_mw.bind_info.length = length;
  wr.bind_mw.bind_info.mw_access_flags = (unsigned)s3r_access_to_verbs(access);
  int rc = ibv_post_send(qp->qp, &wr, &bad);
  if (rc)
    return s3r_fail(rc, "ibv_post_send(BIND_MW)", (int32_t)qp->qp->qp_num, length,
                    "QP 0x%x refused to bind a window of %llu bytes", qp->qp->qp_num, (unsigned long long)length);
  mw->mw->rkey = wr.bind_mw.rkey;
  *rkey = wr.bind_mw.rkey;
  return 0;
}

int s3r_mw_invalidate(s3r_qp *qp, uint32_t rkey, uint64_t wr_id) {
  struct ibv_send_wr wr;
  struct ibv_send_wr *bad = NULL;
  memset(&wr, 0, sizeof wr);
  wr.wr_id = wr_id;
  wr.opcode = IBV_WR_LOCAL_INV;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.invalidate_rkey = rkey;
  int rc = ibv_post_send(qp->qp, &wr, &bad);
  if (rc) return s3r_fail(rc, "ibv_post_send(LOCAL_INV)", (int32_t)qp->qp->qp_num, 0,
                          "QP 0x%x refused to invalidate a window", qp->qp->qp_num);
  return 0;
}
