package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class XmlTest {
  @Test
  void shouldEscapeWhenTextHasMarkup() {
    assertThat(document("a<b>&\"c")).contains("<K>a&lt;b&gt;&amp;&quot;c</K>");
  }

  @Test
  void shouldWriteReferenceWhenXmlCannotCarryTheCharacter() {
    assertThat(document("a\u0001b\r\uFFFE")).contains("<K>a&#x1;b&#xd;&#xfffe;</K>");
  }

  @Test
  void shouldKeepWhenTextIsPlain() {
    assertThat(document("ü 漢 😀\t\n")).contains("<K>ü 漢 😀\t\n</K>");
  }

  @Test
  void shouldReplaceWhenSurrogateIsAlone() {
    assertThat(document("\uD800")).contains("<K>\uFFFD</K>");
  }

  @Test
  void shouldCloseWhatIsOpenWhenFinished() {
    assertThat(Xml.document("A").start("B").text("C", 1).finish())
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<A xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><B><C>1</C></B></A>");
  }

  private static String document(String value) {
    return Xml.plainDocument("R").text("K", value).finish();
  }
}
