package io.s3rdma.server.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Ordered, immutable, case-insensitive multimap. Names are kept in lower case. A value holds one
 * char per octet (ISO-8859-1), as it stood on the wire.
 */
public final class Headers {
  public static final Headers EMPTY = new Headers(List.of());

  private final List<Entry> entries;

  private Headers(List<Entry> entries) {
    this.entries = entries;
  }

  public static Headers of(String... namesAndValues) {
    Builder builder = new Builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return builder.build();
  }

  public static Builder builder() {
    return new Builder();
  }

  public Optional<String> first(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (Entry entry : entries) {
      if (entry.name.equals(wanted)) {
        return Optional.of(entry.value);
      }
    }
    return Optional.empty();
  }

  /** In order; the list is the caller's. */
  public List<String> all(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>(1);
    for (Entry entry : entries) {
      if (entry.name.equals(wanted)) {
        found.add(entry.value);
      }
    }
    return found;
  }

  /** Whether a lower-case name is as asked. */
  public boolean anyName(Predicate<String> question) {
    for (Entry entry : entries) {
      if (question.test(entry.name)) {
        return true;
      }
    }
    return false;
  }

  public boolean contains(String name) {
    return first(name).isPresent();
  }

  /** Lower-case names in order of first appearance. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (Entry entry : entries) {
      names.add(entry.name);
    }
    return Collections.unmodifiableSet(names);
  }

  public void forEach(BiConsumer<String, String> action) {
    for (Entry entry : entries) {
      action.accept(entry.name, entry.value);
    }
  }

  public Headers with(String name, String value) {
    Builder builder = new Builder();
    builder.entries.addAll(entries);
    return builder.add(name, value).build();
  }

  @Override
  public String toString() {
    return "Headers" + names();
  }

  private record Entry(String name, String value) {}

  /** Collects entries in order. */
  public static final class Builder {
    private final List<Entry> entries = new ArrayList<>();

    private Builder() {}

    public Builder add(String name, String value) {
      entries.add(new Entry(name.toLowerCase(Locale.ROOT), value));
      return this;
    }

    public Headers build() {
      return new Headers(List.copyOf(entries));
    }
  }
}
