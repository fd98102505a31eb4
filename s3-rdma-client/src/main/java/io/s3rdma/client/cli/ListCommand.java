package io.s3rdma.client.cli;

import io.s3rdma.client.S3RdmaClient;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

@Command(
    name = "ls",
    description = "Lists buckets, or the objects of one.",
    footerHeading = "%nExamples:%n",
    footer = {"  s3rdma ls", "  s3rdma ls s3://models/", "  s3rdma ls -r --json s3://models/2026"})
final class ListCommand extends ClientCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "s3://BUCKET/PREFIX",
      converter = S3Uri.Any.class,
      description = "else the buckets")
  private S3Uri prefix;

  @Option(
      names = {"-r", "--recursive"},
      description = "also what lies below the next /")
  private boolean recursive;

  @Override
  int run(S3RdmaClient client) {
    if (prefix == null) {
      client.s3().listBuckets().buckets().forEach(this::printBucket);
    } else {
      client
          .s3()
          .listObjectsV2Paginator(
              b -> b.bucket(prefix.bucket()).prefix(prefix.key()).delimiter(recursive ? null : "/"))
          .forEach(this::printPage);
    }
    return ExitCode.OK;
  }

  private void printBucket(Bucket bucket) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bucket", bucket.name());
    json.put("created", String.valueOf(bucket.creationDate()));
    print("%-24s  s3://%s".formatted(bucket.creationDate(), bucket.name()), json);
  }

  private void printPage(ListObjectsV2Response page) {
    for (CommonPrefix folder : page.commonPrefixes()) {
      S3Uri uri = new S3Uri(prefix.bucket(), folder.prefix());
      print(
          "%-24s %16s  %s".formatted("", "-", uri),
          Map.of("bucket", prefix.bucket(), "prefix", folder.prefix()));
    }
    for (S3Object object : page.contents()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("bucket", prefix.bucket());
      json.put("key", object.key());
      json.put("bytes", object.size());
      json.put("modified", String.valueOf(object.lastModified()));
      json.put("etag", object.eTag());
      S3Uri uri = new S3Uri(prefix.bucket(), object.key());
      print(
          "%-24s %16s  %s".formatted(object.lastModified(), Figures.grouped(object.size()), uri),
          json);
    }
  }
}
