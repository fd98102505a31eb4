package io.s3rdma.client.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code s3://bucket/key} as typed: nothing is decoded, the key is all behind the first slash.
 *
 * @param key empty for a bucket
 */
record S3Uri(String bucket, String key) {
  private static final String SCHEME = "s3://";

  static S3Uri parse(String text) {
    if (!text.startsWith(SCHEME)) {
      throw new IllegalArgumentException("'" + text + "' is not of the form s3://bucket/key");
    }
    String rest = text.substring(SCHEME.length());
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    if (bucket.isEmpty()) {
      throw new IllegalArgumentException("'" + text + "' names no bucket: s3://bucket/key");
    }
    return new S3Uri(bucket, slash < 0 ? "" : rest.substring(slash + 1));
  }

  boolean isBucket() {
    return key.isEmpty();
  }

  /** What a file of this object is called where no other name is given. */
  String fileName() {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return SCHEME + bucket + "/" + key;
  }

  /** A bucket, or an object. */
  static final class Any implements ITypeConverter<S3Uri> {
    @Override
    public S3Uri convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Must have a key. */
  static final class OfObject implements ITypeConverter<S3Uri> {
    @Override
    public S3Uri convert(String text) {
      S3Uri uri = new Any().convert(text);
      if (uri.isBucket()) {
        throw new TypeConversionException("'" + text + "' names no object: s3://bucket/key");
      }
      return uri;
    }
  }

  /** Must have none. */
  static final class OfBucket implements ITypeConverter<S3Uri> {
    @Override
    public S3Uri convert(String text) {
      S3Uri uri = new Any().convert(text);
      if (!uri.isBucket()) {
        throw new TypeConversionException("'" + text + "' is no bucket: s3://bucket");
      }
      return uri;
    }
  }
}
