package io.s3rdma.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;

/** Inside the server, and inside the client: which package may know which. */
@AnalyzeClasses(packages = "io.s3rdma", importOptions = OwnClasses.class)
final class ServerPackageRulesTest {
  private static final String ROOT = "io.s3rdma.server.";
  private static final List<String> LEAVES =
      List.of("http", "negotiation", "store", "transfer", "evidence");

  @ArchTest
  static void leavesDoNotKnowEachOtherNorFlow(JavaClasses classes) {
    for (String leaf : LEAVES) {
      String[] others =
          Stream.concat(LEAVES.stream(), Stream.of("flow"))
              .filter(other -> !other.equals(leaf))
              .map(other -> ROOT + other + "..")
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(ROOT + leaf + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .because("all branching is in flow")
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule negotiationIsAFunction =
      noClasses()
          .that()
          .resideInAPackage("io.s3rdma.server.negotiation..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.s3rdma.rdma", "io.netty..", "java.io..", "java.nio.file..");

  @ArchTest
  static final ArchRule policiesAreAFunction =
      noClasses()
          .that()
          .resideInAnyPackage("io.s3rdma.server.policy..", "io.s3rdma.server.net..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.s3rdma.server.http..",
              "io.s3rdma.server.store..",
              "io.s3rdma.server.document..",
              "io.netty..",
              "java.nio.file..");

  @ArchTest
  static final ArchRule encryptionIsPureJava =
      classes()
          .that()
          .resideInAPackage("io.s3rdma.server.encryption..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.s3rdma.server.encryption..", "java..", "javax.crypto..");

  @ArchTest
  static final ArchRule onlyHttpKnowsNetty =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.s3rdma.server.http..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule onlyTheStoreKnowsRocks =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.s3rdma.server.store..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.rocksdb..");

  /** The wiring is the root package and may know everything; nothing below knows it. */
  @ArchTest
  static final ArchRule nothingBelowKnowsTheWiring =
      noClasses()
          .that()
          .resideInAPackage("io.s3rdma.server.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.s3rdma.server");

  @ArchTest
  static final ArchRule serverPackagesHaveNoCycles =
      slices().matching("io.s3rdma.server.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule transportDoesNotKnowTheClientAboveIt =
      noClasses()
          .that()
          .resideInAPackage("io.s3rdma.client.transport..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.s3rdma.client", "io.s3rdma.client.tensor..", "io.s3rdma.client.cli..");
}
