package io.s3rdma.rdma;

/**
 * A port of a device, as configuration, evidence and messages name it: {@code mlx5_0/1}.
 *
 * @param port numbered from 1
 */
public record PortName(String device, int port) {
  @Override
  public String toString() {
    return device + "/" + port;
  }
}
