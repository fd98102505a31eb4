package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A type becomes public on purpose: it stands in public-types.txt, one a line. */
class PublicTypesTest {
  private static final String LIST = "public-types.txt";

  @Test
  void shouldListEveryPublicTopLevelType() throws IOException {
    Set<String> found =
        new ClassFileImporter()
            .withImportOption(new OwnClasses()).importPackages("io.s3rdma").stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    Set<String> unlisted = new TreeSet<>(found);
    unlisted.removeAll(listed());
    assertThat(unlisted)
        .as("public types that %s does not list: make them package-private or add them", LIST)
        .isEmpty();
    assertThat(found).as("nothing was looked at").hasSizeGreaterThan(100);
  }

  private static Set<String> listed() throws IOException {
    try (InputStream in = PublicTypesTest.class.getResourceAsStream(LIST)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toSet());
    }
  }
}
