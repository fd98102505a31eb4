package io.s3rdma.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** nginx with the objects as plain files: sendfile, no log, no signature to check. */
final class Nginx {
  static final String NAME = "nginx";
  static final String PROGRAM = "nginx";

  private Nginx() {}

  static HttpPeer start(Path folder, Content content, Iterable<Long> sizes) throws IOException {
    Path files = Files.createDirectories(folder.resolve("files"));
    int port = HttpPeer.freePort();
    Map<Long, URI> urls = new LinkedHashMap<>();
    for (long size : sizes) {
      Files.write(files.resolve(Content.name(size)), content.of(size));
      urls.put(size, URI.create("http://" + HttpPeer.HOST + ":" + port + "/" + Content.name(size)));
    }
    Path configuration = folder.resolve("nginx.conf");
    Files.writeString(configuration, configuration(folder, files, port));
    Process process =
        HttpPeer.start(
            List.of(PROGRAM, "-p", folder.toString(), "-c", configuration.toString()),
            port,
            folder.resolve("nginx.log"));
    return new HttpPeer(NAME, process, urls);
  }

  /** The worker's user is the caller's, since the folder is readable to that one only. */
  private static String configuration(Path folder, Path files, int port) {
    String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
    return """
        %s
        daemon off;
        worker_processes auto;
        pid %s/nginx.pid;
        error_log stderr warn;
        events { worker_connections 4096; }
        http {
          access_log off;
          sendfile on;
          tcp_nopush on;
          keepalive_requests 1000000000;
          keepalive_timeout 3600s;
          client_body_temp_path %s/body;
          proxy_temp_path %s/proxy;
          fastcgi_temp_path %s/fastcgi;
          uwsgi_temp_path %s/uwsgi;
          scgi_temp_path %s/scgi;
          server { listen %s:%d; root %s; }
        }
        """
        .formatted(
            user, folder, folder, folder, folder, folder, folder, HttpPeer.HOST, port, files);
  }
}
