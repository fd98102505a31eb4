/* Start, devices, contexts, errors, and the controls that tests use (prefix fake_cuda_). */
#include "fake_cuda.h"

#include <stdlib.h>
#include <string.h>

#ifdef FAKE_CUDA_OLD
enum { OLD = 1 };
#else
enum { OLD = 0 };
#endif

struct fault {
  char call[48];
  int result;
  int skip;
  int times;
};

static const struct settings DEFAULTS = {.mode = TOUCHABLE,
                                         .devices = 2,
                                         .dmabuf = 1,
                                         .peer = 1,
                                         .ordering = 0,
                                         .flush_options = 1,
                                         .pcie_flag = 1,
                                         .base_offset = -1,
                                         .delay_micros = 0};

struct settings fake_settings;
uint64_t fake_counters[COUNTERS];
int fake_sticky;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct context contexts[DEVICES_MAX];
enum { ARMED_MAX = 8 };

static struct fault armed[ARMED_MAX]; /* free where times is 0 */
static int initialised;
static _Thread_local struct context *current;

__attribute__((constructor)) static void start(void) {
  fake_settings = DEFAULTS;
  const char *mode = getenv("FAKE_CUDA_MODE");
  if (mode && !strcmp(mode, "protected")) fake_settings.mode = PROTECTED;
}

void fake_lock(void) { pthread_mutex_lock(&lock); }

void fake_unlock(void) { pthread_mutex_unlock(&lock); }

void fake_wait(void) { pthread_cond_wait(&changed, &lock); }

void fake_changed(void) { pthread_cond_broadcast(&changed); }

int fake_leave(int result) {
  fake_unlock();
  return result;
}

static int injected(const char *call) {
  for (struct fault *f = armed; f < armed + ARMED_MAX; f++) {
    if (f->times == 0 || strcmp(f->call, call) != 0) continue;
    if (f->skip > 0) {
      f->skip--;
      continue;
    }
    f->times--;
    return f->result;
  }
  return SUCCESS;
}

int fake_enter(const char *call) {
  fake_lock();
  int result = injected(call);
  if (!result) result = fake_sticky;
  if (!result && !initialised) result = NOT_INITIALIZED;
  return result ? fake_leave(result) : SUCCESS;
}

int fake_enter_context(const char *call) {
  int result = fake_enter(call);
  if (result) return result;
  return fake_current() ? SUCCESS : fake_leave(INVALID_CONTEXT);
}

struct context *fake_current(void) { return current && current->retained ? current : NULL; }

/* ---- start and devices ---- */

API int cuInit(unsigned flags) {
  fake_lock();
  int result = injected("cuInit");
  if (!result && flags) result = INVALID_VALUE;
  if (!result && fake_settings.devices == 0) result = NO_DEVICE;
  if (!result) initialised = 1;
  return fake_leave(result);
}

API int cuDriverGetVersion(int *version) {
  *version = OLD ? 11020 : 13000;
  return SUCCESS;
}

API int cuDeviceGetCount(int *count) {
  int result = fake_enter("cuDeviceGetCount");
  if (result) return result;
  *count = fake_settings.devices;
  return fake_leave(SUCCESS);
}

API int cuDeviceGet(int *device, int ordinal) {
  int result = fake_enter("cuDeviceGet");
  if (result) return result;
  if (ordinal < 0 || ordinal >= fake_settings.devices) return fake_leave(INVALID_DEVICE);
  *device = ordinal;
  return fake_leave(SUCCESS);
}

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int result = fake_enter("cuDeviceGetAttribute");
  if (result) return result;
  if (device < 0 || device >= fake_settings.devices) return fake_leave(INVALID_DEVICE);
  switch (attribute) { /* on the PCI bus: domain 0, a bus of its own, slot 0 */
    case 33: *value = 0x3b + device; return fake_leave(SUCCESS);
    case 34: case 50: *value = 0; return fake_leave(SUCCESS);
    default: break;
  }
  if (OLD) return fake_leave(INVALID_VALUE); /* a driver does not know attributes that came after it */
  switch (attribute) {
    case 116: *value = fake_settings.peer; break;
    case 117: *value = fake_settings.flush_options; break;
    case 118: *value = fake_settings.ordering; break;
    case 124: *value = fake_settings.dmabuf; break;
    default: result = INVALID_VALUE;
  }
  return fake_leave(result);
}

/* ---- contexts ---- */

API int cuDevicePrimaryCtxRetain(void **context, int device) {
  int result = fake_enter("cuDevicePrimaryCtxRetain");
  if (result) return result;
  if (device < 0 || device >= fake_settings.devices) return fake_leave(INVALID_DEVICE);
  contexts[device].device = device;
  contexts[device].retained++;
  *context = &contexts[device];
  return fake_leave(SUCCESS);
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
  int result = fake_enter("cuDevicePrimaryCtxRelease_v2");
  if (result) return result;
  if (device < 0 || device >= DEVICES_MAX) return fake_leave(INVALID_DEVICE);
  if (contexts[device].retained == 0) return fake_leave(INVALID_CONTEXT);
  contexts[device].retained--;
  return fake_leave(SUCCESS);
}

API int cuCtxSetCurrent(void *context) {
  int result = fake_enter("cuCtxSetCurrent");
  if (result) return result;
  struct context *wanted = context;
  if (wanted && (wanted < contexts || wanted >= contexts + DEVICES_MAX || wanted->retained == 0))
    return fake_leave(INVALID_CONTEXT);
  current = wanted;
  return fake_leave(SUCCESS);
}

API int cuCtxGetCurrent(void **context) {
  int result = fake_enter("cuCtxGetCurrent");
  if (result) return result;
  *context = current;
  return fake_leave(SUCCESS);
}

/* ---- errors ---- */

static const struct {
  int result;
  const char *name;
  const char *text;
} ERRORS[] = {{SUCCESS, "CUDA_SUCCESS", "no error"},
              {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
              {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
              {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
              {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
              {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
              {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
              {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
              {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
              {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
              {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
              {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};

static int error_row(int result) {
  for (int i = 0; i < (int)(sizeof ERRORS / sizeof ERRORS[0]); i++)
    if (ERRORS[i].result == result) return i;
  return -1;
}

API int cuGetErrorName(int result, const char **name) {
  int row = error_row(result);
  *name = row < 0 ? NULL : ERRORS[row].name;
  return row < 0 ? INVALID_VALUE : SUCCESS;
}

API int cuGetErrorString(int result, const char **text) {
  int row = error_row(result);
  *text = row < 0 ? NULL : ERRORS[row].text;
  return row < 0 ? INVALID_VALUE : SUCCESS;
}

#ifndef FAKE_CUDA_OLD
API int cuFlushGPUDirectRDMAWrites(int target, int scope) {
  int result = fake_enter_context("cuFlushGPUDirectRDMAWrites");
  if (result) return result;
  if (target != 0 || (scope != 100 && scope != 200)) return fake_leave(INVALID_VALUE);
  if (!(fake_settings.flush_options & 1)) return fake_leave(NOT_SUPPORTED);
  fake_counters[FLUSHES]++;
  return fake_leave(SUCCESS);
}
#endif

/* ---- controls ---- */

/* Settings, counters, armed faults and sticky error as at the start; live objects stay. */
API void fake_cuda_reset(void) {
  fake_lock();
  start();
  memset(fake_counters, 0, sizeof fake_counters);
  memset(armed, 0, sizeof armed);
  fake_sticky = SUCCESS;
  fake_unlock();
}

#define SETTING(name)                  \
  API void fake_cuda_set_##name(int v) { \
    fake_lock();                       \
    fake_settings.name = v;            \
    fake_unlock();                     \
  }

SETTING(mode)
SETTING(dmabuf)
SETTING(peer)
SETTING(ordering)
SETTING(flush_options)
SETTING(pcie_flag)
SETTING(base_offset)
SETTING(delay_micros)

API void fake_cuda_set_devices(int count) {
  fake_lock();
  fake_settings.devices = count < 0 ? 0 : count > DEVICES_MAX ? DEVICES_MAX : count;
  fake_unlock();
}

/* The call named gives `result` for `times` calls, after `skip` good ones. */
API int fake_cuda_fail(const char *call, int result, int skip, int times) {
  fake_lock();
  struct fault *f = armed;
  while (f < armed + ARMED_MAX && f->times != 0) f++;
  if (f == armed + ARMED_MAX) return fake_leave(OUT_OF_MEMORY);
  memset(f->call, 0, sizeof f->call);
  strncpy(f->call, call, sizeof f->call - 1);
  f->result = result;
  f->skip = skip;
  f->times = times;
  return fake_leave(SUCCESS);
}

/* Device allocations, pinned allocations, streams, events, retained contexts. */
API void fake_cuda_live(int64_t out[5]) {
  fake_lock();
  out[0] = fake_live_blocks(KIND_DEVICE) + fake_live_blocks(KIND_MANAGED);
  out[1] = fake_live_blocks(KIND_PINNED);
  out[2] = fake_live_streams();
  out[3] = fake_live_events();
  out[4] = 0;
  for (int i = 0; i < DEVICES_MAX; i++) out[4] += contexts[i].retained;
  fake_unlock();
}

/* In the order of enum counter. */
API void fake_cuda_counters(uint64_t out[COUNTERS]) {
  fake_lock();
  memcpy(out, fake_counters, sizeof fake_counters);
  fake_unlock();
}
