package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.document.DeleteDocument.Item;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.BucketMeta.Versioning;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Documents of deletes, versioning and ACLs. */
class SmallDocumentsTest {
  @Test
  void shouldReadItemsWhenDeleteNamesVersionsAndEtags() {
    DeleteDocument document =
        delete(
            "<Quiet>true</Quiet><Object><Key> a &amp; b\u00e9</Key></Object>"
                + "<Object><VersionId>null</VersionId><Key>b</Key><ETag>\"0a\"</ETag></Object>");

    assertThat(document.quiet()).isTrue();
    assertThat(document.items())
        .containsExactly(new Item(" a & b\u00e9", "", ""), new Item("b", "null", "0a"));
    assertThat(delete("<Object><Key>k</Key></Object>".repeat(1000)).items()).hasSize(1000);
  }

  @Test
  void shouldRefuseWhenDeleteIsWrong() {
    Function<String, Object> parse = SmallDocumentsTest::delete;
    refused(parse, "", S3ErrorCode.MALFORMED_XML);
    refused(parse, "<Object/>", S3ErrorCode.MALFORMED_XML);
    refused(parse, "<Object><Key/></Object>", S3ErrorCode.USER_KEY_MUST_BE_SPECIFIED);
    refused(parse, "<Object><Key>k</Key></Object>".repeat(1001), S3ErrorCode.MALFORMED_XML);
    refused(parse, "<Object><Key>k</Key></Object><Quiet>yes</Quiet>", S3ErrorCode.MALFORMED_XML);
    refused(parse, "<Object><Key>k</Key><Size>1</Size></Object>", S3ErrorCode.NOT_IMPLEMENTED);
    refused(parse, "<Object><Key>k</Key><Other/></Object>", S3ErrorCode.MALFORMED_XML);
  }

  @Test
  void shouldReadItselfWhenVersioningIsWritten() {
    for (Versioning versioning : new Versioning[] {Versioning.ENABLED, Versioning.SUSPENDED}) {
      String document = VersioningDocument.toDocument(versioning);
      assertThat(VersioningDocument.parse(document.getBytes(StandardCharsets.UTF_8)))
          .isEqualTo(versioning);
    }
    assertThat(VersioningDocument.toDocument(Versioning.OFF)).doesNotContain("Status");
  }

  @Test
  void shouldRefuseWhenVersioningIsWrong() {
    Function<String, Object> parse =
        content ->
            VersioningDocument.parse(
                ("<VersioningConfiguration>" + content + "</VersioningConfiguration>")
                    .getBytes(StandardCharsets.UTF_8));
    refused(parse, "", S3ErrorCode.ILLEGAL_VERSIONING_CONFIGURATION);
    refused(parse, "<Status>Off</Status>", S3ErrorCode.MALFORMED_XML);
    refused(
        parse,
        "<Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>",
        S3ErrorCode.NOT_IMPLEMENTED);
    assertThat(parse.apply("<Status>Enabled</Status><MfaDelete>Disabled</MfaDelete>"))
        .isEqualTo(Versioning.ENABLED);
  }

  @Test
  void shouldKnowListWhenGrantsAreThoseOfACannedOne() {
    for (CannedAcl acl : CannedAcl.values()) {
      String document = AclDocument.toDocument(acl, "me", "Me");
      assertThat(AclDocument.parse(document.getBytes(StandardCharsets.UTF_8), "me")).isEqualTo(acl);
    }
    assertThat(AclDocument.toDocument(CannedAcl.PUBLIC_READ_WRITE, "me", "Me"))
        .contains("AllUsers</URI></Grantee><Permission>READ<", "<Permission>WRITE<");
    assertThat(AclDocument.toDocument(CannedAcl.AUTHENTICATED_READ, "me", "Me"))
        .contains("AuthenticatedUsers</URI>");
  }

  @Test
  void shouldRefuseWhenGrantsHaveNoName() {
    String mine = AclDocument.toDocument(CannedAcl.PRIVATE, "me", "Me");
    refused(
        document -> AclDocument.parse(document.getBytes(StandardCharsets.UTF_8), "other"),
        mine,
        S3ErrorCode.NOT_IMPLEMENTED);
    refused(
        document -> AclDocument.parse(document.getBytes(StandardCharsets.UTF_8), "me"),
        mine.replace("FULL_CONTROL", "EVERYTHING"),
        S3ErrorCode.MALFORMED_XML);
  }

  private static DeleteDocument delete(String content) {
    return DeleteDocument.parse(
        ("<Delete>" + content + "</Delete>").getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(Function<String, Object> parse, String text, S3ErrorCode code) {
    assertThatThrownBy(() -> parse.apply(text))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
