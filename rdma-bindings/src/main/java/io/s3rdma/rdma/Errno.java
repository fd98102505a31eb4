package io.s3rdma.rdma;

/** The few errno values that decide something here; Linux numbers. */
final class Errno {
  static final int EINVAL = 22;
  static final int ENODEV = 19;
  static final int EOPNOTSUPP = 95;

  private Errno() {}

  /** " (ENOMEM)" for the numbers met here, else nothing. */
  static String suffix(int errno) {
    String name = name(errno);
    return name.isEmpty() ? "" : " (" + name + ")";
  }

  private static String name(int errno) {
    return switch (errno) {
      case 1 -> "EPERM";
      case 2 -> "ENOENT";
      case 5 -> "EIO";
      case 11 -> "EAGAIN";
      case 12 -> "ENOMEM";
      case 13 -> "EACCES";
      case 14 -> "EFAULT";
      case 16 -> "EBUSY";
      case ENODEV -> "ENODEV";
      case EINVAL -> "EINVAL";
      case 24 -> "EMFILE";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case 110 -> "ETIMEDOUT";
      default -> "";
    };
  }
}
