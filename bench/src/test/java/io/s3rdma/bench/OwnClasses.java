package io.s3rdma.bench;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** What ships: neither tests nor what JMH generates. */
public final class OwnClasses implements ImportOption {
  private static final ImportOption NO_TESTS = new ImportOption.DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return NO_TESTS.includes(location)
        && !location.contains("-tests.jar")
        && !location.contains("jmh_generated");
  }
}
