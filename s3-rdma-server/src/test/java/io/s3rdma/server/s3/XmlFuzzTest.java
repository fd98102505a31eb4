package io.s3rdma.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import io.s3rdma.server.document.AclDocument;
import io.s3rdma.server.document.CannedAcl;
import io.s3rdma.server.document.CorsRules;
import io.s3rdma.server.document.DeleteDocument;
import io.s3rdma.server.document.LifecycleDocument;
import io.s3rdma.server.document.Tags;
import io.s3rdma.server.document.VersioningDocument;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
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
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
    "<!DOCTYPE d [\u0000]>",
    "<!DOCTYPE d [",
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
            document -> assertThat(Tags.ofDocument(document, 10)).hasSizeLessThan(11)),
        new Reader(
            "cors",
            "<CORSConfiguration><CORSRule><ID>a</ID><AllowedOrigin>*.b</AllowedOrigin>"
                + "<AllowedMethod>GET</AllowedMethod><AllowedHeader>x-*</AllowedHeader>"
                + "<ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>9</MaxAgeSeconds></CORSRule>"
                + "</CORSConfiguration>",
            document -> requireKept(CorsRules::toKeep, document)),
        new Reader(
            "lifecycle",
            "<LifecycleConfiguration><Rule><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key>"
                + "<Value>v</Value></Tag><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>"
                + "<Status>Enabled</Status><Expiration><Days>1</Days></Expiration>"
                + "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>"
                + "<NewerNoncurrentVersions>2</NewerNoncurrentVersions>"
                + "</NoncurrentVersionExpiration></Rule><Rule><ID>b</ID><Prefix/>"
                + "<Status>Disabled</Status><Expiration><Date>2030-01-01T00:00:00Z</Date>"
                + "</Expiration><AbortIncompleteMultipartUpload><DaysAfterInitiation>1"
                + "</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>"
                + "</LifecycleConfiguration>",
            document -> requireKept(LifecycleDocument::toKeep, document)),
        new Reader(
            "versioning",
            "<VersioningConfiguration><Status>Enabled</Status><MfaDelete>Disabled</MfaDelete>"
                + "</VersioningConfiguration>",
            VersioningDocument::parse),
        new Reader(
            "acl",
            AclDocument.toDocument(CannedAcl.PUBLIC_READ_WRITE, "me", "Me"),
            document -> AclDocument.parse(document, "me")));
  }

  /** What the store keeps must be readable later, and mean the same. */
  private static void requireKept(Function<byte[], String> toKeep, byte[] document) {
    String kept = toKeep.apply(document);
    assertThat(toKeep.apply(kept.getBytes(StandardCharsets.UTF_8))).isEqualTo(kept);
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
          List<DeleteDocument.Item> items = new ArrayList<>();
          StringBuilder xml = new StringBuilder("<Delete>");
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String key = "k" + Fuzz.text(random, 20);
            items.add(new DeleteDocument.Item(key, "", ""));
            String escaped = key.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            xml.append("<Object><Key>").append(escaped).append("</Key></Object>");
          }
          boolean quiet = random.nextBoolean();
          xml.append("<Quiet>").append(quiet).append("</Quiet></Delete>");
          byte[] document = xml.toString().getBytes(StandardCharsets.UTF_8);
          assertThat(DeleteDocument.parse(document)).isEqualTo(new DeleteDocument(items, quiet));
        });
  }
}
