package io.s3rdma.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.params.provider.Arguments;

/** The requests of {@link SameAnswersTest}, and what stands in them. */
final class SameAnswersCases {
  static final int PART = 5 << 20;
  private static final String OLD = "Thu, 01 Jan 1998 00:00:00 GMT";
  private static final String AHEAD = "Fri, 01 Jan 2100 00:00:00 GMT";

  private SameAnswersCases() {}

  static Stream<Arguments> reads() {
    return Stream.of(
        read("plain", 200),
        read("plain", 200, "x-amz-checksum-mode", "ENABLED"),
        read("plain?response-content-type=text/html", 200),
        read("plain?partNumber=1", 206, "x-amz-checksum-mode", "ENABLED"),
        read("plain?partNumber=2", 400),
        read("plain", 206, "range", "bytes=0-0"),
        read("plain", 206, "range", "bytes=5-77000", "x-amz-checksum-mode", "ENABLED"),
        read("plain", 206, "range", "bytes=99999-"),
        read("plain", 206, "range", "bytes=-10"),
        read("plain", 206, "range", "bytes=0-999999"),
        read("plain", 200, "range", "bytes=5-4"),
        read("plain", 200, "range", "bytes=0-1,3-4"),
        read("plain", 416, "range", "bytes=100000-"),
        read("plain", 416, "range", "bytes=-0"),
        read("plain", 200, "if-match", "ETAG"),
        read("plain", 412, "if-match", "\"other\""),
        read("plain", 304, "if-none-match", "ETAG"),
        read("plain", 304, "if-modified-since", AHEAD),
        read("plain", 412, "if-unmodified-since", OLD),
        read("plain", 206, "if-match", "ETAG", "range", "bytes=1-2"),
        read("plain?versionId=null", 200),
        read("plain?versionId=other", 404),
        read("plain?versionId=", 400),
        read("empty", 200),
        read("empty", 416, "range", "bytes=0-"),
        read("empty", 200, "range", "bytes=-5"),
        read("multi", 200),
        read("multi?partNumber=1", 206, "x-amz-checksum-mode", "ENABLED"),
        read("multi?partNumber=2", 206),
        read("multi?partNumber=3", 400),
        read("multi", 206, "range", "bytes=" + (PART - 3) + "-" + (PART + 2)),
        read("../versions/key", 200),
        read("../versions/key?versionId=OLDER", 200),
        read("../versions/key?versionId=OLDER", 206, "range", "bytes=1-4"),
        read("../versions/key?versionId=none", 404),
        read("../versions/gone", 404),
        read("../versions/gone?versionId=MARKER", 405),
        read("none", 404),
        read("../none/none", 404),
        read("../policed/open", 200),
        read("../policed/closed", 403),
        read("../policed/secret", 403),
        read("plain", 501, "x-amz-server-side-encryption-aws-kms-key-id", "k"),
        read("plain", 400, "x-amz-server-side-encryption", "AES256"),
        read("plain", 400, keyed("")),
        read("ours", 200),
        read("ours", 206, "range", "bytes=17-77000"),
        read("theirs", 200, keyed("")),
        read("theirs", 200, keyed("", "x-amz-checksum-mode", "ENABLED")),
        read("theirs", 206, keyed("", "range", "bytes=17-77000")),
        read("theirs", 206, keyed("", "range", "bytes=-1")),
        read("theirs", 400),
        read("theirs", 400, keyed("other")),
        read("theirmulti", 200, keyed("")),
        read("theirmulti?partNumber=2", 206, keyed("")),
        read("theirmulti", 206, keyed("", "range", "bytes=" + (PART - 3) + "-" + (PART + 2))));
  }

  private static Arguments read(String target, int status, String... headers) {
    return Arguments.of(target, status, List.of(headers));
  }

  static Stream<Arguments> writes() {
    return Stream.of(
        write("put", 200),
        write("put", 200, "x-amz-checksum-crc32", "CRC32"),
        write("put", 400, "x-amz-checksum-crc32", "AAAAAA=="),
        write("put", 400, "x-amz-checksum-md5", "AAAA"),
        write("put", 400, "x-amz-sdk-checksum-algorithm", "CRC32"),
        write("put", 400, "content-md5", "AAAAAAAAAAAAAAAAAAAAAA=="),
        write("put", 200, "if-match", "*"),
        write("put", 412, "if-none-match", "*"),
        write("put", 412, "if-match", "\"other\""),
        write("absent", 404, "if-match", "*"),
        write("put", 200, "x-amz-tagging", "a=1", "x-amz-meta-name", "value"),
        write("put", 400, "x-amz-tagging", "a=1&a=2"),
        write("put", 501, "x-amz-server-side-encryption", "aws:kms"),
        write("put", 200, "x-amz-server-side-encryption", "AES256"),
        write("put", 200, keyed("")),
        write("put", 200, keyed("", "x-amz-checksum-crc32", "CRC32")),
        write("put", 400, keyed("", "x-amz-server-side-encryption", "AES256")),
        write("put", 400, "x-amz-server-side-encryption-customer-algorithm", "AES256"),
        write("theirs?partNumber=1&uploadId=THEIRS", 200, keyed("")),
        write("theirs?partNumber=1&uploadId=THEIRS", 400, keyed("other")),
        write("theirs?partNumber=1&uploadId=THEIRS", 400),
        write("put", 400, "x-amz-storage-class", "FAST"),
        write("../none/none", 404),
        write("../versions/put", 200),
        write("../policed/open", 200),
        write("../policed/closed", 403),
        write("target?partNumber=1&uploadId=ID", 200),
        write("target?partNumber=2&uploadId=ID", 200, "x-amz-checksum-crc32", "CRC32"),
        write("target?partNumber=3&uploadId=ID", 400, "x-amz-checksum-crc32", "AAAAAA=="),
        write("target?partNumber=4&uploadId=ID", 400, "x-amz-checksum-crc32c", "AAAAAA=="),
        write("target?partNumber=5&uploadId=none", 404),
        write("target?partNumber=0&uploadId=ID", 400),
        write("target?partNumber=10001&uploadId=ID", 400));
  }

  private static Arguments write(String target, int status, String... headers) {
    return Arguments.of(target, status, List.of(headers));
  }

  /** With a customer's key, which is made from a text. */
  static String[] keyed(String seed, String... others) {
    byte[] key = Arrays.copyOf(seed.getBytes(StandardCharsets.US_ASCII), 32);
    String[] all = Arrays.copyOf(others, others.length + 6);
    String prefix = "x-amz-server-side-encryption-customer-";
    String[] names = {"algorithm", "key", "key-MD5"};
    String[] values = {"AES256", Base64.getEncoder().encodeToString(key), md5(key)};
    for (int i = 0; i < names.length; i++) {
      all[others.length + 2 * i] = prefix + names[i];
      all[others.length + 2 * i + 1] = values[i];
    }
    return all;
  }

  static byte[] content(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  static String crc32(byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    int value = (int) crc.getValue();
    byte[] octets = ByteBuffer.allocate(4).putInt(value).array();
    return Base64.getEncoder().encodeToString(octets);
  }

  static String md5(byte[] content) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
