/* Tests of the fake device: every rule that it enforces and every fault that it injects. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "s3rdma_fake.h"

/* ---- layout: no implicit padding ---- */

_Static_assert(sizeof(struct s3r_error) == 4 + 4 + 8 + 48 + 200, "error");
_Static_assert(sizeof(struct s3r_device_name) == 64, "device_name");
_Static_assert(sizeof(struct s3r_device_attr) == 64 + 64 + 2 * 8 + 12 * 4, "device_attr");
_Static_assert(offsetof(struct s3r_device_attr, vendor_id) == 144, "device_attr.vendor_id");
_Static_assert(sizeof(struct s3r_port_attr) == 8 * 4, "port_attr");
_Static_assert(sizeof(struct s3r_gid_entry) == 16 + 4 * 4, "gid_entry");
_Static_assert(sizeof(struct s3r_qp_caps) == 4 * 4, "qp_caps");
_Static_assert(sizeof(struct s3r_rtr) == 16 + 10 * 4, "rtr");
_Static_assert(sizeof(struct s3r_rts) == 6 * 4, "rts");
_Static_assert(sizeof(struct s3r_qp_info) == 12 * 4, "qp_info");
_Static_assert(sizeof(struct s3r_chunk) == 3 * 8 + 4 * 4, "chunk");
_Static_assert(offsetof(struct s3r_chunk, length) == 24, "chunk.length");
_Static_assert(sizeof(struct s3r_completion) == 8 + 4 * 4, "completion");
_Static_assert(sizeof(struct s3r_async_event) == 4 * 4, "async_event");
_Static_assert(sizeof(struct s3r_memory) == 2 * 8 + 2 * 4, "memory");

/* ---- assertions and small helpers ---- */

static int passed;
static int failed;
static const char *current = "";

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (condition) {                                                                  \
      passed++;                                                                       \
    } else {                                                                          \
      failed++;                                                                       \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, current, #condition);             \
    }                                                                                 \
  } while (0)

#define EQUAL(expected, actual)                                                                              \
  do {                                                                                                       \
    long long want_ = (long long)(expected), got_ = (long long)(actual);                                     \
    if (want_ == got_) {                                                                                     \
      passed++;                                                                                              \
    } else {                                                                                                 \
      failed++;                                                                                              \
      printf("%s:%d: %s: %s is %lld, not %lld\n", __FILE__, __LINE__, current, #actual, got_, want_);        \
    }                                                                                                        \
  } while (0)

#define OK(call) EQUAL(0, call)

enum { RIGHTS = S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ | S3R_ACCESS_MW_BIND };
enum { TIMED_OUT = -1 };

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void sleep_ms(int ms) {
  struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
  nanosleep(&t, NULL);
}

struct side {
  s3r_device *device;
  s3r_pd *pd;
  s3r_cq *cq;
  s3r_qp *qp;
  uint32_t qpn;
  uint8_t gid[16];
};

/* The server posts, the client is the target. */
struct pair {
  struct side server;
  struct side client;
};

struct options {
  int depth;
  int cq_depth;
  int gid_index;
  int mtu_server;
  int mtu_client;
  int reads_server;
  int reads_client;
  int timeout;
  int retry;
  uint32_t client_access;
  uint32_t psn;        /* server's sq_psn */
  uint32_t psn_client; /* client's rq_psn */
};

static struct options defaults(void) {
  return (struct options){.depth = 32,
                          .cq_depth = 64,
                          .gid_index = 2,
                          .mtu_server = 4096,
                          .mtu_client = 4096,
                          .reads_server = 8,
                          .reads_client = 8,
                          .timeout = 8,
                          .retry = 3,
                          .client_access = S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ,
                          .psn = 1000,
                          .psn_client = 1000};
}

static void side_open(struct side *s, const char *name, const struct options *o) {
  struct s3r_gid_entry gids[8];
  struct s3r_qp_caps caps = {(uint32_t)o->depth, 0, 1, 0};
  OK(s3r_device_open(name, &s->device));
  OK(s3r_pd_alloc(s->device, &s->pd));
  OK(s3r_cq_create(s->device, o->cq_depth, &s->cq));
  OK(s3r_qp_create(s->pd, s->cq, s->cq, &caps, &s->qp));
  OK(s3r_qp_number(s->qp, &s->qpn));
  EQUAL(3, s3r_gid_list(s->device, 1, gids, 8));
  memcpy(s->gid, gids[o->gid_index].gid, 16);
}

static struct s3r_rtr rtr_to(const struct side *peer, const struct options *o, int mtu, int reads, uint32_t psn) {
  struct s3r_rtr rtr = {.remote_qpn = peer->qpn,
                        .rq_psn = psn,
                        .port = 1,
                        .gid_index = o->gid_index,
                        .mtu_bytes = mtu,
                        .max_dest_rd_atomic = reads,
                        .min_rnr_timer = 12,
                        .hop_limit = 64};
  memcpy(rtr.remote_gid, peer->gid, 16);
  return rtr;
}

static struct s3r_rts rts_of(const struct options *o, uint32_t psn, int reads) {
  return (struct s3r_rts){
      .sq_psn = psn, .max_rd_atomic = reads, .timeout = o->timeout, .retry_cnt = o->retry, .rnr_retry = 7};
}

static void pair_open_on(struct pair *p, const struct options *o, const char *server, const char *client) {
  side_open(&p->server, server, o);
  side_open(&p->client, client, o);
  OK(s3r_qp_to_init(p->server.qp, 1, 0));
  OK(s3r_qp_to_init(p->client.qp, 1, o->client_access));
  struct s3r_rtr rtr = rtr_to(&p->client, o, o->mtu_server, 0, 5);
  OK(s3r_qp_to_rtr(p->server.qp, &rtr));
  rtr = rtr_to(&p->server, o, o->mtu_client, o->reads_client, o->psn_client);
  OK(s3r_qp_to_rtr(p->client.qp, &rtr));
  struct s3r_rts rts = rts_of(o, 5, 1);
  OK(s3r_qp_to_rts(p->client.qp, &rts));
  rts = rts_of(o, o->psn, o->reads_server);
  OK(s3r_qp_to_rts(p->server.qp, &rts));
}

static void pair_open(struct pair *p, const struct options *o) { pair_open_on(p, o, "fake0", "fake0"); }

static void side_close(struct side *s) {
  if (s->qp) OK(s3r_qp_destroy(s->qp));
  OK(s3r_cq_destroy(s->cq));
  OK(s3r_pd_free(s->pd));
  OK(s3r_device_close(s->device));
}

static void pair_close(struct pair *p) {
  side_close(&p->server);
  side_close(&p->client);
}

struct region {
  unsigned char *bytes;
  size_t size;
  s3r_mr *mr;
  uint32_t lkey;
  uint32_t rkey;
};

static uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p; }

static void fill(unsigned char *p, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++) p[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

static int all(const unsigned char *p, size_t n, int value) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != value) return 0;
  return 1;
}

static void region_open(struct region *r, s3r_pd *pd, size_t size, uint32_t access) {
  r->size = size;
  r->bytes = malloc(size);
  memset(r->bytes, 0, size);
  OK(s3r_mr_register(pd, address_of(r->bytes), size, access, &r->mr));
  OK(s3r_mr_keys(r->mr, &r->lkey, &r->rkey));
}

static void region_close(struct region *r) {
  if (r->mr) OK(s3r_mr_deregister(r->mr));
  free(r->bytes);
}

static struct s3r_chunk chunk(const struct region *local, const struct region *remote, size_t n) {
  return (struct s3r_chunk){.wr_id = 7,
                            .local_address = address_of(local->bytes),
                            .remote_address = address_of(remote->bytes),
                            .length = (uint32_t)n,
                            .lkey = local->lkey,
                            .rkey = remote->rkey,
                            .flags = S3R_CHUNK_SIGNALED};
}

static int next_completion(s3r_cq *cq, struct s3r_completion *out, int ms) {
  for (int64_t end = now_ms() + ms;;) {
    int n = s3r_cq_poll(cq, out, 1);
    if (n) return n;
    if (now_ms() >= end) return 0;
    struct timespec t = {.tv_nsec = 100000};
    nanosleep(&t, NULL);
  }
}

static int status_within(s3r_cq *cq, int ms) {
  struct s3r_completion c;
  return next_completion(cq, &c, ms) == 1 ? c.status : TIMED_OUT;
}

static int status_of(s3r_cq *cq) { return status_within(cq, 2000); }

static int post(s3r_qp *qp, int opcode, const struct s3r_chunk *c) {
  int posted;
  return s3r_post(qp, opcode, c, 1, &posted);
}

static int run(struct side *s, int opcode, const struct s3r_chunk *c) {
  EQUAL(1, post(s->qp, opcode, c));
  return status_of(s->cq);
}

static int state_of(s3r_qp *qp) {
  struct s3r_qp_info info;
  OK(s3r_qp_query(qp, &info));
  return info.state;
}

static uint32_t sq_psn(s3r_qp *qp) {
  struct s3r_qp_info info;
  OK(s3r_qp_query(qp, &info));
  return info.sq_psn;
}

static uint32_t rq_psn(s3r_qp *qp) {
  struct s3r_qp_info info;
  OK(s3r_qp_query(qp, &info));
  return info.rq_psn;
}

static int last_error_is(int code, const char *call) {
  struct s3r_error e;
  s3r_last_error(&e);
  return e.code == code && strcmp(e.call, call) == 0 && e.text[0];
}

/* A pair with one 64 KiB region at each end. */
struct bench {
  struct pair pair;
  struct region local;
  struct region remote;
};

enum { BENCH = 65536 };

static void bench_open(struct bench *b, const struct options *o) {
  pair_open(&b->pair, o);
  region_open(&b->local, b->pair.server.pd, BENCH, S3R_ACCESS_LOCAL_WRITE);
  region_open(&b->remote, b->pair.client.pd, BENCH, RIGHTS);
  fill(b->local.bytes, BENCH, 3);
}

static void bench_close(struct bench *b) {
  if (b->pair.server.qp) {
    OK(s3r_qp_destroy(b->pair.server.qp));
    b->pair.server.qp = NULL;
  }
  if (b->pair.client.qp) {
    OK(s3r_qp_destroy(b->pair.client.qp));
    b->pair.client.qp = NULL;
  }
  region_close(&b->local);
  region_close(&b->remote);
  pair_close(&b->pair);
}

/* Bytes of WRITEs; the call also orders the caller's reads with the copies that it counts. */
static uint64_t moved_so_far(void) {
  uint64_t bytes;
  uint64_t wrs;
  s3r_fake_totals(S3R_OP_WRITE, &bytes, &wrs);
  return bytes;
}

/* Until the WRITEs have moved so many bytes in all; a slow machine gets time. */
static int moved_within(uint64_t bytes, int ms) {
  for (int64_t end = now_ms() + ms; moved_so_far() < bytes && now_ms() < end;) sleep_ms(1);
  return moved_so_far() >= bytes;
}

/* ---- devices ---- */

static void test_library(void) {
  EQUAL(S3R_ABI_VERSION, s3r_abi_version());
  CHECK(strcmp("fake", s3r_provider()) == 0);
  EQUAL(sizeof(struct s3r_chunk), s3r_sizeof(S3R_SIZEOF_CHUNK));
  EQUAL(-EINVAL, s3r_sizeof(S3R_SIZEOF_MEMORY + 1));
  CHECK(strcmp("remote access error", s3r_wc_status_text(S3R_WC_REM_ACCESS_ERR)) == 0);
}

static void test_devices(void) {
  struct s3r_device_name names[4];
  s3r_device *device;
  EQUAL(1, s3r_device_list(names, 4));
  CHECK(strcmp("fake0", names[0].name) == 0);
  EQUAL(-ENODEV, s3r_device_open("fake1", &device));
  CHECK(last_error_is(ENODEV, "ibv_open_device"));
  OK(s3r_fake_devices(2));
  EQUAL(2, s3r_device_list(names, 1));
  OK(s3r_fake_devices(0));
  EQUAL(0, s3r_device_list(names, 4));
  EQUAL(-EINVAL, s3r_fake_devices(3));
  OK(s3r_fake_devices(1));

  OK(s3r_device_open("fake0", &device));
  struct s3r_device_attr attr;
  OK(s3r_device_query(device, &attr));
  EQUAL(16, attr.max_qp_rd_atom);
  EQUAL(1, attr.mw_type2);
  EQUAL(0, attr.vendor_id);
  EQUAL(1, attr.ports);
  struct s3r_port_attr port;
  OK(s3r_port_query(device, 1, &port));
  CHECK(port.active && port.ethernet && port.active_mtu_bytes == 4096 && port.max_msg_bytes == 1u << 30);
  EQUAL(-EINVAL, s3r_port_query(device, 2, &port));
  CHECK(last_error_is(EINVAL, "ibv_query_port"));

  struct s3r_gid_entry g[3];
  static const uint8_t v4[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
  EQUAL(3, s3r_gid_list(device, 1, g, 3));
  CHECK(g[0].type == S3R_GID_ROCE_V2 && g[0].gid[0] == 0xfe && g[0].gid[1] == 0x80);
  CHECK(g[1].type == S3R_GID_ROCE_V1 && memcmp(g[1].gid, v4, 16) == 0);
  CHECK(g[2].type == S3R_GID_ROCE_V2 && memcmp(g[2].gid, v4, 16) == 0);
  EQUAL(2, g[2].index);
  EQUAL(0, s3r_gid_list(device, 2, g, 3));
  OK(s3r_device_close(device));
}

static void test_limits(void) {
  s3r_device *device;
  s3r_cq *cq;
  s3r_pd *pd;
  s3r_qp *qp;
  struct s3r_device_attr attr;
  struct s3r_port_attr port;
  OK(s3r_fake_limits(8, 4, 1 << 20, 2, 1024));
  OK(s3r_device_open("fake0", &device));
  OK(s3r_device_query(device, &attr));
  CHECK(attr.max_qp_wr == 8 && attr.max_cqe == 4 && attr.max_qp_rd_atom == 2);
  OK(s3r_port_query(device, 1, &port));
  CHECK(port.max_msg_bytes == 1 << 20 && port.active_mtu_bytes == 1024);
  EQUAL(-EINVAL, s3r_cq_create(device, 5, &cq));
  OK(s3r_cq_create(device, 4, &cq));
  OK(s3r_pd_alloc(device, &pd));
  struct s3r_qp_caps caps = {9, 0, 1, 0};
  EQUAL(-EINVAL, s3r_qp_create(pd, cq, cq, &caps, &qp));
  CHECK(last_error_is(EINVAL, "ibv_create_qp"));
  OK(s3r_cq_destroy(cq));
  OK(s3r_pd_free(pd));
  OK(s3r_device_close(device));
  EQUAL(-EINVAL, s3r_fake_limits(0, 0, 0, 0, 1000));
}

static void test_async(void) {
  s3r_device *device;
  struct s3r_async_event e;
  OK(s3r_device_open("fake0", &device));
  EQUAL(0, s3r_async_wait(device, 0, &e));
  OK(s3r_fake_port(0, 0));
  OK(s3r_fake_port(0, 0));
  OK(s3r_fake_port(0, 1));
  OK(s3r_fake_address(0, 0x0a000001));
  OK(s3r_fake_arm(S3R_FAKE_ASYNC, 0, 0, 1, S3R_EVENT_DEVICE_FATAL));
  OK(s3r_fake_arm(S3R_FAKE_ASYNC, 0, 0, 1, S3R_EVENT_QP_FATAL | (int64_t)77 << 32));
  OK(s3r_fake_arm(S3R_FAKE_ASYNC, 0, 0, 1, 11));
  static const int types[] = {S3R_EVENT_PORT_ERR, S3R_EVENT_PORT_ACTIVE, S3R_EVENT_GID_CHANGE, S3R_EVENT_DEVICE_FATAL,
                              S3R_EVENT_QP_FATAL, S3R_EVENT_OTHER};
  for (int i = 0; i < 6; i++) {
    EQUAL(1, s3r_async_wait(device, 100, &e));
    EQUAL(types[i], e.type);
    EQUAL(i < 3 ? 1 : 0, e.port);
    EQUAL(i == 4 ? 77 : 0, e.qpn);
  }
  EQUAL(11, e.raw);
  int64_t start = now_ms();
  EQUAL(0, s3r_async_wait(device, 20, &e));
  CHECK(now_ms() - start >= 19);
  OK(s3r_device_close(device));
}

/* ---- data path ---- */

static void test_write_and_read(void) {
  static const size_t sizes[] = {0, 1, 7, 4095, 4096, 4097, 65536, 1 << 20, 5000000};
  enum { GUARD = 64, MOST = 5000000 + 2 * GUARD };
  struct options o = defaults();
  struct pair p;
  struct region local;
  struct region remote;
  pair_open(&p, &o);
  region_open(&local, p.server.pd, MOST, S3R_ACCESS_LOCAL_WRITE);
  region_open(&remote, p.client.pd, MOST, S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ);
  for (int opcode = S3R_OP_WRITE; opcode <= S3R_OP_READ; opcode++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      size_t n = sizes[i];
      struct region *from = opcode == S3R_OP_WRITE ? &local : &remote;
      struct region *to = opcode == S3R_OP_WRITE ? &remote : &local;
      size_t span = n + 2 * GUARD;
      fill(from->bytes, span, (unsigned)i);
      memset(to->bytes, 0xee, span);
      uint32_t before = sq_psn(p.server.qp);
      struct s3r_chunk c = chunk(&local, &remote, n);
      c.local_address += GUARD - 1;
      c.remote_address += GUARD;
      size_t from_at = opcode == S3R_OP_WRITE ? GUARD - 1 : GUARD;
      size_t to_at = opcode == S3R_OP_WRITE ? GUARD : GUARD - 1;
      EQUAL(1, post(p.server.qp, opcode, &c));
      struct s3r_completion done;
      EQUAL(1, next_completion(p.server.cq, &done, 2000));
      EQUAL(S3R_WC_SUCCESS, done.status);
      EQUAL(n, done.byte_count);
      EQUAL(7, done.wr_id);
      EQUAL(p.server.qpn, done.qpn);
      CHECK(memcmp(from->bytes + from_at, to->bytes + to_at, n) == 0);
      CHECK(all(to->bytes, to_at, 0xee) && all(to->bytes + to_at + n, span - to_at - n, 0xee));
      uint32_t packets = n ? (uint32_t)((n + 4095) / 4096) : 1;
      EQUAL(packets, sq_psn(p.server.qp) - before);
      EQUAL(sq_psn(p.server.qp), rq_psn(p.client.qp));
    }
  uint64_t bytes;
  uint64_t wrs;
  OK(s3r_fake_totals(S3R_OP_READ, &bytes, &wrs));
  EQUAL(9, wrs);
  EQUAL(1 + 7 + 4095 + 4096 + 4097 + 65536 + (1 << 20) + 5000000, bytes);
  OK(s3r_fake_totals(0, &bytes, &wrs));
  EQUAL(18, wrs);
  region_close(&local);
  region_close(&remote);
  pair_close(&p);
}

static void test_psn(void) {
  struct options o = defaults();
  struct bench b;
  o.psn = o.psn_client = 0xfffffe;
  o.mtu_server = o.mtu_client = 1024;
  bench_open(&b, &o);
  struct s3r_chunk c = chunk(&b.local, &b.remote, 4097);
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  EQUAL(3, sq_psn(b.pair.server.qp));
  EQUAL(3, rq_psn(b.pair.client.qp));
  bench_close(&b);

  o.psn_client = o.psn + 1;
  bench_open(&b, &o);
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&b.pair.server, S3R_OP_WRITE, &(struct s3r_chunk){.flags = S3R_CHUNK_SIGNALED}));
  bench_close(&b);
}

static void test_two_devices(void) {
  struct options o = defaults();
  struct bench b;
  OK(s3r_fake_devices(2));
  OK(s3r_fake_address(1, 0x0a000002));
  pair_open_on(&b.pair, &o, "fake0", "fake1");
  region_open(&b.local, b.pair.server.pd, BENCH, 0);
  region_open(&b.remote, b.pair.client.pd, BENCH, RIGHTS);
  CHECK(memcmp(b.pair.server.gid, b.pair.client.gid, 16) != 0);
  struct s3r_chunk c = chunk(&b.local, &b.remote, 100);
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  OK(s3r_fake_port(1, 0));
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&b.pair.server, S3R_OP_WRITE, &c));
  bench_close(&b);
}

static void test_unreachable(void) {
  struct options o = defaults();
  struct bench b;
  struct s3r_chunk c;
  o.timeout = 12; /* (3 + 1) * 16.8 ms */

  bench_open(&b, &o); /* the client's QP is gone */
  c = chunk(&b.local, &b.remote, 100);
  OK(s3r_qp_destroy(b.pair.client.qp));
  b.pair.client.qp = NULL;
  int64_t start = now_ms();
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&b.pair.server, S3R_OP_WRITE, &c));
  CHECK(now_ms() - start >= 66 && now_ms() - start < 5000);
  EQUAL(S3R_QP_ERROR, state_of(b.pair.server.qp));
  bench_close(&b);

  bench_open(&b, &o); /* in ERROR; 300 ms at most */
  c = chunk(&b.local, &b.remote, 100);
  OK(s3r_qp_to_error(b.pair.client.qp));
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&b.pair.server, S3R_OP_WRITE, &c));
  bench_close(&b);

  bench_open(&b, &o); /* the address changed */
  c = chunk(&b.local, &b.remote, 100);
  OK(s3r_fake_address(0, 0x0a000009));
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&b.pair.server, S3R_OP_WRITE, &c));
  OK(s3r_fake_address(0, 0x7f000001));
  bench_close(&b);

  struct bench other; /* two servers aim at one client QP: only the one it is connected to gets through */
  bench_open(&b, &o);
  side_open(&other.pair.server, "fake0", &o);
  OK(s3r_qp_to_init(other.pair.server.qp, 1, 0));
  struct s3r_rtr rtr = rtr_to(&b.pair.client, &o, 4096, 0, 5);
  OK(s3r_qp_to_rtr(other.pair.server.qp, &rtr));
  struct s3r_rts rts = rts_of(&o, 1000, 1);
  OK(s3r_qp_to_rts(other.pair.server.qp, &rts));
  c = chunk(&b.local, &b.remote, 0);
  EQUAL(S3R_WC_RETRY_EXC_ERR, run(&other.pair.server, S3R_OP_WRITE, &c));
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  side_close(&other.pair.server);
  bench_close(&b);
}

/* A peer that is ready before the retries are used up is reached. */
static void test_late_peer(void) {
  struct options o = defaults();
  struct pair p;
  o.timeout = 20;
  side_open(&p.server, "fake0", &o);
  side_open(&p.client, "fake0", &o);
  OK(s3r_qp_to_init(p.server.qp, 1, 0));
  OK(s3r_qp_to_init(p.client.qp, 1, o.client_access));
  struct s3r_rtr rtr = rtr_to(&p.client, &o, 4096, 0, 5);
  OK(s3r_qp_to_rtr(p.server.qp, &rtr));
  struct s3r_rts rts = rts_of(&o, o.psn, 1);
  OK(s3r_qp_to_rts(p.server.qp, &rts));
  struct s3r_chunk c = {.flags = S3R_CHUNK_SIGNALED};
  EQUAL(1, post(p.server.qp, S3R_OP_WRITE, &c));
  EQUAL(TIMED_OUT, status_within(p.server.cq, 20));
  rtr = rtr_to(&p.server, &o, 4096, 1, o.psn);
  OK(s3r_qp_to_rtr(p.client.qp, &rtr));
  EQUAL(S3R_WC_SUCCESS, status_of(p.server.cq));
  pair_close(&p);
}

/* ---- rights ---- */

static void test_local_errors(void) {
  struct options o = defaults();
  struct bench b;
  OK(s3r_fake_limits(0, 0, 1 << 15, 0, 0));
  for (int i = 0; i < 7; i++) {
    bench_open(&b, &o);
    struct s3r_chunk c = chunk(&b.local, &b.remote, 100);
    s3r_pd *pd = NULL;
    s3r_mr *mr = NULL;
    uint32_t unused;
    int opcode = S3R_OP_WRITE;
    int want = S3R_WC_LOC_PROT_ERR;
    switch (i) {
      case 0: c.lkey ^= 0x100; break;
      case 1: c.lkey = b.local.mr ? c.rkey : 0; break; /* an rkey is no lkey */
      case 2: c.local_address += BENCH - 99; break;
      case 3: c.local_address -= 1; break;
      case 4:
        OK(s3r_pd_alloc(b.pair.server.device, &pd));
        OK(s3r_mr_register(pd, address_of(b.local.bytes), BENCH, S3R_ACCESS_LOCAL_WRITE, &mr));
        OK(s3r_mr_keys(mr, &c.lkey, &unused));
        break;
      case 5:
        OK(s3r_mr_register(b.pair.server.pd, address_of(b.local.bytes), BENCH, 0, &mr));
        OK(s3r_mr_keys(mr, &c.lkey, &unused));
        opcode = S3R_OP_READ;
        break;
      default:
        c.length = (1 << 15) + 1;
        want = S3R_WC_LOC_LEN_ERR;
    }
    EQUAL(want, run(&b.pair.server, opcode, &c));
    EQUAL(S3R_QP_ERROR, state_of(b.pair.server.qp));
    EQUAL(S3R_QP_RTS, state_of(b.pair.client.qp));
    CHECK(all(b.remote.bytes, BENCH, 0));
    if (mr) OK(s3r_mr_deregister(mr));
    if (pd) OK(s3r_pd_free(pd));
    bench_close(&b);
  }
}

static void test_remote_errors(void) {
  struct bench b;
  for (int i = 0; i < 12; i++) {
    struct options o = defaults();
    if (i == 7) o.client_access = S3R_ACCESS_REMOTE_READ;
    if (i == 8) o.client_access = S3R_ACCESS_REMOTE_WRITE;
    if (i == 9) o.mtu_client = 2048;
    if (i == 10) o.reads_client = 0;
    if (i == 11) o.reads_client = 4;
    bench_open(&b, &o);
    struct s3r_chunk c = chunk(&b.local, &b.remote, 100);
    s3r_pd *pd = NULL;
    s3r_mr *mr = NULL;
    uint32_t unused;
    int opcode = i == 8 || i >= 10 ? S3R_OP_READ : S3R_OP_WRITE;
    int want = i >= 9 ? S3R_WC_REM_INV_REQ_ERR : S3R_WC_REM_ACCESS_ERR;
    switch (i) {
      case 0: c.rkey ^= 0x100; break;
      case 1: c.rkey ^= 2; break;
      case 2: c.rkey = b.remote.lkey; break;
      case 3: c.remote_address += BENCH - 99; break;
      case 4: c.remote_address -= 1; break;
      case 5:
        OK(s3r_pd_alloc(b.pair.client.device, &pd));
        OK(s3r_mr_register(pd, address_of(b.remote.bytes), BENCH, RIGHTS, &mr));
        OK(s3r_mr_keys(mr, &unused, &c.rkey));
        break;
      case 6:
        OK(s3r_mr_register(b.pair.client.pd, address_of(b.remote.bytes), BENCH,
                           S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_READ, &mr));
        OK(s3r_mr_keys(mr, &unused, &c.rkey));
        break;
      default: break;
    }
    EQUAL(want, run(&b.pair.server, opcode, &c));
    EQUAL(S3R_QP_ERROR, state_of(b.pair.server.qp));
    EQUAL(S3R_QP_ERROR, state_of(b.pair.client.qp));
    EQUAL(1000, rq_psn(b.pair.client.qp));
    CHECK(all(b.remote.bytes, BENCH, 0));
    struct s3r_async_event e;
    EQUAL(1, s3r_async_wait(b.pair.client.device, 100, &e));
    EQUAL(i >= 9 ? S3R_EVENT_QP_REQ_ERR : S3R_EVENT_QP_ACCESS_ERR, e.type);
    EQUAL(b.pair.client.qpn, e.qpn);
    EQUAL(0, s3r_async_wait(b.pair.server.device, 0, &e));
    if (mr) OK(s3r_mr_deregister(mr));
    if (pd) OK(s3r_pd_free(pd));
    bench_close(&b);
  }
}

static void test_registration(void) {
  s3r_device *device;
  s3r_pd *pd;
  s3r_mr *mr;
  s3r_mr *second;
  uint32_t keys[4];
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  OK(s3r_device_open("fake0", &device));
  OK(s3r_pd_alloc(device, &pd));
  unsigned char *p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(p != MAP_FAILED);
  uint64_t a = address_of(p);
  EQUAL(-EINVAL, s3r_mr_register(pd, a, 0, 0, &mr));
  CHECK(last_error_is(EINVAL, "ibv_reg_mr"));
  EQUAL(-EINVAL, s3r_mr_register(pd, a, UINT64_MAX - a + 1, 0, &mr));
  EQUAL(-EINVAL, s3r_mr_register(pd, a, page, S3R_ACCESS_REMOTE_WRITE, &mr));
  EQUAL(-EINVAL, s3r_mr_register(pd, a, page, 1 << 9, &mr));
  EQUAL(-EFAULT, s3r_mr_register(pd, 4096, page, 0, &mr));
  OK(s3r_mr_register(pd, a + 5, 4 * page - 5, RIGHTS | S3R_ACCESS_RELAXED_ORDERING, &mr));
  OK(s3r_mr_register(pd, a + 5, 4 * page - 5, 0, &second));
  OK(s3r_mr_keys(mr, &keys[0], &keys[1]));
  OK(s3r_mr_keys(second, &keys[2], &keys[3]));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) CHECK(keys[i] != keys[j]);
  CHECK(keys[0] % 2 == 0 && keys[1] % 2 == 1);
  EQUAL(-EBUSY, s3r_pd_free(pd));
  CHECK(last_error_is(EBUSY, "ibv_dealloc_pd"));
  OK(s3r_mr_deregister(second));
  OK(s3r_mr_deregister(mr));
  OK(mprotect(p + page, page, PROT_READ));
  OK(s3r_mr_register(pd, a, 4 * page, S3R_ACCESS_REMOTE_READ, &mr)); /* read-only pages can be a source */
  OK(s3r_mr_deregister(mr));
  EQUAL(-EFAULT, s3r_mr_register(pd, a, 4 * page, S3R_ACCESS_LOCAL_WRITE, &mr));
  OK(munmap(p + 2 * page, page));
  EQUAL(-EFAULT, s3r_mr_register(pd, a, 4 * page, 0, &mr));
  EQUAL(-EBUSY, s3r_device_close(device));
  OK(munmap(p, 2 * page));
  OK(munmap(p + 3 * page, page));
  int fd = memfd_create("short", 0);
  OK(ftruncate(fd, (off_t)page));
  p = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
  OK(s3r_mr_register(pd, address_of(p), page, 0, &mr));
  OK(s3r_mr_deregister(mr));
  EQUAL(-EFAULT, s3r_mr_register(pd, address_of(p), 2 * page, 0, &mr)); /* past the end of the file */
  OK(munmap(p, 2 * page));
  close(fd);
  OK(s3r_pd_free(pd));
  OK(s3r_device_close(device));
}

static void test_keys_do_not_come_back(void) {
  enum { ROUNDS = 20000 };
  struct options o = defaults();
  struct side s;
  unsigned char byte;
  uint32_t *seen = calloc(ROUNDS, sizeof *seen);
  side_open(&s, "fake0", &o);
  uint8_t *marks = calloc(1 << 24, 1);
  int repeats = 0;
  for (int i = 0; i < ROUNDS; i++) {
    s3r_mw *mw;
    s3r_mr *mr = NULL;
    uint32_t lkey = 0;
    if (i % 100 == 0) {
      OK(s3r_mr_register(s.pd, address_of(&byte), 1, RIGHTS, &mr));
      OK(s3r_mr_keys(mr, &lkey, &seen[i]));
      if (marks[seen[i] >> 8]++ || marks[lkey >> 8]++) repeats++;
      OK(s3r_mr_deregister(mr));
    } else {
      if (s3r_mw_alloc(s.pd, &mw) || s3r_mw_free(mw)) repeats++; /* takes an index */
    }
  }
  EQUAL(0, repeats);
  free(marks);
  free(seen);
  side_close(&s);
}

/* ---- windows ---- */

static int bind(struct side *s, s3r_mw *mw, const struct region *r, size_t at, size_t n, uint32_t access,
                uint32_t *rkey) {
  OK(s3r_mw_bind(s->qp, mw, r->mr, address_of(r->bytes) + at, n, access, 11, rkey));
  return status_of(s->cq);
}

static int invalidate(struct side *s, uint32_t rkey) {
  OK(s3r_mw_invalidate(s->qp, rkey, 12));
  return status_of(s->cq);
}

static void test_windows(void) {
  struct options o = defaults();
  struct bench b;
  s3r_mw *mw;
  uint32_t first;
  uint32_t second;
  bench_open(&b, &o);
  struct side *client = &b.pair.client;
  struct side *server = &b.pair.server;
  OK(s3r_mw_alloc(client->pd, &mw));
  EQUAL(S3R_WC_SUCCESS, bind(client, mw, &b.remote, 100, 50, S3R_ACCESS_REMOTE_WRITE, &first));
  EQUAL(-EBUSY, s3r_mr_deregister(b.remote.mr));
  CHECK(last_error_is(EBUSY, "ibv_dereg_mr"));
  struct s3r_chunk c = chunk(&b.local, &b.remote, 50);
  c.remote_address += 100;
  c.rkey = first;
  EQUAL(S3R_WC_SUCCESS, run(server, S3R_OP_WRITE, &c));
  CHECK(memcmp(b.remote.bytes + 100, b.local.bytes, 50) == 0);
  CHECK(all(b.remote.bytes, 100, 0) && all(b.remote.bytes + 150, BENCH - 150, 0));
  EQUAL(S3R_WC_SUCCESS, invalidate(client, first));
  EQUAL(S3R_WC_SUCCESS, bind(client, mw, &b.remote, 0, 10, S3R_ACCESS_REMOTE_READ, &second));
  EQUAL(first & ~0xffu, second & ~0xffu);
  EQUAL((first + 1) & 0xff, second & 0xff);
  c.rkey = second;
  c.remote_address -= 100;
  c.length = 10;
  EQUAL(S3R_WC_SUCCESS, run(server, S3R_OP_READ, &c));
  c.rkey = first;
  EQUAL(S3R_WC_REM_ACCESS_ERR, run(server, S3R_OP_READ, &c)); /* the old key is dead */
  OK(s3r_mw_free(mw)); /* bound: frees the region as well */
  bench_close(&b);
}

/* i-th misuse of a window's key by the server. */
static void test_window_rights(void) {
  struct options o = defaults();
  struct bench b;
  for (int i = 0; i < 6; i++) {
    s3r_mw *mw;
    uint32_t rkey;
    bench_open(&b, &o);
    struct side *client = &b.pair.client;
    OK(s3r_mw_alloc(client->pd, &mw));
    EQUAL(S3R_WC_SUCCESS, bind(client, mw, &b.remote, 100, 50, S3R_ACCESS_REMOTE_WRITE, &rkey));
    struct s3r_chunk c = chunk(&b.local, &b.remote, 50);
    c.remote_address += 100;
    c.rkey = rkey;
    if (i == 0) c.remote_address += 1;
    if (i == 1) c.remote_address -= 1;
    if (i == 2) c.length = 51;
    if (i == 4) EQUAL(S3R_WC_SUCCESS, invalidate(client, rkey));
    if (i == 5) c.rkey ^= 1;
    EQUAL(S3R_WC_REM_ACCESS_ERR, run(&b.pair.server, i == 3 ? S3R_OP_READ : S3R_OP_WRITE, &c));
    CHECK(all(b.remote.bytes, BENCH, 0));
    OK(s3r_mw_free(mw));
    bench_close(&b);
  }
}

/* A second QP beside the client's, in its PD and CQ, connected to itself: enough to bind. */
static struct side beside(const struct side *client, const struct options *o) {
  struct side other = *client;
  struct s3r_qp_caps caps = {4, 0, 1, 0};
  OK(s3r_qp_create(other.pd, other.cq, other.cq, &caps, &other.qp));
  OK(s3r_qp_number(other.qp, &other.qpn));
  OK(s3r_qp_to_init(other.qp, 1, RIGHTS));
  struct s3r_rtr rtr = rtr_to(&other, o, 4096, 1, 9);
  OK(s3r_qp_to_rtr(other.qp, &rtr));
  struct s3r_rts rts = rts_of(o, 9, 1);
  OK(s3r_qp_to_rts(other.qp, &rts));
  return other;
}

/* A window of one QP is no key for another QP of the same PD (type 2B), and only its own QP may kill it. */
static void test_window_of_other_qp(void) {
  struct options o = defaults();
  struct bench b;
  for (int misuse = 0; misuse < 3; misuse++) {
    s3r_mw *mw;
    uint32_t rkey;
    bench_open(&b, &o);
    struct side *client = &b.pair.client;
    struct side other = beside(client, &o);
    OK(s3r_mw_alloc(client->pd, &mw));
    EQUAL(S3R_WC_SUCCESS, bind(&other, mw, &b.remote, 0, 50, S3R_ACCESS_REMOTE_WRITE, &rkey));
    struct s3r_chunk c = chunk(misuse ? &b.local : &b.remote, &b.remote, 50);
    c.rkey = rkey;
    switch (misuse) {
      case 0: EQUAL(S3R_WC_SUCCESS, run(&other, S3R_OP_WRITE, &c)); break; /* none: its own QP */
      case 1: EQUAL(S3R_WC_REM_ACCESS_ERR, run(&b.pair.server, S3R_OP_WRITE, &c)); break;
      default: EQUAL(S3R_WC_LOC_QP_OP_ERR, invalidate(client, rkey));
    }
    OK(s3r_qp_destroy(other.qp));
    if (misuse < 2) {
      other = beside(client, &o); /* the QP that bound it is gone: another one of the PD may */
      EQUAL(S3R_WC_SUCCESS, invalidate(&other, rkey));
      OK(s3r_qp_destroy(other.qp));
    }
    OK(s3r_mw_free(mw));
    bench_close(&b);
  }
}

static void test_bind_errors(void) {
  struct options o = defaults();
  struct bench b;
  for (int i = 0; i < 9; i++) {
    s3r_mw *mw;
    s3r_pd *pd = NULL;
    uint32_t rkey;
    uint32_t access = S3R_ACCESS_REMOTE_WRITE;
    size_t at = 100;
    size_t n = 50;
    int want = S3R_WC_MW_BIND_ERR;
    bench_open(&b, &o);
    struct side *client = &b.pair.client;
    struct region extra = {.bytes = NULL};
    struct region *r = &b.remote;
    if (i == 5) OK(s3r_pd_alloc(client->device, &pd));
    OK(s3r_mw_alloc(pd ? pd : client->pd, &mw));
    if (i == 0) at = BENCH - 49;
    if (i == 1) n = BENCH;
    if (i == 2) n = 0;
    if (i == 3) access = S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_LOCAL_WRITE;
    if (i == 4) region_open(r = &extra, client->pd, BENCH, RIGHTS & ~S3R_ACCESS_MW_BIND);
    if (i == 6) region_open(r = &extra, client->pd, BENCH, S3R_ACCESS_REMOTE_READ | S3R_ACCESS_MW_BIND);
    if (i == 7) EQUAL(S3R_WC_SUCCESS, bind(client, mw, r, 0, 10, access, &rkey)); /* bound already */
    if (i == 8) {
      EQUAL(S3R_WC_LOC_QP_OP_ERR, invalidate(client, 0x1234));
      want = S3R_WC_WR_FLUSH_ERR;
    }
    EQUAL(want, bind(client, mw, r, at, n, access, &rkey));
    EQUAL(S3R_QP_ERROR, state_of(client->qp));
    OK(s3r_mw_free(mw));
    if (pd) OK(s3r_pd_free(pd));
    if (extra.bytes) region_close(&extra);
    bench_close(&b);
  }
}

/* ---- queues ---- */

static void test_depth(void) {
  struct options o = defaults();
  struct bench b;
  struct s3r_chunk c[6];
  struct s3r_completion done;
  int posted;
  o.depth = 4;
  bench_open(&b, &o);
  s3r_qp *qp = b.pair.server.qp;
  for (int i = 0; i < 6; i++) {
    c[i] = chunk(&b.local, &b.remote, 10);
    c[i].flags = 0;
    c[i].wr_id = (uint64_t)i;
  }
  EQUAL(3, s3r_post(qp, S3R_OP_WRITE, c, 3, &posted));
  sleep_ms(20);
  EQUAL(0, s3r_cq_poll(b.pair.server.cq, &done, 1)); /* unsignalled: no completion, and no slot comes back */
  c[0].flags = S3R_CHUNK_SIGNALED;
  EQUAL(-ENOMEM, s3r_post(qp, S3R_OP_WRITE, c, 6, &posted));
  EQUAL(1, posted);
  CHECK(last_error_is(ENOMEM, "ibv_post_send"));
  sleep_ms(20);
  EQUAL(-ENOMEM, post(qp, S3R_OP_WRITE, &c[1])); /* executed but not polled */
  EQUAL(S3R_WC_SUCCESS, status_of(b.pair.server.cq));
  EQUAL(4, s3r_post(qp, S3R_OP_WRITE, c, 4, &posted));
  EQUAL(4, posted);
  EQUAL(S3R_WC_SUCCESS, status_of(b.pair.server.cq)); /* frees the first of the four only */
  EQUAL(1, post(qp, S3R_OP_WRITE, &c[1]));
  EQUAL(-ENOMEM, post(qp, S3R_OP_WRITE, &c[1]));
  EQUAL(-EINVAL, s3r_post(qp, S3R_OP_WRITE, c, 0, &posted));
  EQUAL(-EINVAL, s3r_post(qp, S3R_OP_WRITE, c, 65, &posted));
  EQUAL(-EINVAL, s3r_post(qp, 3, c, 1, &posted));
  EQUAL(0, posted);
  bench_close(&b);
}

static void test_cq_overrun(void) {
  struct options o = defaults();
  struct bench b;
  struct s3r_completion done[8];
  struct s3r_async_event e;
  o.cq_depth = 3;
  bench_open(&b, &o);
  struct s3r_chunk c = chunk(&b.local, &b.remote, 10);
  for (int i = 0; i < 6; i++) EQUAL(1, post(b.pair.server.qp, S3R_OP_WRITE, &c));
  EQUAL(1, s3r_async_wait(b.pair.server.device, 1000, &e));
  EQUAL(S3R_EVENT_CQ_ERR, e.type);
  sleep_ms(20);
  EQUAL(3, s3r_cq_poll(b.pair.server.cq, done, 8));
  EQUAL(S3R_QP_RTS, state_of(b.pair.server.qp));
  EQUAL(0, s3r_async_wait(b.pair.server.device, 0, &e));
  bench_close(&b);
}

static void *wake_later(void *cq) {
  sleep_ms(30);
  s3r_cq_wake(cq);
  return NULL;
}

static void test_cq_wait(void) {
  struct options o = defaults();
  struct bench b;
  bench_open(&b, &o);
  s3r_cq *cq = b.pair.server.cq;
  struct s3r_chunk c = chunk(&b.local, &b.remote, 10);
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  EQUAL(0, s3r_cq_wait(cq, 10)); /* not armed: no event */
  OK(s3r_cq_arm(cq));
  EQUAL(1, post(b.pair.server.qp, S3R_OP_WRITE, &c));
  EQUAL(1, s3r_cq_wait(cq, 1000));
  EQUAL(S3R_WC_SUCCESS, status_within(cq, 0));
  EQUAL(1, post(b.pair.server.qp, S3R_OP_WRITE, &c));
  CHECK(moved_within(30, 2000));
  sleep_ms(10);
  EQUAL(0, s3r_cq_wait(cq, 0)); /* one event for each arming */
  OK(s3r_cq_arm(cq));
  EQUAL(0, s3r_cq_wait(cq, 0)); /* arming tells of the next completion, not of one that waits */
  EQUAL(S3R_WC_SUCCESS, status_within(cq, 0));
  OK(s3r_cq_wake(cq));
  OK(s3r_cq_wake(cq));
  EQUAL(2, s3r_cq_wait(cq, -1));
  EQUAL(0, s3r_cq_wait(cq, 0));
  pthread_t thread;
  OK(pthread_create(&thread, NULL, wake_later, cq));
  EQUAL(2, s3r_cq_wait(cq, -1));
  OK(pthread_join(thread, NULL));
  bench_close(&b);
}

static void test_flush_order(void) {
  struct options o = defaults();
  struct bench b;
  struct s3r_chunk c[6];
  struct s3r_completion done;
  int posted;
  bench_open(&b, &o);
  for (int i = 0; i < 6; i++) {
    c[i] = chunk(&b.local, &b.remote, 10);
    c[i].wr_id = 100 + (uint64_t)i;
    c[i].flags = 0;
  }
  c[1].rkey ^= 2;
  EQUAL(6, s3r_post(b.pair.server.qp, S3R_OP_WRITE, c, 6, &posted));
  /* 0 succeeds without a completion; from the error on each WR has one, in order, signalled or not */
  for (int i = 1; i < 6; i++) {
    EQUAL(1, next_completion(b.pair.server.cq, &done, 1000));
    EQUAL(100 + i, done.wr_id);
    EQUAL(i == 1 ? S3R_WC_REM_ACCESS_ERR : S3R_WC_WR_FLUSH_ERR, done.status);
    EQUAL(0, done.byte_count);
  }
  EQUAL(S3R_WC_WR_FLUSH_ERR, run(&b.pair.server, S3R_OP_WRITE, &c[0])); /* posted in ERROR */
  EQUAL(S3R_WC_WR_FLUSH_ERR, run(&b.pair.client, S3R_OP_WRITE, &c[0])); /* the responder fell too */
  EQUAL(TIMED_OUT, status_within(b.pair.server.cq, 5));
  bench_close(&b);
}

static void test_states(void) {
  struct options o = defaults();
  struct side s;
  s3r_qp *qp;
  struct s3r_chunk c = {.flags = S3R_CHUNK_SIGNALED};
  side_open(&s, "fake0", &o);
  qp = s.qp;
  struct s3r_rtr good = rtr_to(&s, &o, 4096, 4, 1);
  struct s3r_rts rts = rts_of(&o, 0xabcdef, 4);
  EQUAL(-EINVAL, s3r_qp_to_rtr(qp, &good));
  EQUAL(-EINVAL, s3r_qp_to_rts(qp, &rts));
  EQUAL(-EINVAL, s3r_qp_to_error(qp));
  EQUAL(-EINVAL, post(qp, S3R_OP_WRITE, &c));
  EQUAL(-EINVAL, s3r_qp_to_init(qp, 2, 0));
  EQUAL(-EINVAL, s3r_qp_to_init(qp, 1, 1 << 8));
  OK(s3r_qp_to_init(qp, 1, S3R_ACCESS_REMOTE_READ));
  EQUAL(S3R_QP_INIT, state_of(qp));
  EQUAL(-EINVAL, s3r_qp_to_init(qp, 1, 0));
  EQUAL(-EINVAL, s3r_qp_to_rts(qp, &rts));
  for (int i = 0; i < 8; i++) {
    struct s3r_rtr bad = good;
    if (i == 0) bad.mtu_bytes = 3000;
    if (i == 1) bad.mtu_bytes = 8192;
    if (i == 2) bad.gid_index = 3;
    if (i == 3) bad.gid_index = 0; /* link-local source, IPv4 destination */
    if (i == 4) memset(bad.remote_gid, 0, 16);
    if (i == 5) bad.max_dest_rd_atomic = 17;
    if (i == 6) bad.port = 0;
    if (i == 7) bad.min_rnr_timer = 32;
    EQUAL(-EINVAL, s3r_qp_to_rtr(qp, &bad));
    CHECK(last_error_is(EINVAL, "ibv_modify_qp"));
  }
  OK(s3r_qp_to_rtr(qp, &good));
  EQUAL(-EINVAL, post(qp, S3R_OP_WRITE, &c));
  for (int i = 0; i < 6; i++) {
    struct s3r_rts bad = rts;
    if (i == 0) bad.retry_cnt = 7;
    if (i == 1) bad.timeout = 0;
    if (i == 2) bad.timeout = 32;
    if (i == 3) bad.max_rd_atomic = 0;
    if (i == 4) bad.max_rd_atomic = 17;
    if (i == 5) bad.rnr_retry = 8;
    EQUAL(-EINVAL, s3r_qp_to_rts(qp, &bad));
  }
  OK(s3r_qp_to_rts(qp, &rts));
  struct s3r_qp_info info;
  OK(s3r_qp_query(qp, &info));
  CHECK(info.state == S3R_QP_RTS && info.qpn == s.qpn && info.sq_psn == 0xabcdef && info.rq_psn == 1);
  CHECK(info.dest_qpn == s.qpn && info.access == S3R_ACCESS_REMOTE_READ && info.path_mtu_bytes == 4096);
  CHECK(info.retry_cnt == 3 && info.timeout == 8 && info.max_rd_atomic == 4 && info.max_dest_rd_atomic == 4);
  OK(s3r_qp_to_error(qp));
  OK(s3r_qp_to_error(qp));
  EQUAL(-EINVAL, s3r_qp_to_rts(qp, &rts));
  EQUAL(-EBUSY, s3r_cq_destroy(s.cq));
  CHECK(last_error_is(EBUSY, "ibv_destroy_cq"));
  EQUAL(-EBUSY, s3r_pd_free(s.pd));
  EQUAL(-EBUSY, s3r_device_close(s.device));
  side_close(&s);
}

/* ---- dma-buf ---- */

static void test_dmabuf(void) {
  enum { OFFSET = 4096 * 3 + 100, LENGTH = 9000 };
  struct options o = defaults();
  struct bench b;
  s3r_mr *mr;
  struct s3r_chunk c;
  uint32_t lkey;
  uint32_t access = S3R_ACCESS_LOCAL_WRITE | S3R_ACCESS_REMOTE_WRITE | S3R_ACCESS_REMOTE_READ;
  uint64_t iova = 0x7000000000ull + 100;
  bench_open(&b, &o);
  s3r_pd *pd = b.pair.client.pd;
  int fd = memfd_create("gpu", MFD_CLOEXEC);
  OK(ftruncate(fd, 65536));
  EQUAL(-EBADF, s3r_mr_register_dmabuf(pd, 0, 4096, 0, -1, access, &mr));
  EQUAL(-EINVAL, s3r_mr_register_dmabuf(pd, OFFSET, LENGTH, iova + 1, fd, access, &mr));
  EQUAL(-EINVAL, s3r_mr_register_dmabuf(pd, OFFSET, LENGTH, iova, fd, access | S3R_ACCESS_MW_BIND, &mr));
  EQUAL(-EINVAL, s3r_mr_register_dmabuf(pd, OFFSET, 0, iova, fd, access, &mr));
  EQUAL(-EINVAL, s3r_mr_register_dmabuf(pd, OFFSET, 65536, iova, fd, access, &mr));
  CHECK(last_error_is(EINVAL, "ibv_reg_dmabuf_mr"));
  OK(s3r_fake_dmabuf(0));
  EQUAL(-EOPNOTSUPP, s3r_mr_register_dmabuf(pd, OFFSET, LENGTH, iova, fd, access, &mr));
  OK(s3r_fake_dmabuf(1));
  OK(s3r_mr_register_dmabuf(pd, OFFSET, LENGTH, iova, fd, access, &mr));
  unsigned char *view = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  c = chunk(&b.local, &b.remote, LENGTH);
  OK(s3r_mr_keys(mr, &lkey, &c.rkey));
  c.remote_address = iova;
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  CHECK(memcmp(view + OFFSET, b.local.bytes, LENGTH) == 0);
  CHECK(all(view, OFFSET, 0) && all(view + OFFSET + LENGTH, 65536 - OFFSET - LENGTH, 0));
  view[OFFSET + 10] ^= 1;
  c.remote_address += 10;
  c.length = 1;
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_READ, &c));
  EQUAL(view[OFFSET + 10], b.local.bytes[0]);
  c.remote_address = iova + LENGTH;
  EQUAL(S3R_WC_REM_ACCESS_ERR, run(&b.pair.server, S3R_OP_WRITE, &c));
  OK(s3r_mr_deregister(mr));
  OK(munmap(view, 65536));
  bench_close(&b);
}

/* ---- faults ---- */

static void test_fault_matching(void) {
  struct options o = defaults();
  struct bench b;
  bench_open(&b, &o);
  struct side *s = &b.pair.server;
  struct s3r_chunk c = chunk(&b.local, &b.remote, 10);
  EQUAL(-EINVAL, s3r_fake_arm(13, 0, 0, 1, 0));
  EQUAL(-EINVAL, s3r_fake_arm(S3R_FAKE_STATUS, 0, 0, 0, 10));
  EQUAL(-EINVAL, s3r_fake_arm(S3R_FAKE_POST, 0, 0, 1, 0));
  OK(s3r_fake_arm(S3R_FAKE_SHORT, S3R_OP_READ, 1, 2, 3));
  static const uint32_t moved[] = {10, 3, 3, 10};
  for (int i = 0; i < 4; i++) {
    struct s3r_completion done;
    EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
    EQUAL(1, post(s->qp, S3R_OP_READ, &c));
    EQUAL(1, next_completion(s->cq, &done, 1000));
    EQUAL(moved[i], done.byte_count);
  }
  OK(s3r_fake_arm(S3R_FAKE_STATUS, 0, 0, 1, S3R_WC_REM_OP_ERR));
  OK(s3r_fake_disarm_all());
  EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
  OK(s3r_fake_arm(S3R_FAKE_STATUS, 0, 0, 1, S3R_WC_REM_OP_ERR));
  memset(b.remote.bytes, 0, BENCH);
  EQUAL(S3R_WC_REM_OP_ERR, run(s, S3R_OP_WRITE, &c));
  CHECK(all(b.remote.bytes, BENCH, 0));
  EQUAL(S3R_QP_ERROR, state_of(s->qp));
  EQUAL(S3R_QP_RTS, state_of(b.pair.client.qp));
  bench_close(&b);
}

static void test_fault_of_bind(void) {
  struct options o = defaults();
  struct bench b;
  s3r_mw *mw;
  uint32_t rkey = 0;
  bench_open(&b, &o);
  OK(s3r_mw_alloc(b.pair.client.pd, &mw));
  OK(s3r_fake_arm(S3R_FAKE_STATUS, 0, 0, 1, S3R_WC_REM_OP_ERR)); /* for transfers only */
  OK(s3r_fake_arm(S3R_FAKE_POST, S3R_FAKE_OP_BIND, 0, 1, ENOMEM));
  EQUAL(-ENOMEM, s3r_mw_bind(b.pair.client.qp, mw, b.remote.mr, address_of(b.remote.bytes), 10,
                             S3R_ACCESS_REMOTE_READ, 1, &rkey));
  EQUAL(0, rkey);
  EQUAL(S3R_WC_SUCCESS, bind(&b.pair.client, mw, &b.remote, 0, 10, S3R_ACCESS_REMOTE_READ, &rkey));
  OK(s3r_fake_arm(S3R_FAKE_STATUS, S3R_FAKE_OP_INV, 0, 1, S3R_WC_LOC_QP_OP_ERR));
  EQUAL(S3R_WC_LOC_QP_OP_ERR, invalidate(&b.pair.client, rkey));
  OK(s3r_mw_free(mw));
  bench_close(&b);
}

static void test_fault_move(void) {
  struct options o = defaults();
  struct bench b;
  bench_open(&b, &o);
  struct side *s = &b.pair.server;
  struct s3r_chunk c = chunk(&b.local, &b.remote, BENCH);

  OK(s3r_fake_arm(S3R_FAKE_LOSE_COMPLETION, 0, 0, 1, 0));
  EQUAL(1, post(s->qp, S3R_OP_WRITE, &c));
  CHECK(moved_within(BENCH, 2000));
  EQUAL(TIMED_OUT, status_within(s->cq, 10));
  CHECK(memcmp(b.local.bytes, b.remote.bytes, BENCH) == 0);
  EQUAL(1016, sq_psn(s->qp));

  OK(s3r_fake_arm(S3R_FAKE_PSN_SKIP, 0, 0, 1, 2));
  EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
  EQUAL(1030, sq_psn(s->qp));
  EQUAL(1030, rq_psn(b.pair.client.qp));
  OK(s3r_fake_arm(S3R_FAKE_PSN_SKIP, 0, 0, 1, 100));
  EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
  EQUAL(1030, sq_psn(s->qp));

  memset(b.remote.bytes, 0, BENCH);
  OK(s3r_fake_arm(S3R_FAKE_SHORT, 0, 0, 1, 4100));
  EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
  CHECK(memcmp(b.local.bytes, b.remote.bytes, 4100) == 0 && all(b.remote.bytes + 4100, BENCH - 4100, 0));
  EQUAL(1032, sq_psn(s->qp));

  OK(s3r_fake_arm(S3R_FAKE_DELAY, 0, 0, 1, 60));
  int64_t start = now_ms();
  EQUAL(S3R_WC_SUCCESS, run(s, S3R_OP_WRITE, &c));
  CHECK(now_ms() - start >= 59);
  EQUAL(1048, sq_psn(s->qp));

  memset(b.remote.bytes, 0, BENCH);
  OK(s3r_fake_arm(S3R_FAKE_STALL, 0, 0, 1, 0));
  EQUAL(1, post(s->qp, S3R_OP_WRITE, &c));
  EQUAL(1, post(s->qp, S3R_OP_WRITE, &c));
  EQUAL(TIMED_OUT, status_within(s->cq, 30));
  OK(s3r_qp_to_error(s->qp));
  EQUAL(S3R_WC_WR_FLUSH_ERR, status_of(s->cq));
  EQUAL(S3R_WC_WR_FLUSH_ERR, status_of(s->cq));
  CHECK(all(b.remote.bytes, BENCH, 0));
  bench_close(&b);
}

static void test_fault_calls(void) {
  struct options o = defaults();
  struct bench b;
  s3r_mr *mr;
  s3r_qp *qp;
  int posted = 9;
  unsigned char byte;
  bench_open(&b, &o);
  s3r_pd *pd = b.pair.server.pd;
  OK(s3r_fake_arm(S3R_FAKE_REG_MR, 0, 1, 1, ENOMEM));
  OK(s3r_mr_register(pd, address_of(&byte), 1, 0, &mr));
  OK(s3r_mr_deregister(mr));
  EQUAL(-ENOMEM, s3r_mr_register(pd, address_of(&byte), 1, 0, &mr));
  OK(s3r_mr_register(pd, address_of(&byte), 1, 0, &mr));
  OK(s3r_mr_deregister(mr));
  OK(s3r_fake_arm(S3R_FAKE_REG_DMABUF, 0, 0, 1, EIO));
  EQUAL(-EIO, s3r_mr_register_dmabuf(pd, 0, 4096, 0, -1, 0, &mr));
  EQUAL(-EBADF, s3r_mr_register_dmabuf(pd, 0, 4096, 0, -1, 0, &mr));
  OK(s3r_fake_arm(S3R_FAKE_QP_CREATE, 0, 0, 1, ENOMEM));
  struct s3r_qp_caps caps = {1, 0, 1, 0};
  EQUAL(-ENOMEM, s3r_qp_create(pd, b.pair.server.cq, b.pair.server.cq, &caps, &qp));
  struct s3r_chunk c = chunk(&b.local, &b.remote, 10);
  OK(s3r_fake_arm(S3R_FAKE_POST, S3R_OP_WRITE, 0, 1, EIO));
  EQUAL(-EIO, s3r_post(b.pair.server.qp, S3R_OP_WRITE, &c, 1, &posted));
  EQUAL(0, posted);
  EQUAL(S3R_WC_SUCCESS, run(&b.pair.server, S3R_OP_WRITE, &c));
  struct s3r_chunk three[3] = {c, c, c};
  three[0].flags = 0;
  OK(s3r_fake_arm(S3R_FAKE_POST, S3R_OP_WRITE, 2, 1, EIO));
  EQUAL(-EIO, s3r_post(b.pair.server.qp, S3R_OP_WRITE, three, 3, &posted));
  EQUAL(2, posted);
  EQUAL(S3R_WC_SUCCESS, status_of(b.pair.server.cq));
  bench_close(&b);
}

/* ---- fences ---- */

/* The write arrives late, and every fence (or none: -1) keeps it out. */
static void test_late_write(void) {
  struct options o = defaults();
  struct bench b;
  int tries = 0;
  for (int fence = -1; fence < 6; fence++) {
    s3r_mw *mw = NULL;
    int again = 0;
    bench_open(&b, &o);
    struct side *server = &b.pair.server;
    struct side *client = &b.pair.client;
    struct s3r_chunk c = chunk(&b.local, &b.remote, 1000);
    if (fence == 0 || fence == 1) {
      OK(s3r_mw_alloc(client->pd, &mw));
      EQUAL(S3R_WC_SUCCESS, bind(client, mw, &b.remote, 0, 1000, S3R_ACCESS_REMOTE_WRITE, &c.rkey));
    }
    uint64_t before = moved_so_far();
    OK(s3r_fake_arm(S3R_FAKE_LATE_WRITE, 0, 0, 1, 40));
    EQUAL(S3R_WC_WR_FLUSH_ERR, run(server, S3R_OP_WRITE, &c));
    switch (fence) {
      case 0: EQUAL(S3R_WC_SUCCESS, invalidate(client, c.rkey)); break;
      case 1: OK(s3r_mw_free(mw)); break;
      case 2:
        OK(s3r_mr_deregister(b.remote.mr));
        b.remote.mr = NULL;
        break;
      case 3: OK(s3r_qp_to_error(client->qp)); break;
      case 4: OK(s3r_qp_to_error(server->qp)); break;
      case 5:
        OK(s3r_qp_destroy(server->qp));
        server->qp = NULL;
        break;
      default: break;
    }
    if (fence < 0) {
      CHECK(moved_within(before + 1000, 2000));
      CHECK(memcmp(b.remote.bytes, b.local.bytes, 1000) == 0);
    } else if (moved_so_far() == before) {
      sleep_ms(80);
      EQUAL(before, moved_so_far());
      CHECK(all(b.remote.bytes, BENCH, 0));
    } else if (tries++ < 20) {
      again = 1; /* this thread got no processor for 40 ms: the fence came after the write */
    }
    if (fence == 0) OK(s3r_mw_free(mw));
    bench_close(&b);
    if (again) fence--;
  }
  CHECK(tries < 20);
}

/* A fence in the middle of a long move: not one byte changes after it returned. */
static void test_fence_while_moving(void) {
  enum { BIG = 8 << 20, WRS = 30 };
  struct options o = defaults();
  struct pair p;
  struct region local;
  struct region remote;
  unsigned char *copy = malloc(BIG);
  for (int fence = 0; fence < 6; fence++) {
    s3r_mw *mw;
    pair_open(&p, &o);
    region_open(&local, p.server.pd, BIG, S3R_ACCESS_LOCAL_WRITE);
    region_open(&remote, p.client.pd, BIG, RIGHTS);
    memset(local.bytes, 0x5a, BIG);
    struct s3r_chunk c = chunk(&local, &remote, BIG);
    OK(s3r_mw_alloc(p.client.pd, &mw));
    EQUAL(S3R_WC_SUCCESS, bind(&p.client, mw, &remote, 0, BIG, S3R_ACCESS_REMOTE_WRITE, &c.rkey));
    if (fence == 2) c.rkey = remote.rkey;
    if (fence == 2) OK(s3r_mw_free(mw));
    for (int i = 0; i < WRS; i++) EQUAL(1, post(p.server.qp, S3R_OP_WRITE, &c));
    uint64_t before = moved_so_far();
    while (moved_so_far() < before + (2 << 20)) sched_yield();
    int64_t start = now_ms();
    switch (fence) {
      case 0: EQUAL(S3R_WC_SUCCESS, invalidate(&p.client, c.rkey)); break;
      case 1: OK(s3r_mw_free(mw)); break;
      case 2:
        OK(s3r_mr_deregister(remote.mr));
        remote.mr = NULL;
        break;
      case 3: OK(s3r_qp_to_error(p.client.qp)); break;
      case 4: OK(s3r_qp_to_error(p.server.qp)); break;
      default:
        OK(s3r_qp_destroy(p.server.qp));
        p.server.qp = NULL;
    }
    if (getenv("FAKE_TEST_TIMES")) printf("       fence %d took %lld ms\n", fence, (long long)(now_ms() - start));
    if (fence < 5) EQUAL(1, post(p.server.qp, S3R_OP_WRITE, &c)); /* should all have moved before the fence */
    memcpy(copy, remote.bytes, BIG);
    memset(remote.bytes, 0x11, BIG);
    sleep_ms(10);
    CHECK(all(remote.bytes, BIG, 0x11));
    EQUAL(0x5a, copy[0]);
    int status = p.server.qp ? status_of(p.server.cq) : 0;
    while (status == S3R_WC_SUCCESS && p.server.qp) status = status_of(p.server.cq);
    if (fence < 3) EQUAL(S3R_WC_REM_ACCESS_ERR, status);
    if (fence == 3) EQUAL(S3R_WC_RETRY_EXC_ERR, status);
    if (fence == 4) EQUAL(S3R_WC_WR_FLUSH_ERR, status);
    if (fence != 1 && fence != 2) OK(s3r_mw_free(mw));
    region_close(&remote);
    region_close(&local);
    pair_close(&p);
  }
  free(copy);
}

/* Completions and events of a QP vanish with it. */
static void test_destroy_forgets(void) {
  struct options o = defaults();
  struct bench b;
  struct s3r_completion done;
  struct s3r_async_event e;
  bench_open(&b, &o);
  struct s3r_chunk c = chunk(&b.local, &b.remote, 10);
  c.rkey ^= 2;
  EQUAL(1, post(b.pair.server.qp, S3R_OP_WRITE, &c));
  sleep_ms(20);
  OK(s3r_qp_destroy(b.pair.server.qp));
  OK(s3r_qp_destroy(b.pair.client.qp));
  b.pair.server.qp = b.pair.client.qp = NULL;
  EQUAL(0, s3r_cq_poll(b.pair.server.cq, &done, 1));
  EQUAL(0, s3r_async_wait(b.pair.client.device, 0, &e));
  bench_close(&b);
}

/* ---- many threads ---- */

struct worker {
  pthread_t thread;
  int bad;
};

static int transfer_round(struct pair *p, struct region *local, struct region *remote, s3r_mw *mw, unsigned seed) {
  enum { PART = 50000, PARTS = 8 };
  uint32_t rkey;
  struct s3r_chunk c[PARTS];
  int posted;
  if (s3r_mw_bind(p->client.qp, mw, remote->mr, address_of(remote->bytes), PART * PARTS, S3R_ACCESS_REMOTE_WRITE, 1,
                  &rkey) ||
      status_of(p->client.cq) != S3R_WC_SUCCESS)
    return 1;
  fill(local->bytes, PART * PARTS, seed);
  for (int i = 0; i < PARTS; i++) {
    c[i] = chunk(local, remote, PART);
    c[i].local_address += (uint64_t)i * PART;
    c[i].remote_address += (uint64_t)i * PART;
    c[i].rkey = rkey;
    c[i].flags = i == PARTS - 1 ? S3R_CHUNK_SIGNALED : 0;
  }
  if (s3r_cq_arm(p->server.cq) || s3r_post(p->server.qp, S3R_OP_WRITE, c, PARTS, &posted) != PARTS) return 1;
  if (s3r_cq_wait(p->server.cq, 5000) != 1 || status_within(p->server.cq, 0) != S3R_WC_SUCCESS) return 1;
  if (s3r_mw_invalidate(p->client.qp, rkey, 2) || status_of(p->client.cq) != S3R_WC_SUCCESS) return 1;
  return memcmp(local->bytes, remote->bytes, PART * PARTS) != 0;
}

static void *work(void *argument) {
  struct worker *w = argument;
  struct region local = {.size = 400000};
  struct region remote = {.size = 400000};
  s3r_mw *mw;
  struct pair *p = (struct pair *)(w + 1);
  local.bytes = malloc(local.size);
  remote.bytes = malloc(remote.size);
  w->bad += s3r_mr_register(p->server.pd, address_of(local.bytes), local.size, 0, &local.mr) != 0;
  w->bad += s3r_mr_register(p->client.pd, address_of(remote.bytes), remote.size, RIGHTS, &remote.mr) != 0;
  w->bad += s3r_mr_keys(local.mr, &local.lkey, &local.rkey) + s3r_mr_keys(remote.mr, &remote.lkey, &remote.rkey);
  w->bad += s3r_mw_alloc(p->client.pd, &mw) != 0;
  for (unsigned i = 0; i < 40; i++) w->bad += transfer_round(p, &local, &remote, mw, i);
  w->bad += s3r_mw_free(mw) != 0;
  w->bad += s3r_mr_deregister(local.mr) != 0;
  w->bad += s3r_mr_deregister(remote.mr) != 0;
  free(local.bytes);
  free(remote.bytes);
  return NULL;
}

static void test_threads(void) {
  enum { THREADS = 6 };
  struct {
    struct worker worker;
    struct pair pair;
  } w[THREADS];
  struct options o = defaults();
  memset(w, 0, sizeof w);
  for (int i = 0; i < THREADS; i++) pair_open(&w[i].pair, &o);
  for (int i = 0; i < THREADS; i++) OK(pthread_create(&w[i].worker.thread, NULL, work, &w[i].worker));
  for (int i = 0; i < THREADS; i++) {
    OK(pthread_join(w[i].worker.thread, NULL));
    EQUAL(0, w[i].worker.bad);
    pair_close(&w[i].pair);
  }
}

/* ---- all ---- */

/* Which pages there are is the machine's affair; that the memory is whole, and is what it says, is ours. */
static void test_host_memory(void) {
  static const uint64_t lengths[] = {1, 4096, 100000, (2u << 20) - 1, 2u << 20, (4u << 20) + 1};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    struct s3r_memory m;
    OK(s3r_memory_map(lengths[i], -1, &m));
    unsigned char *p = (unsigned char *)(uintptr_t)m.address;
    CHECK(m.length >= lengths[i]);
    EQUAL(0, m.address % 4096);
    EQUAL(-1, m.node);
    if (lengths[i] < 2u << 20) {
      EQUAL(S3R_PAGES_NORMAL, m.pages);
    } else {
      EQUAL(0, m.address % (2u << 20));
      CHECK(m.pages >= S3R_PAGES_NORMAL && m.pages <= S3R_PAGES_HUGE);
    }
    CHECK(all(p, m.length, 0));
    memset(p, 7, m.length);
    CHECK(all(p, m.length, 7));
    OK(s3r_memory_unmap(m.address, m.length));
  }
  struct s3r_memory near;
  OK(s3r_memory_map(4u << 20, 0, &near));
  CHECK(near.node == 0 || near.node == -1); /* -1: a kernel without NUMA, or a sandbox */
  int node = s3r_memory_node(near.address);
  CHECK(near.node < 0 || node == 0);
  OK(s3r_memory_unmap(near.address, near.length));
  OK(s3r_memory_map(4096, 1023, &near)); /* hardly a node: memory all the same */
  memset((void *)(uintptr_t)near.address, 7, near.length);
  OK(s3r_memory_unmap(near.address, near.length));
  EQUAL(-EINVAL, s3r_memory_map(0, -1, &near));
  CHECK(last_error_is(EINVAL, "s3r_memory_map"));
  EQUAL(-EINVAL, s3r_memory_map(UINT64_MAX, -1, &near));
  EQUAL(-EINVAL, s3r_memory_unmap(4097, 4096));
  CHECK(s3r_memory_node(1) < 0);
}

static void check_nothing_lives(void) {
  int64_t live[6];
  OK(s3r_live_objects(live));
  for (int i = 0; i < 6; i++) EQUAL(0, live[i]);
}

#define TEST(name) {#name, test_##name}

int main(void) {
  static const struct {
    const char *name;
    void (*body)(void);
  } tests[] = {
      TEST(library),      TEST(devices),        TEST(limits),          TEST(async),
      TEST(write_and_read), TEST(psn),          TEST(two_devices),     TEST(unreachable),
      TEST(late_peer),    TEST(local_errors),   TEST(remote_errors),   TEST(registration),
      TEST(keys_do_not_come_back), TEST(windows), TEST(window_rights), TEST(window_of_other_qp),
      TEST(bind_errors),  TEST(depth),          TEST(cq_overrun),      TEST(cq_wait),
      TEST(flush_order),  TEST(states),         TEST(dmabuf),          TEST(fault_matching),
      TEST(fault_of_bind), TEST(fault_move),    TEST(fault_calls),     TEST(late_write),
      TEST(fence_while_moving), TEST(destroy_forgets), TEST(threads),   TEST(host_memory),
  };
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    current = tests[i].name;
    OK(s3r_fake_reset());
    int64_t start = now_ms();
    tests[i].body();
    check_nothing_lives();
    if (getenv("FAKE_TEST_TIMES")) printf("%6lld ms %s\n", (long long)(now_ms() - start), current);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}
