/*
 * Shared by the .c files of the fake device. One mutex guards all state; only memcpy runs without it, and then both
 * regions and both queue pairs carry a `users` count that deregistration, QP error and destroy wait for. One fabric
 * thread moves every byte, so an executed LOCAL_INV is by itself ordered after each copy.
 */
#ifndef S3R_FAKE_INTERNAL_H
#define S3R_FAKE_INTERNAL_H

#include <pthread.h>
#include <stddef.h>

#include "error.h"
#include "s3rdma_fake.h"

enum {
  FAKE_DEVICES = 2,
  FAKE_GIDS = 3,
  FAKE_EVENTS = 128,
  FAKE_MAX_SGE = 16,
  FAKE_MASK24 = 0xffffff,
  FAKE_PORT_STATE_DOWN = 1,
  FAKE_PORT_STATE_ACTIVE = 4
};

/* Entry of the one identifier table; embedded in the object that it names. */
enum fake_id_kind { FAKE_ID_LKEY, FAKE_ID_RKEY, FAKE_ID_MW, FAKE_ID_QP };

struct fake_id {
  uint32_t id;
  enum fake_id_kind kind;
  void *owner;
  struct fake_id *next;
};

struct fake_limits {
  int max_qp_wr;
  int max_cqe;
  int max_qp_rd_atom;
  int mtu_bytes;
  uint32_t max_msg_bytes;
};

/* What all handles of one device index share. */
struct fake_node {
  uint32_t ipv4;
  int active;
};

struct s3r_device {
  int index;
  int children;
  struct fake_limits limits; /* as they were when the device was opened */
  int event_fd;              /* a semaphore: one count for each queued event */
  int wake_fd;               /* ends a wait for events */
  int event_head;
  int event_count;
  struct s3r_async_event events[FAKE_EVENTS];
  s3r_device *next;
};

struct s3r_pd {
  s3r_device *device;
  int children;
};

struct s3r_mr {
  s3r_pd *pd;
  uint64_t iova;
  uint64_t length;
  uint32_t access;
  uint32_t lkey;
  uint32_t rkey;
  unsigned char *base; /* where iova is in this process */
  void *map;           /* own mapping of a dma-buf, else NULL */
  size_t map_length;
  struct fake_id lkey_id;
  struct fake_id rkey_id;
  int users;   /* copies that now run in this region */
  int windows; /* bound windows */
};

struct s3r_mw {
  s3r_pd *pd;
  struct fake_id id;
  uint32_t issued; /* last key given out by a post; the next bind takes the next tag */
  uint32_t key;    /* key of the bound state */
  uint32_t access;
  uint32_t qpn; /* type 2B: usable through this QP only */
  int bound;
  s3r_mr *mr;
  uint64_t address;
  uint64_t length;
};

struct fake_cqe {
  struct s3r_completion completion;
  uint64_t sequence; /* position in the send queue: polling it frees the slots up to here */
};

struct s3r_cq {
  s3r_device *device;
  int depth;
  int head;
  int count;
  int armed;
  int overrun;
  int qps;
  int event_fd;
  int wake_fd;
  struct fake_cqe *ring;
};

enum fake_phase { PHASE_NEW, PHASE_READY, PHASE_STALLED };

/* One posted work request. Objects are named by key, never by pointer: they may be gone when it executes. */
struct fake_wr {
  int opcode; /* s3r_opcode or s3r_fake_opcode */
  int signaled;
  enum fake_phase phase;
  int fault; /* s3r_fake_fault that acts at the end of the move */
  int64_t argument;
  uint64_t sequence;
  uint64_t wr_id;
  uint64_t local_address;
  uint64_t remote_address; /* BIND: start of the window */
  uint64_t length;
  uint32_t lkey; /* BIND: the region */
  uint32_t rkey; /* BIND: the new key; LOCAL_INV: the key to kill */
  uint32_t mw;   /* BIND: index of the window */
  uint32_t access;
  uint64_t done;     /* bytes moved so far */
  uint64_t wake_at;  /* not before this time, ns */
  uint64_t retry_at; /* give up at this time, ns; 0: peer was reached */
};

struct s3r_qp {
  s3r_pd *pd;
  s3r_cq *send_cq;
  s3r_cq *recv_cq;
  struct fake_id id;
  struct s3r_qp_caps caps;
  int state;
  int fenced; /* s3r_qp_to_error was called: not even an injected late write may pass */
  uint32_t access;
  struct s3r_rtr rtr;
  struct s3r_rts rts;
  uint8_t gid[16]; /* own, chosen by gid_index */
  int gid_type;
  uint32_t sq_psn;
  uint32_t rq_psn;
  struct fake_wr *ring;
  uint32_t head;
  uint32_t pending;   /* in the ring, not executed */
  uint64_t posted;    /* sequence of the next post */
  uint64_t reclaimed; /* slots below are free */
  int users;          /* copies that now run for or into this QP */
  s3r_qp *previous;
  s3r_qp *next;
};

/* ---- fake_control.c: global state and controls ---- */

extern struct fake_node fake_nodes[FAKE_DEVICES];
extern struct fake_limits fake_next_limits;
extern s3r_device *fake_device_list;
extern int fake_devices_shown;
extern int fake_dmabuf_works;

void fake_lock(void);
void fake_unlock(void);
int fake_lock_wanted(void); /* another thread waits for the lock */
void fake_wait_idle(void);  /* until some copy ended; with the lock */
void fake_wait_copy(const s3r_mr *mr); /* until the copy that now runs in the region ended */
void fake_copy_ended(void);
void fake_work_came(void);
/* With the lock; until work came or the time (ns, UINT64_MAX: no end). */
void fake_wait_work(uint64_t until);
uint64_t fake_now(void);
/* Which fault hits this call or WR; S3R_FAKE_NONE if none. `opcode` is 0 for calls without one. */
int fake_fault_of_call(int fault, int opcode, int64_t *argument);
int fake_fault_of_wr(int opcode, int64_t *argument);
void fake_count_move(int opcode, uint64_t bytes, uint64_t wrs);

/* ---- fake_device.c ---- */

int fake_gid(int device_index, int gid_index, struct s3r_gid_entry *out);
void fake_raise(s3r_device *device, int type, int port, uint32_t qpn);
void fake_raise_all(int device_index, int type, int port, uint32_t qpn); /* index -1: every device */
void fake_forget_events(s3r_device *device, uint32_t qpn);

/* ---- fake_memory.c ---- */

void *fake_find(enum fake_id_kind kind, uint32_t id);
void fake_id_add(struct fake_id *entry, enum fake_id_kind kind, uint32_t id, void *owner);
void fake_id_remove(struct fake_id *entry);
s3r_mr *fake_local_region(const s3r_pd *pd, uint32_t lkey, uint64_t address, uint64_t length, int write);
s3r_mr *fake_remote_region(const s3r_qp *peer, uint32_t rkey, uint64_t address, uint64_t length, uint32_t right);
int fake_bind(s3r_qp *qp, const struct fake_wr *wr);       /* a wc status */
int fake_invalidate(s3r_qp *qp, const struct fake_wr *wr); /* a wc status */

/* ---- fake_queue.c ---- */

/* With the lock. Takes a slot; the caller fills the WR. NULL with *code (EINVAL, ENOMEM) where there is none. */
struct fake_wr *fake_slot(s3r_qp *qp, int *code);
void fake_push(s3r_qp *qp, const struct fake_wr *wr, int status, uint64_t bytes);

/* ---- fake_fabric.c ---- */

extern s3r_qp *fake_qps;
int fake_fabric_start(void);         /* 0 or an errno */
void fake_window_came(s3r_qp *qp); /* with the lock; a bind or an invalidation was posted last */
void fake_drop_late(void);

#endif
