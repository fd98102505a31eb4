/* Streams with a thread each, asynchronous copies, events. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_cuda.h"

struct event {
  struct context *context;
  uint64_t recorded;
  uint64_t completed;
  struct event *next;
};

struct op {
  struct event *event; /* NULL: a copy */
  uint64_t value;
  struct block *to;
  struct block *from;
  unsigned char *target;
  const unsigned char *source;
  size_t length;
  struct op *next;
};

struct stream {
  struct context *context;
  pthread_t thread;
  int stop;
  uint64_t submitted;
  uint64_t done;
  struct op *first;
  struct op **last;
  struct stream *next;
};

static struct stream *streams;
static struct event *events;

int fake_live_streams(void) {
  int count = 0;
  for (struct stream *s = streams; s; s = s->next) count++;
  return count;
}

int fake_live_events(void) {
  int count = 0;
  for (struct event *e = events; e; e = e->next) count++;
  return count;
}

/* A handle is used under the context it was made in, as the driver wants it. */
static struct stream *known_stream(const void *handle) {
  struct stream *s = streams;
  while (s && s != handle) s = s->next;
  return s && s->context == fake_current() ? s : NULL;
}

static struct event *known_event(const void *handle) {
  struct event *e = events;
  while (e && e != handle) e = e->next;
  return e && e->context == fake_current() ? e : NULL;
}

/* ---- the thread ---- */

static void run(struct op *op) {
  if (op->event) {
    op->event->completed = op->value;
    return;
  }
  int delay = fake_settings.delay_micros;
  fake_unlock();
  if (delay > 0) usleep((useconds_t)delay);
  fake_lock();
  if (op->to->freed || op->from->freed) {
    fake_counters[FAULTS]++;
    fake_sticky = ILLEGAL_ADDRESS;
  } else {
    fake_unlock();
    memcpy(op->target, op->source, op->length);
    fake_lock();
  }
  op->to->pending--;
  op->from->pending--;
}

static void *work(void *argument) {
  struct stream *s = argument;
  fake_lock();
  while (s->first || !s->stop) {
    struct op *op = s->first;
    if (!op) {
      fake_wait();
      continue;
    }
    run(op);
    s->first = op->next;
    if (!s->first) s->last = &s->first;
    free(op);
    s->done++;
    fake_changed();
  }
  fake_unlock();
  return NULL;
}

static int submit(struct stream *s, struct op op) {
  struct op *queued = malloc(sizeof *queued);
  if (!queued) return OUT_OF_MEMORY;
  *queued = op;
  *s->last = queued;
  s->last = &queued->next;
  s->submitted++;
  fake_changed();
  return SUCCESS;
}

/* ---- streams ---- */

API int cuStreamCreate(void **out, unsigned flags) {
  int result = fake_enter_context("cuStreamCreate");
  if (result) return result;
  struct stream *s = flags > 1 ? NULL : calloc(1, sizeof *s);
  if (!s) return fake_leave(flags > 1 ? INVALID_VALUE : OUT_OF_MEMORY);
  s->context = fake_current();
  s->last = &s->first;
  if (pthread_create(&s->thread, NULL, work, s)) {
    free(s);
    return fake_leave(OUT_OF_MEMORY);
  }
  s->next = streams;
  streams = s;
  *out = s;
  return fake_leave(SUCCESS);
}

API int cuStreamSynchronize(void *handle) {
  int result = fake_enter_context("cuStreamSynchronize");
  if (result) return result;
  struct stream *s = known_stream(handle);
  if (!s) return fake_leave(INVALID_HANDLE);
  uint64_t until = s->submitted;
  while (s->done < until) fake_wait();
  return fake_leave(fake_sticky);
}

API int cuStreamDestroy_v2(void *handle) {
  int result = fake_enter_context("cuStreamDestroy_v2");
  if (result) return result;
  struct stream *s = known_stream(handle);
  if (!s) return fake_leave(INVALID_HANDLE);
  struct stream **link = &streams;
  while (*link != s) link = &(*link)->next;
  *link = s->next;
  s->stop = 1;
  fake_changed();
  fake_unlock();
  pthread_join(s->thread, NULL);
  free(s);
  return SUCCESS;
}

/* ---- copies ---- */

static int copy(uint64_t device, uint64_t host, size_t length, void *stream, int in) {
  struct stream *s = known_stream(stream);
  if (!s) return INVALID_HANDLE;
  struct block *d = fake_find(device, length);
  struct block *h = fake_find(host, length);
  if (!length || !d || d->kind == KIND_PINNED || !h || h->kind != KIND_PINNED) return INVALID_VALUE;
  unsigned char *device_bytes = d->bytes + (device - d->va);
  unsigned char *host_bytes = h->bytes + (host - h->va);
  struct op op = {.to = in ? d : h, .from = in ? h : d, .length = length};
  op.target = in ? device_bytes : host_bytes;
  op.source = in ? host_bytes : device_bytes;
  int result = submit(s, op);
  if (result) return result;
  d->pending++;
  h->pending++;
  fake_counters[in ? COPIES_IN : COPIES_OUT]++;
  fake_counters[in ? BYTES_IN : BYTES_OUT] += length;
  return SUCCESS;
}

API int cuMemcpyHtoDAsync_v2(uint64_t device, const void *host, size_t length, void *stream) {
  int result = fake_enter_context("cuMemcpyHtoDAsync_v2");
  return result ? result : fake_leave(copy(device, (uint64_t)(uintptr_t)host, length, stream, 1));
}

API int cuMemcpyDtoHAsync_v2(void *host, uint64_t device, size_t length, void *stream) {
  int result = fake_enter_context("cuMemcpyDtoHAsync_v2");
  return result ? result : fake_leave(copy(device, (uint64_t)(uintptr_t)host, length, stream, 0));
}

/* ---- events ---- */

API int cuEventCreate(void **out, unsigned flags) {
  int result = fake_enter_context("cuEventCreate");
  if (result) return result;
  struct event *e = flags > 7 ? NULL : calloc(1, sizeof *e);
  if (!e) return fake_leave(flags > 7 ? INVALID_VALUE : OUT_OF_MEMORY);
  e->context = fake_current();
  e->next = events;
  events = e;
  *out = e;
  return fake_leave(SUCCESS);
}

API int cuEventRecord(void *event, void *stream) {
  int result = fake_enter_context("cuEventRecord");
  if (result) return result;
  struct event *e = known_event(event);
  struct stream *s = known_stream(stream);
  if (!e || !s) return fake_leave(INVALID_HANDLE);
  result = submit(s, (struct op){.event = e, .value = e->recorded + 1});
  if (!result) e->recorded++;
  return fake_leave(result);
}

API int cuEventQuery(void *event) {
  int result = fake_enter_context("cuEventQuery");
  if (result) return result;
  struct event *e = known_event(event);
  if (!e) return fake_leave(INVALID_HANDLE);
  return fake_leave(e->completed < e->recorded ? NOT_READY : SUCCESS);
}

API int cuEventSynchronize(void *event) {
  int result = fake_enter_context("cuEventSynchronize");
  if (result) return result;
  struct event *e = known_event(event);
  if (!e) return fake_leave(INVALID_HANDLE);
  uint64_t until = e->recorded;
  while (e->completed < until) fake_wait();
  return fake_leave(fake_sticky);
}

/* Waits where the driver would let the event go later: queued work must not see it freed. */
API int cuEventDestroy_v2(void *event) {
  int result = fake_enter_context("cuEventDestroy_v2");
  if (result) return result;
  struct event *e = known_event(event);
  if (!e) return fake_leave(INVALID_HANDLE);
  while (e->completed < e->recorded) fake_wait();
  struct event **link = &events;
  while (*link != e) link = &(*link)->next;
  *link = e->next;
  free(e);
  return fake_leave(SUCCESS);
}
