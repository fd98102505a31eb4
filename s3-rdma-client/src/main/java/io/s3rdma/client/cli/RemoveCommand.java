package io.s3rdma.client.cli;

import io.s3rdma.client.S3RdmaClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "rm", description = "Removes an object, or a bucket that is empty.")
final class RemoveCommand extends ClientCommand {
  @Parameters(
      paramLabel = "s3://BUCKET/KEY",
      converter = S3Uri.Any.class,
      description = "the object, or s3://BUCKET")
  private S3Uri target;

  @Override
  int run(S3RdmaClient client) {
    if (target.isBucket()) {
      client.s3().deleteBucket(b -> b.bucket(target.bucket()));
    } else {
      // S3 removes what is not there without a word; a typing error should be noticed.
      client.s3().headObject(b -> b.bucket(target.bucket()).key(target.key()));
      client.s3().deleteObject(b -> b.bucket(target.bucket()).key(target.key()));
    }
    print(
        "removed " + target,
        Map.of("command", "rm", "bucket", target.bucket(), "key", target.key()));
    return ExitCode.OK;
  }
}
