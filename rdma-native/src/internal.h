/* Shared by the .c files of the verbs library; not installed. */
#ifndef S3R_INTERNAL_H
#define S3R_INTERNAL_H

#include <infiniband/verbs.h>
#include <stddef.h>

#include "error.h"

struct s3r_device {
  struct ibv_context *context;
  int wake_fd; /* ends a wait for asynchronous events */
};

struct s3r_pd {
  struct ibv_pd *pd;
};

struct s3r_mr {
  struct ibv_mr *mr;
};

struct s3r_mw {
  struct ibv_mw *mw;
};

struct s3r_cq {
  struct ibv_comp_channel *channel;
  struct ibv_cq *cq;
  int wake_fd;
};

struct s3r_qp {
  struct ibv_qp *qp;
};

int s3r_access_to_verbs(uint32_t access);
uint32_t s3r_access_from_verbs(int access);
enum ibv_mtu s3r_mtu_to_verbs(int bytes);
int s3r_mtu_from_verbs(enum ibv_mtu mtu);

#endif
