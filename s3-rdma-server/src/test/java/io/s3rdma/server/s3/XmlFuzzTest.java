package io.s3rdma.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents of clients: only {@link S3Exception} escapes, entities do nothing, nothing hangs. */
class XmlFuzzTest {
  private static final int ROUNDS = 6_000;
  private static final String ENTITIES =
      "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY f SYSTEM"
          + " \"file:///etc/passwd\">]>";
  private static final String[] WORDS = {
    "<",
    ">",
    "</",
    "/>",
    "&",
    "&amp;",
    "&#0;",
    "&#x41;",
    "&#xD800;",
    "&b;",
    "&f;",
    "&lt;",
    "]]>",
    "<![CDATA[",
    "<!--",
    "-->",
    "<?xml version=\"1.1\"?>",
    "<?xml encoding=\"UTF-16\"?>",
    "<?pi ?>",
    ENTITIES,
    "xmlns=\"u\"",
    " a=\"b\" a=\"c\"",
    "<Delete>",
    "<Key>",
    "</Key>",
    "\u0000",
    "\u00ff",
    "<a>".repeat(2000),
    "x".repeat(5000),
    "<Quiet>true</Quiet>",
    "<VersionId>"
  };

  /** A reader of a document, with one that it accepts. A new reader needs a line here. */
  record Reader(String name, String good, Consumer<byte[]> parse) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Reader> readers() {
    return List.of(
        new Reader(
            "delete",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Delete"
                + " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Object><Key>a&amp;b</Key>"
                + "</Object><Object><Key>c</Key><VersionId>null</VersionId></Object>"
                + "<Quiet>true</Quiet></Delete>",
            DeleteDocument::parse),
        new Reader(
            "tagging",
            "<Tagging><TagSet><Tag><Key>a&#x2B;b</Key><Value>1</Value></Tag><Tag><Key>c</Key>"
                + "<Value/></Tag></TagSet></Tagging>",
            document -> assertThat(Tags.ofDocument(document, 10)).hasSizeLessThan(11)));
  }

  @ParameterizedTest
  @MethodSource("readers")
  void shouldThrowOnlyS3ExceptionWhenDocumentIsMutated(Reader reader) {
    reader.parse().accept(reader.good().getBytes(StandardCharsets.UTF_8));
    Fuzz.run(
        "xml-" + reader,
        ROUNDS,
        random -> {
          String text = Fuzz.mutate(random, reader.good(), WORDS);
          // Octets that are no UTF-8 as well.
          boolean broken = random.nextInt(4) == 0;
          byte[] document =
              text.getBytes(broken ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
          try {
            reader.parse().accept(document);
          } catch (S3Exception e) {
            assertThat(e.code().status()).isIn(400, 501);
          }
        });
  }

  @Test
  void shouldGiveTheKeysBackWhenDeleteIsValid() {
    Fuzz.run(
        "xml-valid",
        ROUNDS,
        random -> {
          List<String> keys = new ArrayList<>();
          StringBuilder xml = new StringBuilder("<Delete>");
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String key = "k" + Fuzz.text(random, 20);
            keys.add(key);
            String escaped = key.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            xml.append("<Object><Key>").append(escaped).append("</Key></Object>");
          }
          boolean quiet = random.nextBoolean();
          xml.append("<Quiet>").append(quiet).append("</Quiet></Delete>");
          byte[] document = xml.toString().getBytes(StandardCharsets.UTF_8);
          assertThat(DeleteDocument.parse(document)).isEqualTo(new DeleteDocument(keys, quiet));
        });
  }
}
