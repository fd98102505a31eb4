package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletedPartsTest {
  @Test
  void shouldReadPartsWhenNumbersHaveGaps() {
    List<CompletedParts.Part> parts =
        parse(
            """
            <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Part><ETag>&quot;one&quot;</ETag><PartNumber>1</PartNumber></Part>
              <Part><PartNumber> 7 </PartNumber><ETag>two</ETag>
                <ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>
            </CompleteMultipartUpload>
            """);

    assertThat(parts)
        .containsExactly(
            new CompletedParts.Part(1, "one", Map.of()),
            new CompletedParts.Part(7, "two", Map.of("x-amz-checksum-crc32", "AAAAAA==")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | MALFORMED_XML",
        "<CompleteMultipartUpload/> | MALFORMED_XML",
        "<Other/> | MALFORMED_XML",
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part> | MALFORMED_XML",
        "[<Part><PartNumber>1</PartNumber></Part>] | MALFORMED_XML",
        "[<Part><ETag>a</ETag></Part>] | MALFORMED_XML",
        "[<Part><ETag>a</ETag><PartNumber>x</PartNumber></Part>] | MALFORMED_XML",
        "[<Part><ETag>a</ETag><PartNumber>1</PartNumber><More/></Part>] | MALFORMED_XML",
        "[<Part><ETag>a</ETag><PartNumber>0</PartNumber></Part>] | INVALID_ARGUMENT",
        "[<Part><ETag>a</ETag><PartNumber>10001</PartNumber></Part>] | INVALID_ARGUMENT",
        "[<Part><ETag>a</ETag><PartNumber>1</PartNumber><ChecksumSHA512>a</ChecksumSHA512></Part>]"
            + " | INVALID_REQUEST",
        "[<Part><ETag>a</ETag><PartNumber>2</PartNumber></Part>"
            + "<Part><ETag>a</ETag><PartNumber>1</PartNumber></Part>] | INVALID_PART_ORDER",
        "[<Part><ETag>a</ETag><PartNumber>2</PartNumber></Part>"
            + "<Part><ETag>a</ETag><PartNumber>3</PartNumber></Part>"
            + "<Part><ETag>a</ETag><PartNumber>2</PartNumber></Part>] | INVALID_PART_ORDER",
      })
  void shouldRefuseWhenDocumentIsWrong(String document, S3ErrorCode code) {
    String full =
        document
            .replace("[", "<CompleteMultipartUpload>")
            .replace("]", "</CompleteMultipartUpload>");

    assertThatThrownBy(() -> parse(full))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void shouldTakeLastWhenPartIsListedTwice() {
    List<CompletedParts.Part> parts =
        parse(
            """
            <CompleteMultipartUpload>
              <Part><ETag>a</ETag><PartNumber>1</PartNumber></Part>
              <Part><ETag>b</ETag><PartNumber>1</PartNumber></Part>
              <Part><ETag>c</ETag><PartNumber>2</PartNumber></Part>
            </CompleteMultipartUpload>
            """);

    assertThat(parts).extracting(CompletedParts.Part::etag).containsExactly("b", "c");
  }

  @Test
  void shouldReadAllWhenPartsAreTenThousand() {
    StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 1; i <= 10_000; i++) {
      document.append(
          "<Part><ETag>e</ETag><PartNumber>%d</PartNumber><ChecksumSHA256>s</ChecksumSHA256></Part>"
              .formatted(i));
    }

    assertThat(parse(document.append("</CompleteMultipartUpload>").toString())).hasSize(10_000);
  }

  private static List<CompletedParts.Part> parse(String document) {
    return CompletedParts.parse(document.getBytes(StandardCharsets.UTF_8));
  }
}
