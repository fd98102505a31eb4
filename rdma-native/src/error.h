/* What both libraries share: the per-thread error record, counts of live objects, waking waiters (library.c). */
#ifndef S3R_ERROR_H
#define S3R_ERROR_H

#include "s3rdma.h"

enum s3r_kind { KIND_DEVICE, KIND_PD, KIND_MR, KIND_MW, KIND_CQ, KIND_QP };

/* Fills the thread's error record and returns -code. */
int s3r_fail(int code, const char *call, int32_t detail, uint64_t value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void s3r_count(enum s3r_kind kind, int delta);

/* Ends a wait on this eventfd; `what` says for whom. */
int s3r_wake(int fd, const char *what);
/* Whether somebody woke since the last time. */
int s3r_was_woken(int fd);

#endif
