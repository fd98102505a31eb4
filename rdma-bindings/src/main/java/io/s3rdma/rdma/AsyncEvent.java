package io.s3rdma.rdma;

/**
 * An asynchronous event of a device, already acknowledged.
 *
 * @param raw the provider's number, for messages
 * @param port the port for port events, else 0
 * @param queuePairNumber the queue pair for queue pair events, else 0
 */
public record AsyncEvent(Type type, int raw, int port, int queuePairNumber) {
  /** What happened. */
  public enum Type {
    COMPLETION_QUEUE_ERROR(0),
    QUEUE_PAIR_FATAL(1),
    QUEUE_PAIR_REQUEST_ERROR(2),
    QUEUE_PAIR_ACCESS_ERROR(3),
    DEVICE_FATAL(8),
    PORT_ACTIVE(9),
    PORT_ERROR(10),
    GID_CHANGE(18),
    OTHER(99);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    static Type of(int code) {
      for (Type type : values()) {
        if (type.code == code) {
          return type;
        }
      }
      return OTHER;
    }
  }
}
