package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** rdma-practice 6.1: the GID is picked by type and address, never by a fixed index. */
final class GidSelectorTest {
  private static final String IB_GID = "fe80000000000000506b4b0300a1b2c3";

  /** Entries are "type address"; the index is the place in the list. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "zero entry never counts         | 2 ::; 2 10.0.0.7                            | -         | 1",
        "only a zero entry               | 2 ::                                        | -         | -1",
        "link-local never counts         | 2 fe80::1; 2 10.0.0.7                       | -         | 1",
        "only link-local                 | 2 fe80::1; 2 169.254.3.4                    | -         | -1",
        "v1 twin first                   | 1 10.0.0.7; 2 10.0.0.7                      | 10.0.0.7  | 1",
        "only RoCE v1                    | 1 10.0.0.7                                  | -         | -1",
        "IPv4 before IPv6                | 2 2001:db8::7; 2 10.0.0.7                   | -         | 1",
        "IPv6 where there is no other    | 2 fe80::1; 2 2001:db8::7                    | -         | 1",
        "exact address wins              | 2 10.0.0.7; 2 10.0.1.7; 2 2001:db8::7       | 10.0.1.7  | 1",
        "exact IPv6 address wins         | 2 10.0.0.7; 2 10.0.1.7; 2 2001:db8::7       | 2001:db8::7 | 2",
        "address of no entry             | 2 10.0.0.7; 2 2001:db8::7                   | 10.0.0.8  | -1",
        "exact but only as RoCE v1       | 1 10.0.0.8; 2 10.0.0.7                      | 10.0.0.8  | -1",
        "loopback means any              | 2 fe80::1; 2 10.0.0.7                       | 127.0.0.1 | 1",
        "IPv6 loopback means any         | 2 fe80::1; 2 10.0.0.7                       | ::1       | 1",
        "loopback itself is exact        | 2 10.0.0.7; 2 127.0.0.1                     | 127.0.0.1 | 1",
        "unspecified means any           | 2 fe80::1; 2 10.0.0.7                       | 0.0.0.0   | 1",
        "lowest index among equals       | 2 10.0.0.7; 2 10.0.1.7                      | -         | 0",
        "empty table                     |                                             | -         | -1",
      })
  void shouldSelectEntryWhenPortIsEthernet(
      String name, String table, String local, int expectedIndex) throws Exception {
    Optional<GidEntry> selected = GidSelector.select(entries(table), true, address(local));

    assertThat(selected.map(GidEntry::index).orElse(-1)).as(name).isEqualTo(expectedIndex);
  }

  @ParameterizedTest
  @CsvSource({"INFINIBAND, true", "ROCE_V2, false", "ROCE_V1, false"})
  void shouldTakeInfinibandEntryWhenPortIsInfiniband(GidType type, boolean usable) {
    // On InfiniBand the subnet prefix is link-local by default, and that is fine.
    List<GidEntry> table = List.of(new GidEntry(Gid.parse(IB_GID), 0, type, 0));

    assertThat(GidSelector.select(table, false, Optional.empty()).isPresent()).isEqualTo(usable);
  }

  private static List<GidEntry> entries(String table) throws UnknownHostException {
    List<GidEntry> entries = new ArrayList<>();
    if (table == null) {
      return entries;
    }
    for (String entry : table.split(";", -1)) {
      String[] parts = entry.strip().split(" ", -1);
      GidType type = GidType.of(Integer.parseInt(parts[0]));
      entries.add(
          new GidEntry(
              Gid.ofInetAddress(InetAddress.getByName(parts[1])), entries.size(), type, 1));
    }
    return entries;
  }

  private static Optional<InetAddress> address(String text) throws UnknownHostException {
    return text.equals("-") ? Optional.empty() : Optional.of(InetAddress.getByName(text));
  }
}
