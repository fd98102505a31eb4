package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.wire.EvidenceText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each layer of {@code verify} notices the lie that is its own. */
final class ProofTest {
  private static final long BYTES = 10_000; // 3 packets of 4096
  private static final String SHA = "a".repeat(64);

  private static TransferResult byRdma(EvidenceText evidence, long byHttp) {
    return new TransferResult(
        Transport.RDMA,
        BYTES,
        byHttp,
        Optional.of(evidence),
        1,
        Optional.empty(),
        Optional.of(RegistrationWay.HOST),
        BYTES,
        "\"e\"");
  }

  private static TransferResult byHttp(String reason) {
    return new TransferResult(
        Transport.HTTP,
        0,
        BYTES,
        Optional.empty(),
        1,
        Optional.of(reason),
        Optional.empty(),
        BYTES,
        "\"e\"");
  }

  private static EvidenceText evidence(String verdict, long packets, long bytes) {
    return new EvidenceText(verdict, packets, bytes, "rxe_s", 1, 0);
  }

  private static PortCounts.Moved port(long packets) {
    return new PortCounts.Moved("rxe_s/1", "sent_pkts", 100, 100 + packets);
  }

  private static List<Check> layers(
      TransferResult result, long portPackets, String arrived, long exact, long contradicted) {
    return Proof.layers(
        new ProofFacts(
            "GET",
            false,
            BYTES,
            4096,
            result,
            SHA,
            arrived,
            Optional.of(port(portPackets)),
            Optional.of(port(portPackets)),
            Optional.of(exact),
            Optional.of(contradicted)));
  }

  private static void assertOnlyFailing(List<Check> layers, String... names) {
    assertThat(layers)
        .filteredOn(layer -> layer.status() == Check.Status.FAIL)
        .extracting(Check::name)
        .containsExactly(names);
    assertThat(layers)
        .filteredOn(layer -> layer.status() == Check.Status.FAIL)
        .allSatisfy(layer -> assertThat(layer.nextStep()).isNotEmpty());
  }

  @Test
  void shouldHoldWhenEveryLedgerAgrees() {
    List<Check> layers = layers(byRdma(evidence("exact", 3, BYTES), 0), 3, SHA, 1, 0);

    assertOnlyFailing(layers);
    assertThat(layers).hasSize(9).allMatch(layer -> layer.status() == Check.Status.OK);
  }

  @ParameterizedTest
  @CsvSource({"2", "0"})
  void shouldFailPacketsWhenFewerThanTheBytesMake(long packets) {
    assertOnlyFailing(
        layers(byRdma(evidence("exact", packets, BYTES), 0), 3, SHA, 1, 0), "packets");
  }

  @Test
  void shouldTakeTheSmallerMtuOfThePath() {
    List<Check> layers = layers(byRdma(evidence("exact", 10, BYTES), 0), 10, SHA, 1, 0);

    assertOnlyFailing(layers);
    assertThat(layers).anyMatch(layer -> layer.found().contains("10 expected (MTU 1024)"));
  }

  @Test
  void shouldFailBytesWhenEvidenceOrHttpSayOtherwise() {
    assertOnlyFailing(layers(byRdma(evidence("exact", 3, BYTES - 1), 0), 3, SHA, 1, 0), "bytes");
    assertOnlyFailing(layers(byRdma(evidence("exact", 3, BYTES), 1), 3, SHA, 1, 0), "bytes");
  }

  @ParameterizedTest
  @CsvSource({"unavailable", "contradicted"})
  void shouldFailVerdictWhenNothingIsProved(String verdict) {
    assertOnlyFailing(layers(byRdma(evidence(verdict, 3, BYTES), 0), 3, SHA, 0, 0), "verdict");
  }

  @Test
  void shouldFailBothPortsWhenTheySawLess() {
    assertOnlyFailing(
        layers(byRdma(evidence("exact", 3, BYTES), 0), 2, SHA, 1, 0), "server port", "client port");
  }

  @Test
  void shouldFailCountedWhenTheServersTotalsDisagree() {
    assertOnlyFailing(layers(byRdma(evidence("exact", 3, BYTES), 0), 3, SHA, 0, 0), "counted");
    assertOnlyFailing(layers(byRdma(evidence("exact", 3, BYTES), 0), 3, SHA, 1, 1), "counted");
  }

  @Test
  void shouldFailContentWhenBytesDiffer() {
    assertOnlyFailing(
        layers(byRdma(evidence("exact", 3, BYTES), 0), 3, "b".repeat(64), 1, 0), "content");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "the server declined: PortDown | token | ip link set",
        "the server declined: RdmaDisabled | token | rdma.enabled",
        "the server does not answer RDMA tokens | token | --endpoint",
        "RdmaEvidenceContradicted: sequence numbers moved by 2, expected 3 | verdict | do not trust",
        "no RDMA device named x | token | s3rdma doctor"
      })
  void shouldNameTheReasonAndTheNextStepWhenHttpCarriedIt(
      String reason, String layer, String nextStep) {
    List<Check> layers = layers(byHttp(reason), 0, SHA, 0, 0);

    assertOnlyFailing(layers, layer);
    assertThat(layers.getFirst().found()).contains(reason);
    assertThat(layers.getFirst().nextStep()).contains(nextStep);
  }
}
