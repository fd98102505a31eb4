package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.s3rdma.server.document.PolicyDocument;
import io.s3rdma.server.policy.BucketPolicy;
import io.s3rdma.server.s3.BucketOwners;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.StoreConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request pays for policies where its bucket has none, which is what most buckets are. */
final class PolicyCostTest {
  private static final int TIMES = 10_000;
  private static final int ROUNDS_MAX = 500;
  private static final String POLICY =
      """
      {"Statement":{"Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::*"}}
      """;

  @TempDir Path directory;

  @Test
  void shouldAllocateNothingWhenTheBucketHasNoPolicy() throws IOException {
    try (LocalStore store = new LocalStore(config())) {
      store.createBucket("bucket", "owner");
      BucketOwners owners = new BucketOwners(store);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      assertThat(threads.isThreadAllocatedMemoryEnabled()).isTrue();
      long least = Long.MAX_VALUE;
      // Until the compiler has seen it.
      for (int round = 0; round < ROUNDS_MAX && least >= TIMES; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        ask(owners);
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }

      // One object a request would be at least 16 bytes for each.
      assertThat(least).isLessThan(TIMES);
    }
  }

  private static void ask(BucketOwners owners) throws IOException {
    for (int i = 0; i < TIMES; i++) {
      if (!owners.policyOf("bucket").isNone()) {
        throw new AssertionError("there is no policy");
      }
    }
  }

  /** Not again for each request, and not from the text of before. */
  @Test
  void shouldReadAPolicyOnceAndTheNewOneWhenItChanged() throws IOException {
    try (LocalStore store = new LocalStore(config())) {
      store.createBucket("bucket", "owner");
      BucketOwners owners = new BucketOwners(store);
      assertThat(owners.policyOf("bucket").isNone()).isTrue();
      assertThat(owners.policyOf("none").isNone()).isTrue();
      store.updateBucket("bucket", b -> b.withSetting(PolicyDocument.SETTING, POLICY));
      assertThat(owners.policyOf("bucket")).isSameAs(owners.policyOf("bucket"));
      assertThat(owners.policyOf("bucket").isNone()).isFalse();
      store.updateBucket("bucket", b -> b.withSetting(PolicyDocument.SETTING, null));
      assertThat(owners.policyOf("bucket").isNone()).isTrue();
    }
  }

  /** A stricter server that finds it must not take it for none. */
  @Test
  void shouldDenyAllWhenWhatWasKeptCannotBeRead() throws IOException {
    try (LocalStore store = new LocalStore(config())) {
      store.createBucket("bucket", "owner");
      store.updateBucket("bucket", b -> b.withSetting(PolicyDocument.SETTING, "{}"));

      assertThat(new BucketOwners(store).policyOf("bucket")).isSameAs(BucketPolicy.DENIES_ALL);
    }
  }

  private StoreConfig config() {
    return new StoreConfig(directory, StoreConfig.Durability.NONE, 0, 0, 0, Map.of(), 0, 1 << 30);
  }
}
