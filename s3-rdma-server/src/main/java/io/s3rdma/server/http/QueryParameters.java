package io.s3rdma.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decoded query parameters in order. A plus sign is a plus sign: only percent escapes count. */
public final class QueryParameters {
  private final List<Parameter> parameters;

  private QueryParameters(List<Parameter> parameters) {
    this.parameters = List.copyOf(parameters);
  }

  /** {@code rawQuery} is what stands after the question mark; may be empty. */
  public static QueryParameters parse(String rawQuery) {
    List<Parameter> found = new ArrayList<>();
    int start = 0;
    while (start < rawQuery.length()) {
      int end = rawQuery.indexOf('&', start);
      end = end < 0 ? rawQuery.length() : end;
      if (end > start) {
        String pair = rawQuery.substring(start, end);
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        found.add(new Parameter(UriCodec.decode(name), UriCodec.decode(value)));
      }
      start = end + 1;
    }
    return new QueryParameters(found);
  }

  public Optional<String> first(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name.equals(name)) {
        return Optional.of(parameter.value);
      }
    }
    return Optional.empty();
  }

  public boolean contains(String name) {
    return first(name).isPresent();
  }

  public boolean isEmpty() {
    return parameters.isEmpty();
  }

  List<Parameter> all() {
    return parameters;
  }

  record Parameter(String name, String value) {}
}
