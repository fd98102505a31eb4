package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client and a server with two rails each: both are used, and one of them may go. */
final class ClientRailsTest {
  private static final int SIZE = 3 << 20;

  private LiveObjects before;

  @BeforeEach
  void twoDevices() {
    FakeDevice.reset();
    FakeDevice.devices(2);
    FakeDevice.address(1, "127.0.0.2");
    before = Lab.live();
  }

  @AfterEach
  void leavesNothingAlive() {
    FakeDevice.reset();
    assertThat(Lab.live()).isEqualTo(before);
  }

  private static Lab lab(String devices) throws Exception {
    return new Lab(Map.of("rdma.client-subnets", List.of("127.0.0.0/8"), "rdma.device", devices));
  }

  private static List<String> devicesOf(RailLoad load, int gets) {
    List<String> devices = new ArrayList<>();
    try (HostBuffer buffer = HostBuffer.allocate(SIZE)) {
      for (int i = 0; i < gets; i++) {
        TransferResult result = load.get(buffer);
        assertThat(result.attempts()).isEqualTo(1);
        devices.add(RailLoad.deviceOf(result));
      }
    }
    return devices;
  }

  @Test
  void shouldSpreadOverBothRails() throws Exception {
    try (Lab lab = lab("")) {
      List<String> devices = devicesOf(new RailLoad(lab, SIZE), 8);
      assertThat(devices).containsOnly("fake0", "fake1");
      assertThat(devices.stream().filter("fake0"::equals).count()).isEqualTo(4);
    }
  }

  @Test
  void shouldUseTheOneRailThatTheServerHas() throws Exception {
    try (Lab lab = lab("fake0")) {
      assertThat(devicesOf(new RailLoad(lab, SIZE), 4)).containsOnly("fake0");
    }
  }

  @Test
  void shouldCostOneRetryAtMostWhenARailGoesDownUnderLoad() throws Exception {
    try (Lab lab = lab("")) {
      new RailLoad(lab, SIZE).surviveOutages("fake0", "fake1", up -> FakeDevice.port(1, up));
    }
  }
}
