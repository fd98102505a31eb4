/* Host memory in large pages near a device; the same in both libraries. System calls only, no libnuma. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { NODES = 1024, WORD_BITS = 8 * sizeof(unsigned long) };

static const uint64_t HUGE_BYTES = 2u << 20;

static uint64_t rounded(uint64_t length, uint64_t to) { return (length + to - 1) / to * to; }

/* Preferred, not bound: memory elsewhere is slower, none at all is worse. Before the first touch. */
static int prefer_node(void *address, uint64_t length, int node) {
  unsigned long mask[NODES / WORD_BITS] = {0};
  if (node < 0 || node >= NODES) return -1;
  mask[node / WORD_BITS] = 1ul << (node % WORD_BITS);
  return syscall(SYS_mbind, address, length, MPOL_PREFERRED, mask, (unsigned long)NODES, 0ul) ? -1 : node;
}

/* A page of the pool that is not there on this node would be a SIGBUS at the first touch: touch it here. */
static int populated(void *address, uint64_t length) {
  return madvise(address, length, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
}

static int map_huge(uint64_t length, int node, struct s3r_memory *out) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << MAP_HUGE_SHIFT;
  uint64_t size = rounded(length, HUGE_BYTES);
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (at == MAP_FAILED) return 0;
  int preferred = prefer_node(at, size, node);
  if (!populated(at, size)) {
    munmap(at, size);
    return 0;
  }
  *out = (struct s3r_memory){
      .address = (uint64_t)(uintptr_t)at, .length = size, .pages = S3R_PAGES_HUGE, .node = preferred};
  return 1;
}

static int transparent_allowed(void) {
  char text[64] = {0};
  int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  return n > 0 && !strstr(text, "[never]");
}

/* An aligned range: what stands out on either side of a larger one is given back. */
static void *map_aligned(uint64_t length, uint64_t alignment) {
  uint64_t room = length + alignment;
  unsigned char *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  unsigned char *start = (unsigned char *)(uintptr_t)rounded((uint64_t)(uintptr_t)at, alignment);
  if (start > at) munmap(at, (size_t)(start - at));
  uint64_t after = room - (uint64_t)(start - at) - length;
  if (after) munmap(start + length, after);
  return start;
}

int s3r_memory_map(uint64_t length, int node, struct s3r_memory *out) {
  if (length == 0 || length > (uint64_t)1 << 46)
    return s3r_fail(EINVAL, "s3r_memory_map", node, length, "%llu bytes cannot be mapped", (unsigned long long)length);
  int large = length >= HUGE_BYTES;
  if (large && map_huge(length, node, out)) return 0;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t size = rounded(length, large ? HUGE_BYTES : page);
  void *at = map_aligned(size, large ? HUGE_BYTES : page);
  if (!at)
    return s3r_fail(ENOMEM, "mmap", node, size, "no memory for %llu bytes (RLIMIT_AS, vm.overcommit_memory)",
                    (unsigned long long)size);
  int transparent = large && transparent_allowed() && madvise(at, size, MADV_HUGEPAGE) == 0;
  int preferred = prefer_node(at, size, node);
  if (!populated(at, size)) {
    int code = errno;
    munmap(at, size);
    return s3r_fail(code, "madvise", node, size, "%llu bytes are not there", (unsigned long long)size);
  }
  *out = (struct s3r_memory){.address = (uint64_t)(uintptr_t)at,
                             .length = size,
                             .pages = transparent ? S3R_PAGES_TRANSPARENT : S3R_PAGES_NORMAL,
                             .node = preferred};
  return 0;
}

int s3r_memory_unmap(uint64_t address, uint64_t length) {
  if (munmap((void *)(uintptr_t)address, length))
    return s3r_fail(errno, "munmap", 0, length, "%llu bytes at 0x%llx", (unsigned long long)length,
                    (unsigned long long)address);
  return 0;
}

int s3r_memory_node(uint64_t address) {
  int node = -1;
  if (syscall(SYS_get_mempolicy, &node, NULL, 0ul, (void *)(uintptr_t)address, (unsigned long)(MPOL_F_NODE | MPOL_F_ADDR)))
    return s3r_fail(errno, "get_mempolicy", 0, address, "the NUMA node of an address is not known");
  return node;
}
