package io.s3rdma.server.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** GET of health, metrics and transfers below {@link #PREFIX}, which can be no bucket's name. */
public final class AdminOperation implements Operation {
  public static final String PREFIX = "/-/";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdminConfig config;
  private final Metrics metrics;
  private final Supplier<? extends Map<String, ?>> health;
  private final Supplier<? extends List<?>> transfers;

  /** {@code health} and {@code transfers} give what Jackson can write. */
  public AdminOperation(
      AdminConfig config,
      Metrics metrics,
      Supplier<? extends Map<String, ?>> health,
      Supplier<? extends List<?>> transfers) {
    this.config = config;
    this.metrics = metrics;
    this.health = health;
    this.transfers = transfers;
  }

  @Override
  public boolean allowsAnonymous() {
    return true;
  }

  @Override
  public S3Response handle(S3Request request) throws IOException {
    boolean local = request.remote() != null && request.remote().isLoopbackAddress();
    if (request.accessKey() == null && !local && !config.allowRemote()) {
      throw new S3Exception(
          S3ErrorCode.ACCESS_DENIED, "sign the request, or set admin.allow-remote=true");
    }
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      throw new S3Exception(S3ErrorCode.METHOD_NOT_ALLOWED);
    }
    return switch (request.rawPath()) {
      case PREFIX + "health" -> json(health.get());
      case PREFIX + "transfers" -> json(transfers.get());
      case PREFIX + "metrics" -> answer(PrometheusTextFormatWriter.CONTENT_TYPE, metrics.text());
      default ->
          throw new S3Exception(S3ErrorCode.NO_SUCH_KEY, "see /-/health, metrics, transfers");
    };
  }

  private static S3Response json(Object value) throws IOException {
    return answer("application/json", JSON.writeValueAsBytes(value));
  }

  private static S3Response answer(String type, byte[] content) {
    return S3Response.of(200).withHeader(HttpNames.CONTENT_TYPE, type).withBytes(content);
  }
}
