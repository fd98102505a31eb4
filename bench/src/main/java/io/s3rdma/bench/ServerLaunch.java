package io.s3rdma.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How an s3rdma server is started; immutable.
 *
 * @param host address to listen on, at any free port
 * @param data folder of its objects
 * @param log file that its messages go to
 * @param jvm options of its JVM
 * @param main class to run
 * @param settings keys of reference.conf without the root
 */
record ServerLaunch(
    String host, Path data, Path log, List<String> jvm, String main, Map<String, Object> settings) {
  static final String MAIN = "io.s3rdma.server.Main";

  ServerLaunch {
    jvm = List.copyOf(jvm);
    settings = Map.copyOf(settings);
  }
}
