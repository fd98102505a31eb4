package io.s3rdma.client.cli;

import io.s3rdma.client.S3RdmaClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "mb", description = "Makes a bucket.")
final class MakeBucketCommand extends ClientCommand {
  @Parameters(
      paramLabel = "s3://BUCKET",
      converter = S3Uri.OfBucket.class,
      description = "the bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
  private S3Uri bucket;

  @Override
  int run(S3RdmaClient client) {
    client.s3().createBucket(b -> b.bucket(bucket.bucket()));
    print("made " + bucket, Map.of("command", "mb", "bucket", bucket.bucket()));
    return ExitCode.OK;
  }
}
