package io.s3rdma.server.document;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads documents that the store kept, each once: by the text itself, so never stale. One that is
 * not valid any more, since the rules for it are stricter now, counts as what its kind says: mostly
 * as none, so that it does not fail the requests that only pass by. Thread-safe.
 */
final class KeptDocuments<T> {
  private static final Logger LOG = LoggerFactory.getLogger(KeptDocuments.class);
  private static final int DOCUMENTS_MAX = 1000;

  private final LoadingCache<String, T> read;

  KeptDocuments(Function<byte[], T> parser, T otherwise) {
    this.read =
        Caffeine.newBuilder()
            .maximumSize(DOCUMENTS_MAX)
            .build(text -> read(text, parser, otherwise));
  }

  T get(String text) {
    return read.get(text);
  }

  private static <T> T read(String text, Function<byte[], T> parser, T otherwise) {
    try {
      return parser.apply(text.getBytes(StandardCharsets.UTF_8));
    } catch (S3Exception e) {
      LOG.warn(
          "a kept document is not valid any more and counts as {}; put it again: {}",
          otherwise,
          text,
          e);
      return otherwise;
    }
  }
}
