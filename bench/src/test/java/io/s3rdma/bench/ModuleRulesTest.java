package io.s3rdma.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may import whom, module by module; the table of docs/invariants.md. */
@AnalyzeClasses(packages = "io.s3rdma", importOptions = OwnClasses.class)
final class ModuleRulesTest {
  private static final String SERVER = "io.s3rdma.server..";
  private static final String CLIENT = "io.s3rdma.client..";
  private static final String CLI = "io.s3rdma.client.cli..";
  private static final String GPU = "io.s3rdma.gpu..";
  private static final String BENCH = "io.s3rdma.bench..";
  private static final String AWS = "software.amazon.awssdk..";

  @ArchTest
  static final ArchRule bindingsImportTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("io.s3rdma.rdma..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.s3rdma.rdma..", "java..");

  @ArchTest
  static final ArchRule wireIsPureJava =
      noClasses()
          .that()
          .resideInAPackage("io.s3rdma.rdma.wire..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.s3rdma.rdma", "java.lang.foreign..");

  @ArchTest
  static final ArchRule gpuBuffersImportTheBindingsOnly =
      classes()
          .that()
          .resideInAPackage(GPU)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(GPU, "io.s3rdma.rdma..", "java..", "jcuda..");

  @ArchTest
  static final ArchRule countersImportTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("io.s3rdma.counters..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.s3rdma.counters..", "java..");

  @ArchTest
  static final ArchRule serverImportsNeitherClientNorGpu =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLIENT, GPU);

  /** A store in front of another S3 may, in a package of its own. */
  @ArchTest
  static final ArchRule serverUsesNoSdk =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .and()
          .resideOutsideOfPackage("io.s3rdma.server.gateway..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(AWS);

  @ArchTest
  static final ArchRule clientImportsNoServer =
      noClasses()
          .that()
          .resideInAPackage(CLIENT)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SERVER);

  @ArchTest
  static final ArchRule onlyTheCommandsImportGpu =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, GPU, BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(GPU);

  @ArchTest
  static final ArchRule nobodyImportsBench =
      noClasses()
          .that()
          .resideOutsideOfPackage(BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(BENCH);

  /** Restricted native calls: one class for each library. */
  @ArchTest
  static final ArchRule nativeFunctionsAreBoundInOnePlaceForEachLibrary =
      noClasses()
          .that(new Named("io.s3rdma.rdma.NativeLibrary").not())
          .and(new Named("io.s3rdma.gpu.CudaDriver").not())
          .and(new Named("io.s3rdma.gpu.HostSystem").not())
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.foreign.Linker");

  @ArchTest
  static final ArchRule onlyCommandsPrint =
      noClasses()
          .that()
          .resideOutsideOfPackages(CLI, BENCH)
          .and(new Named("io.s3rdma.server.Main").not())
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  /** A class with all that is nested in it. */
  private static final class Named extends DescribedPredicate<JavaClass> {
    private final String name;

    Named(String name) {
      super(name);
      this.name = name;
    }

    @Override
    public boolean test(JavaClass type) {
      return type.getName().equals(name) || type.getName().startsWith(name + "$");
    }

    DescribedPredicate<JavaClass> not() {
      return DescribedPredicate.not(this);
    }
  }
}
