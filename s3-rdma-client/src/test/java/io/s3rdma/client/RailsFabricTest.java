package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same on two Soft-RoCE devices, whose links are ours: {@code ci/softroce run --two-rails} with
 * {@code -Pfabric -Dtest.groups=two-rails}. In neither lane of every build.
 */
@Tag("two-rails")
final class RailsFabricTest {
  private static final int SIZE = 2 << 20;

  @Test
  void shouldCostOneRetryAtMostWhenALinkGoesDownUnderLoad() throws Exception {
    for (String device : List.of("rxe0", "rxe1")) {
      assertThat(Rdma.deviceNames()).contains(device);
      assertThat(RailFinder.look(new PortName(device, 1), Optional.empty()).rail()).isPresent();
    }
    try (Lab lab = new Lab(Map.of("rdma.client-subnets", List.of("10.9.0.0/16")))) {
      new RailLoad(lab, SIZE).surviveOutages("rxe0", "rxe1", RailsFabricTest::setLink);
    } finally {
      setLink(true);
    }
  }

  private static void setLink(boolean up) {
    try {
      Process ip =
          new ProcessBuilder("ip", "link", "set", "rdma1", up ? "up" : "down").inheritIO().start();
      assertThat(ip.waitFor()).isZero();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
