/*
 * A stand-in for libcuda.so.1 over host memory, for tests of logic and faults. Stricter than the real driver:
 *
 *  - every call but a few needs a context current on the calling thread;
 *  - asynchronous copies run later, on a thread per stream, after a delay that a test sets; the host side must be
 *    pinned memory of this library;
 *  - device memory is a memfd. In mode TOUCHABLE its address is a mapping of it. In mode PROTECTED its address is
 *    PROT_NONE, so a CPU that follows a device pointer dies; the bytes are in a second mapping (the shadow);
 *  - an allocation starts inside a page, between guard bytes; a range is exported only in whole pages, from the first;
 *  - freed memory is poisoned and kept mapped for a while, so that late writes can be counted.
 *
 * One mutex guards all state; only the bytes of a copy move without it, and then both blocks carry a `pending` count.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

enum result {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  NOT_SUPPORTED = 801,
  UNKNOWN = 999
};

enum { DEVICES_MAX = 4, TOUCHABLE = 0, PROTECTED = 1 };

enum kind { KIND_DEVICE, KIND_MANAGED, KIND_PINNED };

enum { GUARD = 0xa5, FRESH = 0xcd, POISON = 0xdb };

struct context {
  int device;
  int retained;
};

struct block {
  enum kind kind;
  int device;
  int fd;                /* -1 for pinned memory */
  uint64_t va;           /* start of the mapping; a page boundary */
  size_t mapped;         /* bytes, whole pages, guards included */
  unsigned char *bytes;  /* where the CPU finds the bytes of va */
  uint64_t base;         /* what the caller got */
  size_t size;
  uint64_t id;
  int sync_memops;
  int freed;
  int pending; /* copies queued or running */
  struct block *next;
};

struct settings {
  int mode;
  int devices;
  int dmabuf;
  int peer;
  int ordering;
  int flush_options;
  int pcie_flag;
  int base_offset; /* bytes into the first page; -1: another one for each allocation */
  int delay_micros;
};

enum counter {
  COPIES_IN,
  COPIES_OUT,
  BYTES_IN,
  BYTES_OUT,
  FLUSHES,
  EXPORTS,
  EXPORTS_PCIE,
  FAULTS, /* copies whose memory was freed before they ran */
  COUNTERS
};

/* ---- fake_cuda.c ---- */

extern struct settings fake_settings;
extern uint64_t fake_counters[COUNTERS];
extern int fake_sticky; /* a result that every later call gives */

void fake_lock(void);
void fake_unlock(void);
void fake_wait(void); /* with the lock, until fake_changed */
void fake_changed(void);
/* Takes the lock and returns SUCCESS, or returns another result without the lock. */
int fake_enter(const char *call);
int fake_enter_context(const char *call);
int fake_leave(int result);
struct context *fake_current(void); /* with the lock; NULL if none is usable */

/* ---- fake_memory.c ---- */

struct block *fake_find(uint64_t address, size_t length); /* live, whole range inside the allocation */
int fake_live_blocks(enum kind kind);

/* ---- fake_stream.c ---- */

int fake_live_streams(void);
int fake_live_events(void);

#endif
