package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.flow.ObjectRoutes;
import io.s3rdma.server.http.Router.Route;
import io.s3rdma.server.policy.PolicyAction;
import io.s3rdma.server.s3.S3Routes;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An operation without an action could be opened or denied by no policy. */
final class AccessTableTest {
  @Test
  void shouldNameAnActionForEachOperationThatIsServed() {
    Set<Route> named = new HashSet<>(AccessTable.routes());
    named.addAll(AccessTable.BY_THEMSELVES);

    assertThat(served()).isEqualTo(named);
    assertThat(AccessTable.routes()).doesNotContainAnyElementsOf(AccessTable.BY_THEMSELVES);
  }

  @Test
  void shouldUseEachActionThatAPolicyMayName() {
    Set<PolicyAction> used = EnumSet.noneOf(PolicyAction.class);
    for (Route route : AccessTable.routes()) {
      for (AccessTable.Step step : AccessTable.of(route)) {
        used.add(step.action());
        used.add(step.ofVersion());
      }
    }
    // No bucket's policy is asked where there is no bucket yet.
    used.addAll(EnumSet.of(PolicyAction.CREATE_BUCKET, PolicyAction.LIST_ALL_MY_BUCKETS));

    assertThat(used).isEqualTo(EnumSet.allOf(PolicyAction.class));
  }

  private static Set<Route> served() {
    Router.Builder router = S3Routes.register(Router.builder(), null, "region", null);
    return new ObjectRoutes(null, 1, EncryptionConfig.DEFAULT, null)
        .register(router)
        .build()
        .routes();
  }
}
