package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlElementTest {
  private static final String NAMESPACE = "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

  @Test
  void shouldReadTreeWhenDocumentIsPlain() {
    XmlElement root =
        parse(
            "<?xml version='1.0' encoding='UTF-8'?>\n<R "
                + NAMESPACE
                + ">\n <!-- c -->"
                + "<A> x &lt;&#xA;</A><B><![CDATA[<b>]]></B><A>é</A><N>-12</N><F>true</F></R>\n");

    assertThat(root.all("A")).extracting(XmlElement::text).containsExactly(" x <\n", "é");
    assertThat(root.text("B")).isEqualTo("<b>");
    assertThat(root.required("N").number()).isEqualTo(-12);
    assertThat(root.flag("F")).isTrue();
    assertThat(root.flag("G")).isFalse();
    assertThat(root.optional("G")).isEmpty();
    assertThatThrownBy(() -> root.optional("A")).isInstanceOf(S3Exception.class);
    assertThatThrownBy(() -> root.allow("A", "B", "N")).hasMessageContaining("element F");
  }

  @Test
  void shouldReadWhenByteOrderMarkIsThere() {
    assertThat(parse("\ufeff<?xml version='1.0' encoding='utf-8'?><R><A>é</A></R>").text("A"))
        .isEqualTo("é");
  }

  @Test
  void shouldRefuseWhenOctetsAreNoUtf8() {
    byte[] latin = "<R><A>é</A></R>".getBytes(StandardCharsets.ISO_8859_1);

    assertThatThrownBy(() -> XmlElement.parse(latin, "R")).hasMessageContaining("not UTF-8");
  }

  @Test
  void shouldKnowTypeWhenGranteeHasOne() {
    XmlElement root =
        parse("<R><G xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='Group'/></R>");

    assertThat(root.required("G").type()).isEqualTo("Group");
    assertThat(root.type()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "no xml",
        "<R>",
        "<R></S>",
        "<R/><R/>",
        "<Other/>",
        "<R a='1'/>",
        "<R xmlns='http://example.com/'/>",
        "<R>text<A/></R>",
        "<R><?php echo?></R>",
        "<R>&undefined;</R>",
        "<R>&#0;</R>",
        "<!DOCTYPE R><R/>",
        "<!DOCTYPE R [\u0000]><R/>", // the JDK's parser throws MissingResourceException
        "<?xml version='1.0' encoding='ISO-8859-1'?><R/>",
        "<?xml version='1.0' encoding='UTF-16'?><R/>",
        "<!DOCTYPE R [<!ENTITY a 'b'>]><R>&a;</R>",
        "<!DOCTYPE R [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><R>&a;</R>",
        "<!DOCTYPE R SYSTEM 'http://127.0.0.1:1/r.dtd'><R/>",
        "<R><A><A><A><A><A><A><A><A></A></A></A></A></A></A></A></A></R>"
      })
  void shouldRefuseWhenDocumentIsNotWhatIsAllowed(String document) {
    assertThatThrownBy(() -> parse(document))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3ErrorCode.MALFORMED_XML));
  }

  /** A thousand million laughs if the entities were expanded. */
  @Test
  void shouldRefuseWhenEntitiesAreNested() {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE R [<!ENTITY a0 'ha'>");
    for (int i = 1; i < 10; i++) {
      bomb.append("<!ENTITY a%d '%s'>".formatted(i, ("&a" + (i - 1) + ";").repeat(10)));
    }

    assertThatThrownBy(() -> parse(bomb + "]><R>&a9;</R>")).isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldRefuseWhenThereAreTooManyElements() {
    assertThatThrownBy(() -> parse("<R>" + "<A/>".repeat(100_000) + "</R>"))
        .isInstanceOf(S3Exception.class);
    assertThat(parse("<R>" + "<A/>".repeat(99_999) + "</R>").all("A")).hasSize(99_999);
  }

  private static XmlElement parse(String document) {
    return XmlElement.parse(document.getBytes(StandardCharsets.UTF_8), "R");
  }
}
