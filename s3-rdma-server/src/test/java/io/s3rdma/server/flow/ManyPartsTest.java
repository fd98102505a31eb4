package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.http.Access;
import io.s3rdma.server.http.CancelSignal;
import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.Hasher;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.Identity;
import io.s3rdma.server.http.RequestBody;
import io.s3rdma.server.http.RequestHead;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.PartMeta;
import io.s3rdma.server.store.PartWriter;
import io.s3rdma.server.store.StoreConfig;
import io.s3rdma.server.store.StoredObject;
import io.s3rdma.server.store.UploadMeta;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upload of as many parts as there may be; small ones, so the minimum is left out. */
class ManyPartsTest {
  private static final int PARTS = 10_000;

  @TempDir Path directory;

  @Test
  void shouldCompleteWhenPartsAreTenThousand() throws IOException {
    StoreConfig config =
        new StoreConfig(directory, StoreConfig.Durability.NONE, 0, 0, 0, Map.of(), 0, 1 << 30);
    try (LocalStore store = new LocalStore(config)) {
      store.createBucket("bucket", "owner");
      UploadMeta created =
          store.createUpload(
              NewObject.of("bucket", "key"),
              "owner",
              "CRC32",
              ChecksumType.FULL_OBJECT,
              Protection.NONE);
      Hasher whole = ChecksumAlgorithm.CRC32.newHasher();
      StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
      for (int number = 1; number <= PARTS; number++) {
        byte[] content = ("part " + number).getBytes(StandardCharsets.US_ASCII);
        whole.update(ByteBuffer.wrap(content));
        PartMeta part = upload(store, created, number, content);
        document.append(
            "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>"
                .formatted(number, part.etag()));
      }
      document.append("</CompleteMultipartUpload>");

      S3Response answer =
          new MultipartFlow(store, new Encryption(store, false), 1)
              .complete(request(created.id(), document.toString()));

      assertThat(answer.status()).isEqualTo(200);
      ObjectMeta made = store.head("bucket", "key").orElseThrow();
      assertThat(made.partCount()).isEqualTo(PARTS);
      assertThat(made.checksums())
          .containsEntry(
              "x-amz-checksum-crc32", Base64.getEncoder().encodeToString(whole.finish()));
      ByteBuffer last = ByteBuffer.allocate(10);
      try (StoredObject object = store.open("bucket", "key")) {
        object.read(made.size() - 10, last);
      }
      assertThat(new String(last.array(), StandardCharsets.US_ASCII)).isEqualTo("part 10000");
    }
  }

  private static PartMeta upload(LocalStore store, UploadMeta to, int number, byte[] content)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    Hasher hasher = ChecksumAlgorithm.CRC32.newHasher();
    hasher.update(bytes.duplicate());
    String sum = Base64.getEncoder().encodeToString(hasher.finish());
    try (PartWriter writer =
        store.createPart(to, number, content.length, EtagKind.MD5, Optional.empty())) {
      writer.write(bytes);
      return writer.commit(Map.of("x-amz-checksum-crc32", sum));
    }
  }

  private static S3Request request(String id, String document) {
    byte[] body = document.getBytes(StandardCharsets.US_ASCII);
    RequestHead head =
        RequestHead.of(
            "POST",
            "/bucket/key?uploadId=" + id,
            Headers.of("host", "a", "content-length", Integer.toString(body.length)),
            InetAddress.getLoopbackAddress(),
            "REQUEST1");
    return new S3Request(
        head,
        "bucket",
        "key",
        Access.of(new Identity("KEY", Set.of())),
        RequestBody.of(body),
        new CancelSignal());
  }
}
