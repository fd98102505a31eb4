package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Forms of anybody: only {@link S3Exception} escapes, nothing hangs, and what is right stays. */
class FormFuzzTest {
  private static final int ROUNDS = 3_000;
  private static final String KEY = "AKIDTEST";
  private static final String SECRET = "secret/of+the=test";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String LATER = "2026-01-02T04:00:00Z";
  private static final String CONDITIONS =
      "{\"bucket\":\"b\"},[\"starts-with\",\"$key\",\"user/\"],{\"acl\":\"private\"},"
          + "[\"content-length-range\",1,1000]";
  private static final Credentials CREDENTIALS = new Credentials(Map.of(KEY, SECRET));
  private static final FormSignature SIGNATURES =
      new FormSignature(
          CREDENTIALS, new SigV4(CREDENTIALS, "us-east-1", Clock.fixed(NOW, ZoneOffset.UTC)), true);
  private static final String[] FORM_WORDS = {
    "\r\n",
    "\n",
    "\r",
    "--",
    "--" + TestForm.BOUNDARY,
    "\r\n--" + TestForm.BOUNDARY + "\r\n",
    "\r\n--" + TestForm.BOUNDARY + "--",
    "\r\n\r\n",
    "Content-Disposition: form-data; name=\"file\"",
    "Content-Transfer-Encoding: base64\r\n",
    "name=",
    "\"",
    "\\\"",
    ";",
    "\u0000",
    "\u00ff",
    "${filename}",
    "x".repeat(40_000)
  };
  private static final String[] POLICY_WORDS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\u0000",
    "\\ud800",
    "null",
    "-1",
    "1e999",
    "99999999999999999999",
    "$",
    "\"eq\"",
    "\"content-length-range\"",
    "\"expiration\"",
    "[".repeat(2000),
    "\u00ff"
  };

  @Test
  void shouldGiveBackWhatWasSentWhenFormIsAny() {
    Fuzz.run(
        "form",
        ROUNDS,
        random -> {
          Map<String, String> fields = new LinkedHashMap<>();
          TestForm form = new TestForm();
          for (int i = random.nextInt(6); i >= 0; i--) {
            fields.put("field-" + i, withoutFileName(Fuzz.text(random, 60)));
          }
          fields.forEach(form::field);
          String content = bytes(random);
          form.file("a/b\\c.txt", content).field("after", "ignored");

          Form read = read(form.body(), random);

          fields.forEach((name, value) -> assertThat(read.fields().first(name)).hasValue(value));
          assertThat(read.fields().contains("after")).isFalse();
          assertThat(content(read, random)).isEqualTo(content);
        });
  }

  @Test
  void shouldThrowOnlyS3ExceptionWhenFormIsMutated() {
    String good =
        new TestForm()
            .field("key", "user/${filename}")
            .field("acl", "private")
            .field("x-amz-meta-a", "b")
            .file("name.txt", "content")
            .body();
    Fuzz.run(
        "mutated form",
        ROUNDS,
        random -> {
          try {
            Form form = read(Fuzz.mutate(random, good, FORM_WORDS), random);
            Headers headers = FormHeaders.put(head(-1), "b", form.fields(), tags -> tags).headers();
            headers.forEach(
                (name, value) -> assertThat(name + value).doesNotContain("\r", "\n", "\u0000"));
            content(form, random);
          } catch (S3Exception e) {
            assertThat(e.code().status()).isBetween(400, 501);
          }
        });
  }

  @Test
  void shouldThrowOnlyS3ExceptionWhenPolicyIsMutated() {
    String good = "{\"expiration\":\"" + LATER + "\",\"conditions\":[" + CONDITIONS + "]}";
    Fuzz.run(
        "policy",
        ROUNDS,
        random -> {
          byte[] json =
              Fuzz.mutate(random, good, POLICY_WORDS).getBytes(StandardCharsets.ISO_8859_1);
          try {
            FormPolicy policy = FormPolicy.parse(Base64.getEncoder().encodeToString(json));
            policy.require(NOW, fields(Map.of("key", "user/a", "acl", "private")), "b");
            assertThat(policy.lengths().min()).isNotNegative();
          } catch (S3Exception e) {
            assertThat(e.code())
                .isIn(S3ErrorCode.INVALID_POLICY_DOCUMENT, S3ErrorCode.ACCESS_DENIED);
          }
        });
  }

  @Test
  void shouldVerifyOnlyWhatWasSignedWhenFieldIsMutated() {
    Fuzz.run(
        "signed form",
        ROUNDS,
        random -> {
          TestForm form = new TestForm();
          if (random.nextBoolean()) {
            form.signV4(KEY, SECRET, NOW, LATER, CONDITIONS);
          } else {
            form.signV2(KEY, SECRET, LATER, CONDITIONS);
          }
          Map<String, String> signed = new LinkedHashMap<>(form.signedFields());
          String name = Fuzz.one(random, signed.keySet().toArray(String[]::new));
          String good = signed.get(name);
          String changed = Fuzz.mutate(random, good, "", "/", "=", "AWS4-HMAC-SHA256");
          signed.put(name, changed);
          try {
            // The policy vouches for what the signature is not over.
            signed.put("key", "user/a");
            signed.put("acl", "private");
            FormFields fields = fields(signed);
            Identity identity = SIGNATURES.verify(fields);
            FormPolicy.parse(fields.required("policy")).require(NOW, fields, "b");
            assertThat(changed).isEqualTo(good);
            assertThat(identity.accessKey()).isEqualTo(KEY);
          } catch (S3Exception e) {
            assertThat(changed).isNotEqualTo(good);
            assertThat(e.code().status()).isIn(400, 403);
          }
        });
  }

  private static Form read(String body, SplittableRandom random) throws IOException {
    int step = 1 + random.nextInt(random.nextBoolean() ? 8 : 5000);
    return Form.read(head(body.length()), MultipartReaderTest.pieces(body, step, step));
  }

  private static RequestHead head(int length) {
    Headers headers = Headers.of("content-type", TestForm.contentType(), "host", "h");
    Headers all = length < 0 ? headers : headers.with("content-length", "" + length);
    return RequestHead.of("POST", "/b", all, null, "id");
  }

  private static String content(Form form, SplittableRandom random) throws IOException {
    FileBody body = FileBody.of(head(-1), form, LengthRange.ANY);
    StringBuilder content = new StringBuilder();
    ByteBuffer buffer = ByteBuffer.allocate(1 + random.nextInt(300));
    while (body.read(buffer) >= 0) {
      content.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1));
      buffer.clear();
    }
    return content.toString();
  }

  private static FormFields fields(Map<String, String> values) {
    FormFields.Builder fields = new FormFields.Builder(100);
    values.forEach(fields::add);
    return fields.build();
  }

  private static String withoutFileName(String text) {
    return text.replace("${", "$(");
  }

  /** Of what looks like the form's own framing more than anything else. */
  private static String bytes(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      String delimiter = "\r\n--" + TestForm.BOUNDARY;
      switch (random.nextInt(4)) {
        case 0 -> text.append(delimiter, 0, random.nextInt(delimiter.length()));
        case 1 -> text.append("\r\n");
        case 2 -> text.append("z".repeat(random.nextInt(3000)));
        default -> text.append((char) random.nextInt(256));
      }
    }
    return text.toString().replace(TestForm.BOUNDARY, "");
  }
}
