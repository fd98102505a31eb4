package io.s3rdma.client.cli;

import io.s3rdma.client.S3RdmaClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

@Command(name = "stat", description = "Tells an object's size, time, ETag and metadata.")
final class StatCommand extends ClientCommand {
  @Parameters(
      paramLabel = "s3://BUCKET/KEY",
      converter = S3Uri.OfObject.class,
      description = "the object")
  private S3Uri object;

  @Override
  int run(S3RdmaClient client) {
    HeadObjectResponse head =
        client.s3().headObject(b -> b.bucket(object.bucket()).key(object.key()));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bucket", object.bucket());
    json.put("key", object.key());
    json.put("bytes", head.contentLength());
    json.put("modified", String.valueOf(head.lastModified()));
    json.put("etag", head.eTag());
    json.put("contentType", head.contentType());
    json.put("metadata", head.metadata());
    String text =
        json.entrySet().stream()
            .map(e -> "%-12s %s".formatted(e.getKey(), e.getValue()))
            .collect(Collectors.joining(System.lineSeparator()));
    print(text, json);
    return ExitCode.OK;
  }
}
