package io.s3rdma.server.http;

import java.util.Arrays;

/**
 * What a policy asks of one field of a form; a field that is not there is the empty text.
 *
 * @param field in lower case
 * @param isPrefix whether {@code value} is only how the field begins
 */
record FormCondition(String field, boolean isPrefix, String value) {
  boolean holds(String actual) {
    if (!isPrefix) {
      return actual.equals(value);
    }
    // S3: of a list of types each must begin so, or one could be brought in behind another.
    return field.equals(HttpNames.CONTENT_TYPE)
        ? Arrays.stream(actual.split(",", -1)).allMatch(one -> one.strip().startsWith(value))
        : actual.startsWith(value);
  }
}
