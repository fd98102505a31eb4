package io.s3rdma.client.cli;

import io.s3rdma.client.RdmaRequiredException;
import io.s3rdma.rdma.RdmaException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * An exception as people see it: one line with the next step, and the exit code.
 *
 * @param message without the word "s3rdma" in front
 */
record Failure(int exitCode, String message) {
  private static final int FORBIDDEN = 403;
  private static final int NO_SUCH = 404;
  private static final int CONDITION_FAILED = 412;

  /**
   * @param command tells the endpoint where it has one
   */
  static Failure of(Throwable e, Object command) {
    String endpoint = command instanceof ClientCommand c ? c.endpoint().toString() : "the endpoint";
    return switch (e) {
      case UsageException usage -> new Failure(ExitCode.USAGE, line(usage.getMessage()));
      case RdmaRequiredException required ->
          new Failure(
              ExitCode.NO_RDMA,
              line(required.getMessage())
                  + "; next step: s3rdma doctor, or --rdma prefer to let HTTP carry it");
      case S3Exception s3 -> ofS3(s3);
      case SdkClientException sdk -> ofSdk(sdk, endpoint);
      case FileSystemException file -> failed(ofFile(file));
      case OutOfMemoryError _ ->
          failed("not enough memory; next step: a smaller --part-bytes, or java -Xmx");
      case RdmaException rdma -> failed(line(rdma.getMessage()) + "; next step: s3rdma doctor");
      default -> failed(text(e));
    };
  }

  private static Failure failed(String message) {
    return new Failure(ExitCode.FAILED, message);
  }

  private static Failure ofS3(S3Exception e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = Optional.ofNullable(details).map(AwsErrorDetails::errorCode).orElse("") + " ";
    String said =
        Optional.ofNullable(details)
            .map(AwsErrorDetails::errorMessage)
            .filter(m -> !m.isEmpty())
            .orElse("status " + e.statusCode());
    String answer = line("the server answered " + code.stripLeading() + "(" + said + ")");
    return switch (e.statusCode()) {
      case NO_SUCH ->
          new Failure(
              ExitCode.NOT_FOUND,
              code.startsWith("NoSuchBucket")
                  ? "no such bucket; next step: s3rdma ls shows those there are, s3rdma mb makes one"
                  : "no such object or bucket; next step: s3rdma ls, and s3rdma ls s3://BUCKET/, show those"
                      + " there are");
      case FORBIDDEN ->
          failed(answer + "; next step: check S3RDMA_ACCESS_KEY and S3RDMA_SECRET_KEY");
      case CONDITION_FAILED ->
          failed("the object was overwritten while it was read; next step: run it again");
      default -> failed(answer);
    };
  }

  private static Failure ofSdk(SdkClientException e, String endpoint) {
    if (has(e, ConnectException.class) || has(e, UnknownHostException.class)) {
      return failed(
          "no server answers at "
              + endpoint
              + "; next step: start one with s3rdma server, or set --endpoint or S3RDMA_ENDPOINT");
    }
    if (String.valueOf(e.getMessage()).contains("Unable to load credentials")) {
      return new Failure(
          ExitCode.USAGE, "no credentials; next step: set S3RDMA_ACCESS_KEY and S3RDMA_SECRET_KEY");
    }
    return failed(text(e) + " (server " + endpoint + ")");
  }

  private static boolean has(Throwable e, Class<?> type) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }

  private static String ofFile(FileSystemException e) {
    String what =
        switch (e) {
          case NoSuchFileException _ -> "no such file or folder";
          case AccessDeniedException _ -> "permission denied";
          case FileAlreadyExistsException _ -> "exists already";
          default -> String.valueOf(e.getReason());
        };
    return e.getFile() + ": " + what;
  }

  private static String text(Throwable e) {
    return e.getMessage() == null ? e.toString() : line(e.getMessage());
  }

  private static String line(String text) {
    return text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }
}
