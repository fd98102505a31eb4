/*
 * s3rdma.h: the one header of the native layer. Two libraries implement it: libs3rdma.so over libibverbs and
 * libs3rdma_fake.so, an in-process device for tests of logic and faults. Kept plain so that jextract can parse it.
 *
 * Rules
 *  - A function returns 0 (or a count >= 0) on success and -errno on failure. Outputs are written only on success.
 *  - The first function that decides that something is an error fills the calling thread's error record
 *    (s3r_last_error). Nothing here prints.
 *  - Objects are opaque. The caller owns them and destroys them children first: QP and MW before MR, CQ and PD,
 *    those before the device. Destroying a parent with live children is refused by the kernel with -EBUSY.
 *  - Thread rule: a device, PD, MR or MW may be used from any thread. One QP is posted to by one thread at a time.
 *    One CQ is polled, armed and waited on by one thread at a time; s3r_cq_wake may come from any thread.
 *    So it is with s3r_async_wait and s3r_async_wake of a device.
 *  - lkey and rkey are different things even where a device gives them the same value.
 */
#ifndef S3RDMA_H
#define S3RDMA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S3R_ABI_VERSION 3

#if defined(__GNUC__)
#define S3R_API __attribute__((visibility("default")))
#else
#define S3R_API
#endif

typedef struct s3r_device s3r_device;
typedef struct s3r_pd s3r_pd;
typedef struct s3r_mr s3r_mr;
typedef struct s3r_mw s3r_mw;
typedef struct s3r_cq s3r_cq;
typedef struct s3r_qp s3r_qp;

/* ---- fixed sets; the values are ours, not libibverbs' ---- */

enum s3r_access {
  S3R_ACCESS_LOCAL_WRITE = 1,
  S3R_ACCESS_REMOTE_WRITE = 2,
  S3R_ACCESS_REMOTE_READ = 4,
  S3R_ACCESS_MW_BIND = 8,
  S3R_ACCESS_RELAXED_ORDERING = 16
};

enum s3r_opcode { S3R_OP_WRITE = 1, S3R_OP_READ = 2 };

enum s3r_chunk_flag { S3R_CHUNK_SIGNALED = 1, S3R_CHUNK_FENCE = 2 };

enum s3r_gid_type { S3R_GID_IB = 0, S3R_GID_ROCE_V1 = 1, S3R_GID_ROCE_V2 = 2 };

enum s3r_qp_state {
  S3R_QP_RESET = 0,
  S3R_QP_INIT = 1,
  S3R_QP_RTR = 2,
  S3R_QP_RTS = 3,
  S3R_QP_ERROR = 6,
  S3R_QP_OTHER = 9
};

/* The values of ibv_wc_status that are met with RC. */
enum s3r_wc_status {
  S3R_WC_SUCCESS = 0,
  S3R_WC_LOC_LEN_ERR = 1,
  S3R_WC_LOC_QP_OP_ERR = 2,
  S3R_WC_LOC_PROT_ERR = 4,
  S3R_WC_WR_FLUSH_ERR = 5,
  S3R_WC_MW_BIND_ERR = 6,
  S3R_WC_LOC_ACCESS_ERR = 8,
  S3R_WC_REM_INV_REQ_ERR = 9,
  S3R_WC_REM_ACCESS_ERR = 10,
  S3R_WC_REM_OP_ERR = 11,
  S3R_WC_RETRY_EXC_ERR = 12,
  S3R_WC_RNR_RETRY_EXC_ERR = 13,
  S3R_WC_FATAL_ERR = 19,
  S3R_WC_GENERAL_ERR = 21
};

enum s3r_event_type {
  S3R_EVENT_CQ_ERR = 0,
  S3R_EVENT_QP_FATAL = 1,
  S3R_EVENT_QP_REQ_ERR = 2,
  S3R_EVENT_QP_ACCESS_ERR = 3,
  S3R_EVENT_DEVICE_FATAL = 8,
  S3R_EVENT_PORT_ACTIVE = 9,
  S3R_EVENT_PORT_ERR = 10,
  S3R_EVENT_GID_CHANGE = 18,
  S3R_EVENT_OTHER = 99
};

/* Pages of s3r_memory_map. */
enum s3r_pages { S3R_PAGES_NORMAL = 0, S3R_PAGES_TRANSPARENT = 1, S3R_PAGES_HUGE = 2 };

/* ---- structures; every field has a fixed width, there is no implicit padding ---- */

struct s3r_error {
  int32_t code;       /* errno, positive; 0: no error on this thread yet */
  int32_t detail;     /* call dependent: port, QP number, access bits */
  uint64_t value;     /* call dependent: address, length, depth */
  char call[48];      /* the failing call, e.g. "ibv_reg_mr" */
  char text[200];     /* what it was asked and what to do */
};

struct s3r_device_name {
  char name[64];
};

struct s3r_device_attr {
  char name[64];
  char firmware[64];
  uint64_t max_mr_size;
  uint64_t page_size_cap;
  uint32_t vendor_id;
  uint32_t vendor_part_id;
  int32_t max_qp;
  int32_t max_qp_wr;
  int32_t max_sge;
  int32_t max_cqe;
  int32_t max_mr;
  int32_t max_mw;
  int32_t max_qp_rd_atom;       /* incoming READs one QP accepts */
  int32_t max_qp_init_rd_atom;  /* outgoing READs one QP keeps open */
  int32_t mw_type2;             /* 1: type 2 memory windows */
  int32_t ports;
};

struct s3r_port_attr {
  uint32_t max_msg_bytes;
  int32_t active;             /* 1: PORT_ACTIVE */
  int32_t active_mtu_bytes;
  int32_t max_mtu_bytes;
  int32_t gid_count;
  int32_t lid;
  int32_t ethernet;           /* 1: RoCE */
  int32_t state;              /* ibv_port_state, for messages */
};

struct s3r_gid_entry {
  uint8_t gid[16]; /* wire order */
  int32_t index;
  int32_t type;    /* s3r_gid_type */
  uint32_t netdev; /* interface index, 0 where unknown */
  int32_t reserved;
};

struct s3r_qp_caps {
  uint32_t max_send_wr; /* in: asked, out: granted */
  uint32_t max_recv_wr;
  uint32_t max_send_sge;
  uint32_t max_recv_sge;
};

struct s3r_rtr {
  uint8_t remote_gid[16];
  uint32_t remote_qpn;
  uint32_t rq_psn;
  int32_t port;
  int32_t gid_index;
  int32_t mtu_bytes;
  int32_t max_dest_rd_atomic;
  int32_t min_rnr_timer;
  int32_t traffic_class;
  int32_t hop_limit;
  int32_t remote_lid;
};

struct s3r_rts {
  uint32_t sq_psn;
  int32_t max_rd_atomic;
  int32_t timeout;    /* 4.096 us * 2^timeout; never 0 */
  int32_t retry_cnt;  /* 0..6: Soft-RoCE reads 7 as "for ever" */
  int32_t rnr_retry;
  int32_t reserved;
};

struct s3r_qp_info {
  int32_t state; /* s3r_qp_state */
  uint32_t qpn;
  uint32_t sq_psn;
  uint32_t rq_psn;
  uint32_t dest_qpn;
  uint32_t access; /* s3r_access bits */
  int32_t path_mtu_bytes;
  int32_t retry_cnt;
  int32_t timeout;
  int32_t max_rd_atomic;
  int32_t max_dest_rd_atomic;
  int32_t reserved;
};

/* One WRITE or READ work request with one local and one remote range. */
struct s3r_chunk {
  uint64_t wr_id;
  uint64_t local_address;
  uint64_t remote_address;
  uint32_t length;
  uint32_t lkey;
  uint32_t rkey;
  uint32_t flags; /* s3r_chunk_flag */
};

struct s3r_completion {
  uint64_t wr_id;
  int32_t status; /* s3r_wc_status or another ibv_wc_status */
  uint32_t qpn;
  uint32_t vendor_error;
  uint32_t byte_count; /* valid only with status 0 */
};

struct s3r_async_event {
  int32_t type;  /* s3r_event_type */
  int32_t raw;   /* ibv_event_type */
  int32_t port;  /* for port events, else 0 */
  uint32_t qpn;  /* for QP events, else 0 */
};

struct s3r_memory {
  uint64_t address;
  uint64_t length; /* mapped, at least what was asked; s3r_memory_unmap wants it back */
  int32_t pages;   /* s3r_pages; TRANSPARENT: asked for, the kernel gives what it has */
  int32_t node;    /* NUMA node that is preferred, -1: none */
};

/* ---- library ---- */

S3R_API int s3r_abi_version(void);
/* "verbs" or "fake". */
S3R_API const char *s3r_provider(void);
/* Size in bytes of structure `which` in the order of enum s3r_struct; -EINVAL past the end. */
S3R_API int s3r_sizeof(int which);
enum s3r_struct {
  S3R_SIZEOF_ERROR = 0,
  S3R_SIZEOF_DEVICE_NAME = 1,
  S3R_SIZEOF_DEVICE_ATTR = 2,
  S3R_SIZEOF_PORT_ATTR = 3,
  S3R_SIZEOF_GID_ENTRY = 4,
  S3R_SIZEOF_QP_CAPS = 5,
  S3R_SIZEOF_RTR = 6,
  S3R_SIZEOF_RTS = 7,
  S3R_SIZEOF_QP_INFO = 8,
  S3R_SIZEOF_CHUNK = 9,
  S3R_SIZEOF_COMPLETION = 10,
  S3R_SIZEOF_ASYNC_EVENT = 11,
  S3R_SIZEOF_MEMORY = 12
};
S3R_API int s3r_last_error(struct s3r_error *out);
S3R_API const char *s3r_wc_status_text(int status);
/* Objects of each kind now alive, in the order device, PD, MR, MW, CQ, QP. For leak tests and metrics. */
S3R_API int s3r_live_objects(int64_t out[6]);

/* ---- host memory ---- */

/* Zeroed memory of at least `length` bytes in the largest pages there are: 2 MiB ones of the pool, else transparent
 * ones, else normal; on NUMA node `node` where the kernel allows it, -1 for any. The pages are there on return. */
S3R_API int s3r_memory_map(uint64_t length, int node, struct s3r_memory *out);
S3R_API int s3r_memory_unmap(uint64_t address, uint64_t length);
/* NUMA node of the page at the address, which is touched if it was not yet. */
S3R_API int s3r_memory_node(uint64_t address);

/* ---- device and port ---- */

/* Returns the number of devices; fills at most `capacity` names. */
S3R_API int s3r_device_list(struct s3r_device_name *out, int capacity);
S3R_API int s3r_device_open(const char *name, s3r_device **out);
S3R_API int s3r_device_close(s3r_device *device);
S3R_API int s3r_device_query(s3r_device *device, struct s3r_device_attr *out);
S3R_API int s3r_port_query(s3r_device *device, int port, struct s3r_port_attr *out);
/* Returns the number of non-empty entries; fills at most `capacity`. */
S3R_API int s3r_gid_list(s3r_device *device, int port, struct s3r_gid_entry *out, int capacity);
/* Waits at most timeout_ms for an asynchronous event, acknowledges it: 1 event, 2 woken by s3r_async_wake, 0 none. */
S3R_API int s3r_async_wait(s3r_device *device, int timeout_ms, struct s3r_async_event *out);
S3R_API int s3r_async_wake(s3r_device *device);

/* ---- memory ---- */

S3R_API int s3r_pd_alloc(s3r_device *device, s3r_pd **out);
S3R_API int s3r_pd_free(s3r_pd *pd);
S3R_API int s3r_mr_register(s3r_pd *pd, uint64_t address, uint64_t length, uint32_t access, s3r_mr **out);
/* `iova` and `offset` must agree in their offset within a page. The fd may be closed after the call. */
S3R_API int s3r_mr_register_dmabuf(s3r_pd *pd, uint64_t offset, uint64_t length, uint64_t iova, int fd,
                                   uint32_t access, s3r_mr **out);
S3R_API int s3r_mr_keys(s3r_mr *mr, uint32_t *lkey, uint32_t *rkey);
S3R_API int s3r_mr_deregister(s3r_mr *mr);
S3R_API int s3r_mw_alloc(s3r_pd *pd, s3r_mw **out);
S3R_API int s3r_mw_free(s3r_mw *mw);
/* Posts a signalled type 2 BIND of `mw` over [address, address + length) of `mr`; *rkey is the window's key,
 * usable by the peer after the completion. */
S3R_API int s3r_mw_bind(s3r_qp *qp, s3r_mw *mw, s3r_mr *mr, uint64_t address, uint64_t length, uint32_t access,
                        uint64_t wr_id, uint32_t *rkey);
/* Posts a signalled LOCAL_INV of a bound window's rkey. */
S3R_API int s3r_mw_invalidate(s3r_qp *qp, uint32_t rkey, uint64_t wr_id);

/* ---- completion queue ---- */

S3R_API int s3r_cq_create(s3r_device *device, int depth, s3r_cq **out);
S3R_API int s3r_cq_destroy(s3r_cq *cq);
/* Reaps at most `capacity` completions; returns how many. */
S3R_API int s3r_cq_poll(s3r_cq *cq, struct s3r_completion *out, int capacity);
/* Asks for an event at the next completion. Poll once more after it, then wait. */
S3R_API int s3r_cq_arm(s3r_cq *cq);
/* 1: an event came (consumed and acknowledged), 2: woken by s3r_cq_wake, 0: timeout. timeout_ms < 0 waits on. */
S3R_API int s3r_cq_wait(s3r_cq *cq, int timeout_ms);
S3R_API int s3r_cq_wake(s3r_cq *cq);

/* ---- queue pair (RC) ---- */

S3R_API int s3r_qp_create(s3r_pd *pd, s3r_cq *send_cq, s3r_cq *recv_cq, struct s3r_qp_caps *caps, s3r_qp **out);
S3R_API int s3r_qp_number(s3r_qp *qp, uint32_t *out);
S3R_API int s3r_qp_to_init(s3r_qp *qp, int port, uint32_t access);
S3R_API int s3r_qp_to_rtr(s3r_qp *qp, const struct s3r_rtr *attr);
S3R_API int s3r_qp_to_rts(s3r_qp *qp, const struct s3r_rts *attr);
S3R_API int s3r_qp_to_error(s3r_qp *qp);
S3R_API int s3r_qp_query(s3r_qp *qp, struct s3r_qp_info *out);
S3R_API int s3r_qp_destroy(s3r_qp *qp);
/* Posts `count` (1..64) chunks with one call into the provider. Returns `count`, or -errno with *posted telling how
 * many were accepted before the failure. */
S3R_API int s3r_post(s3r_qp *qp, int opcode, const struct s3r_chunk *chunks, int count, int *posted);

#ifdef __cplusplus
}
#endif
#endif
