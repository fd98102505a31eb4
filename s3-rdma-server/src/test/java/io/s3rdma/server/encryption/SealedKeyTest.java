package io.s3rdma.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SealedKeyTest {
  private static final CustomerKey CUSTOMER = CustomerKey.of(octets(1));
  private static final MasterKey MASTER = master(3);

  private final ObjectKey key = ObjectKey.random();

  @Test
  void shouldOpenWhenTheKeyIsTheSame() {
    ObjectKey byCustomer = CustomerKey.of(octets(1)).open(CUSTOMER.seal(key)).orElseThrow();
    ObjectKey byServer = new MasterKeys(List.of(MASTER)).open(MASTER.seal(key)).orElseThrow();

    assertThat(byCustomer.octets()).isEqualTo(key.octets());
    assertThat(byServer.octets()).isEqualTo(key.octets());
  }

  @Test
  void shouldNotOpenWhenTheKeyIsAnother() {
    assertThat(CustomerKey.of(octets(2)).open(CUSTOMER.seal(key))).isEmpty();
    assertThat(CUSTOMER.open(MASTER.seal(key))).isEmpty();
    assertThat(new MasterKeys(List.of(master(4))).open(MASTER.seal(key))).isEmpty();
    SealedKey claimed =
        new SealedKey(SealedKey.Kind.SERVER, MASTER.id(), master(4).seal(key).sealed());
    assertThat(new MasterKeys(List.of(MASTER)).open(claimed)).isEmpty();
  }

  @Test
  void shouldNotOpenWhenAnOctetIsWrong() {
    byte[] sealed = Base64.getDecoder().decode(CUSTOMER.seal(key).sealed());
    for (int at = 0; at < sealed.length; at++) {
      byte[] damaged = sealed.clone();
      damaged[at] ^= 1;
      assertThat(CUSTOMER.open(customers(Base64.getEncoder().encodeToString(damaged)))).isEmpty();
    }
    assertThat(CUSTOMER.open(customers("no base64!"))).isEmpty();
    assertThat(CUSTOMER.open(customers("AAAA"))).isEmpty();
  }

  @Test
  void shouldSealInAnotherWayEachTime() {
    assertThat(CUSTOMER.seal(key)).isNotEqualTo(CUSTOMER.seal(key));
  }

  @Test
  void shouldOpenWithAnOlderKeyWhenANewOneSeals() {
    MasterKeys rotated = new MasterKeys(List.of(master(4), MASTER));

    assertThat(rotated.open(MASTER.seal(key)).orElseThrow().octets()).isEqualTo(key.octets());
    assertThat(rotated.seal(key).masterKeyId()).isEqualTo(master(4).id());
  }

  @Test
  void shouldTellNoMd5WhenTheKeyIsACustomers() {
    byte[] md5 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    assertThat(CUSTOMER.etag(md5))
        .matches("[0-9a-f]{32}")
        .isNotEqualTo("0102030405060708090a0b0c0d0e0f10");
    assertThat(CUSTOMER.etag(md5)).isEqualTo(CustomerKey.of(octets(1)).etag(md5));
    assertThat(CUSTOMER.etag(md5)).isNotEqualTo(CustomerKey.of(octets(2)).etag(md5));
  }

  @Test
  void shouldTellNoSecretWhenPrinted() {
    SealedKey sealed = MASTER.seal(key);
    String all =
        "%s %s %s %s %s"
            .formatted(
                key,
                new Protection.Customer(CUSTOMER),
                MASTER,
                new MasterKeys(List.of(MASTER)),
                sealed);

    assertThat(all)
        .isEqualTo(
            "ObjectKey Customer[key=CustomerKey] MasterKey[%1$s] MasterKeys[%1$s] SealedKey[SERVER %1$s]",
            MASTER.id());
  }

  private static SealedKey customers(String sealed) {
    return new SealedKey(SealedKey.Kind.CUSTOMER, "", sealed);
  }

  private static MasterKey master(int seed) {
    return MasterKey.parse(Base64.getEncoder().encodeToString(octets(seed))).orElseThrow();
  }

  private static byte[] octets(int seed) {
    byte[] octets = new byte[CustomerKey.BYTES];
    new Random(seed).nextBytes(octets);
    return octets;
  }
}
