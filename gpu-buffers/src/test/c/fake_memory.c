/* Device, managed and pinned memory, pointer attributes, export of ranges. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_cuda.h"

enum { FREED_KEPT = 16, OFFSET_STEP = 256 };

static struct block *blocks; /* newest first; freed ones stay for a while */
static uint64_t serial;

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t round_up(size_t bytes) { return (bytes + page_size() - 1) & ~(page_size() - 1); }

struct block *fake_find(uint64_t address, size_t length) {
  for (struct block *b = blocks; b; b = b->next)
    if (!b->freed && address >= b->base && length <= b->size && address - b->base <= b->size - length) return b;
  return NULL;
}

int fake_live_blocks(enum kind kind) {
  int count = 0;
  for (struct block *b = blocks; b; b = b->next) count += !b->freed && b->kind == kind;
  return count;
}

/* ---- allocation ---- */

static int map_pinned(struct block *b) {
  void *at = mmap(NULL, b->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return OUT_OF_MEMORY;
  b->bytes = at;
  b->va = (uint64_t)(uintptr_t)at;
  return SUCCESS;
}

static int map_device(struct block *b, int mode) {
  b->fd = memfd_create("fake_cuda", MFD_CLOEXEC);
  if (b->fd < 0) return OUT_OF_MEMORY;
  void *bytes = MAP_FAILED;
  if (ftruncate(b->fd, (off_t)b->mapped) == 0)
    bytes = mmap(NULL, b->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
  void *va = bytes;
  if (bytes != MAP_FAILED && mode == PROTECTED)
    va = mmap(NULL, b->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (va == MAP_FAILED) {
    if (bytes != MAP_FAILED) munmap(bytes, b->mapped);
    close(b->fd);
    return OUT_OF_MEMORY;
  }
  b->bytes = bytes;
  b->va = (uint64_t)(uintptr_t)va;
  return SUCCESS;
}

static void unmap(struct block *b) {
  munmap(b->bytes, b->mapped);
  if ((uint64_t)(uintptr_t)b->bytes != b->va) munmap((void *)(uintptr_t)b->va, b->mapped);
  if (b->fd >= 0) close(b->fd);
  free(b);
}

/* With the lock. An allocation of `offset` guard bytes, the caller's bytes, and at least a page of guard bytes. */
static int allocate(uint64_t *address, size_t size, enum kind kind) {
  if (size == 0 || size > (size_t)1 << 40) return size ? OUT_OF_MEMORY : INVALID_VALUE;
  struct block *b = calloc(1, sizeof *b);
  if (!b) return OUT_OF_MEMORY;
  size_t offset = fake_settings.base_offset;
  serial++;
  if (fake_settings.base_offset < 0) offset = (1 + serial * 3 % (page_size() / OFFSET_STEP - 1)) * OFFSET_STEP;
  if (kind != KIND_DEVICE) offset = 0;
  *b = (struct block){.kind = kind, .fd = -1, .size = size, .id = serial};
  b->device = fake_current()->device;
  b->mapped = round_up(offset + size) + page_size();
  int result = kind == KIND_DEVICE ? map_device(b, fake_settings.mode) : map_pinned(b);
  if (result) {
    free(b);
    return result;
  }
  b->base = b->va + offset;
  memset(b->bytes, GUARD, offset);
  memset(b->bytes + offset, FRESH, size);
  memset(b->bytes + offset + size, GUARD, b->mapped - offset - size);
  b->next = blocks;
  blocks = b;
  *address = b->base;
  return SUCCESS;
}

/* Lets the oldest freed blocks go; those stay that a copy still uses. */
static void trim(void) {
  int kept = 0;
  for (struct block **link = &blocks; *link;) {
    struct block *b = *link;
    if (b->freed && ++kept > FREED_KEPT && !b->pending) {
      *link = b->next;
      unmap(b);
    } else {
      link = &b->next;
    }
  }
}

static int release(uint64_t address, int pinned) {
  struct block *b = fake_find(address, 1);
  if (!b || b->base != address || (b->kind == KIND_PINNED) != pinned) return INVALID_VALUE;
  b->freed = 1;
  memset(b->bytes, POISON, b->mapped);
  trim();
  return SUCCESS;
}

API int cuMemAlloc_v2(uint64_t *address, size_t size) {
  int result = fake_enter_context("cuMemAlloc_v2");
  return result ? result : fake_leave(allocate(address, size, KIND_DEVICE));
}

API int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags) {
  int result = fake_enter_context("cuMemAllocManaged");
  if (result) return result;
  return fake_leave(flags == 1 ? allocate(address, size, KIND_MANAGED) : INVALID_VALUE);
}

API int cuMemFree_v2(uint64_t address) {
  int result = fake_enter_context("cuMemFree_v2");
  return result ? result : fake_leave(release(address, 0));
}

API int cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  int result = fake_enter_context("cuMemHostAlloc");
  if (result) return result;
  uint64_t at = 0;
  result = flags == 1 ? allocate(&at, size, KIND_PINNED) : INVALID_VALUE; /* PORTABLE, nothing else */
  if (!result) *address = (void *)(uintptr_t)at;
  return fake_leave(result);
}

API int cuMemFreeHost(void *address) {
  int result = fake_enter_context("cuMemFreeHost");
  return result ? result : fake_leave(release((uint64_t)(uintptr_t)address, 1));
}

/* ---- what a pointer is ---- */

API int cuPointerGetAttribute(void *data, int attribute, uint64_t address) {
  int result = fake_enter_context("cuPointerGetAttribute");
  if (result) return result;
  struct block *b = fake_find(address, 1);
  if (!b) return fake_leave(INVALID_VALUE);
  switch (attribute) {
    case 2: *(unsigned *)data = b->kind == KIND_PINNED ? 1 : 2; break;
    case 6: *(unsigned *)data = (unsigned)b->sync_memops; break;
    case 7: *(uint64_t *)data = b->id; break;
    case 8: *(unsigned *)data = b->kind == KIND_MANAGED; break;
    case 9: *(int *)data = b->device; break;
    default: result = INVALID_VALUE;
  }
  return fake_leave(result);
}

API int cuPointerSetAttribute(const void *value, int attribute, uint64_t address) {
  int result = fake_enter_context("cuPointerSetAttribute");
  if (result) return result;
  struct block *b = fake_find(address, 1);
  if (!b || attribute != 6 || b->kind != KIND_DEVICE) return fake_leave(INVALID_VALUE);
  b->sync_memops = *(const unsigned *)value != 0;
  return fake_leave(SUCCESS);
}

API int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address) {
  int result = fake_enter_context("cuMemGetAddressRange_v2");
  if (result) return result;
  struct block *b = fake_find(address, 1);
  if (!b) return fake_leave(INVALID_VALUE);
  *base = b->base;
  *size = b->size;
  return fake_leave(SUCCESS);
}

#ifndef FAKE_CUDA_OLD
/* The file begins where the block does, so a range that begins elsewhere would name other bytes: refused. */
static int export_range(int *fd, uint64_t address, size_t size, int type, unsigned long long flags) {
  if (!fake_settings.dmabuf || (flags == 1 && !fake_settings.pcie_flag)) return NOT_SUPPORTED;
  if (type != 1 || flags > 1 || address % page_size() || size % page_size() || !size) return INVALID_VALUE;
  for (struct block *b = blocks; b; b = b->next) {
    if (b->freed || b->kind != KIND_DEVICE || b->va != address || size > b->mapped) continue;
    *fd = fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
    if (*fd < 0) return OUT_OF_MEMORY;
    fake_counters[flags ? EXPORTS_PCIE : EXPORTS]++;
    return SUCCESS;
  }
  return INVALID_VALUE;
}

API int cuMemGetHandleForAddressRange(void *handle, uint64_t address, size_t size, int type,
                                      unsigned long long flags) {
  int result = fake_enter_context("cuMemGetHandleForAddressRange");
  return result ? result : fake_leave(export_range(handle, address, size, type, flags));
}
#endif

/* ---- controls ---- */

/* Guard bytes around live allocations that have changed. */
API int64_t fake_cuda_guards_broken(void) {
  int64_t broken = 0;
  fake_lock();
  for (struct block *b = blocks; b; b = b->next)
    for (size_t i = 0; !b->freed && i < b->mapped; i++)
      if (i < b->base - b->va || i >= b->base - b->va + b->size) broken += b->bytes[i] != GUARD;
  fake_unlock();
  return broken;
}

/* Bytes of freed memory that were written after it was freed. */
API int64_t fake_cuda_freed_changed(void) {
  int64_t written = 0;
  fake_lock();
  for (struct block *b = blocks; b; b = b->next)
    for (size_t i = 0; b->freed && i < b->mapped; i++) written += b->bytes[i] != POISON;
  fake_unlock();
  return written;
}

/* Reads (write = 0) or writes device bytes as a kernel on the GPU would: SUCCESS or INVALID_VALUE. */
API int fake_cuda_touch(uint64_t address, void *host, size_t length, int write) {
  fake_lock();
  struct block *b = fake_find(address, length);
  if (b && write) memcpy(b->bytes + (address - b->va), host, length);
  if (b && !write) memcpy(host, b->bytes + (address - b->va), length);
  fake_unlock();
  return b ? SUCCESS : INVALID_VALUE;
}
