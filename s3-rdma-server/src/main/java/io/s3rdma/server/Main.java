package io.s3rdma.server;

import com.typesafe.config.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The server as a command. */
@Command(
    name = "s3rdma-server",
    sortOptions = false,
    description = {
      "S3 server whose GET and PUT can move their bytes by RDMA; plain HTTP always works.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped after SIGTERM or SIGINT, or --help or --print-config",
      "1:could not start: the port, the data directory or the RDMA device; see the message",
      "2:the command line or the configuration is wrong; see the message"
    },
    footerHeading = "%nTry it:%n",
    footer = {
      "  s3rdma-server --data /tmp/s3 --listen 127.0.0.1:9000 \\",
      "      --access-key test --secret-key testsecret",
      "  AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testsecret AWS_REGION=us-east-1 \\",
      "      aws --endpoint-url http://127.0.0.1:9000 s3 mb s3://first",
      "  curl http://127.0.0.1:9000/-/health",
      "",
      "Every key of --print-config can stand in the file, as system property (s3rdma.http.port)",
      "or in the environment (S3RDMA_HTTP_PORT). The command line wins, then property,",
      "environment, file, default."
    })
public final class Main implements Callable<Integer> {
  private static final int CANNOT_START = 1;
  private static final int WRONG_CONFIGURATION = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this and end")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(names = "--config", paramLabel = "FILE", description = "HOCON file with s3rdma { ... }")
  private Path file;

  @Option(names = "--data", paramLabel = "DIR", description = "where objects live")
  private String data;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "where to listen; port 0 takes any free one and prints it")
  private String listen;

  @Option(
      names = "--access-key",
      paramLabel = "ID",
      description = "with --secret-key: who may sign; better S3RDMA_ACCESS_KEY")
  private String accessKey;

  @Option(
      names = "--secret-key",
      paramLabel = "SECRET",
      description = "others see it in the process list; better S3RDMA_SECRET_KEY")
  private String secretKey;

  @Option(names = "--print-config", description = "print the concluded configuration and end")
  private boolean printConfig;

  private Main() {}

  public static void main(String[] args) {
    System.exit(command().execute(args));
  }

  static CommandLine command() {
    return new CommandLine(new Main());
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ServerConfig config;
    try {
      Config loaded = new ConfigLoader().load(file, commandLine());
      if (printConfig) {
        out.print(ConfigLoader.render(loaded));
        out.flush();
        return 0;
      }
      config = ConfigLoader.conclude(loaded);
    } catch (ConfigException e) {
      return fail(WRONG_CONFIGURATION, e.getMessage());
    }
    try {
      Logging.configure(config.log());
      return run(Server.start(config), out);
    } catch (IOException e) {
      return fail(CANNOT_START, e.getMessage());
    }
  }

  private static int run(Server server, PrintWriter out) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    Thread stopper = new Thread(() -> stop(server, stopped), "s3-stop");
    Runtime.getRuntime().addShutdownHook(stopper);
    server.endpoints().forEach(uri -> out.println("s3rdma server listening on " + uri));
    out.flush();
    stopped.await();
    return 0;
  }

  private static void stop(Server server, CountDownLatch stopped) {
    Logger log = LoggerFactory.getLogger(Main.class);
    try {
      server.close();
    } catch (IOException e) {
      log.error("stop: {}", e.toString());
    } finally {
      Logging.stop();
      stopped.countDown();
    }
  }

  private Map<String, Object> commandLine() {
    Map<String, Object> values = new HashMap<>();
    if (data != null) {
      values.put("store.directory", data);
    }
    if (listen != null) {
      int colon = listen.lastIndexOf(':');
      if (colon < 1 || !listen.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw new ConfigException("--listen " + listen + " is not HOST:PORT");
      }
      values.put("http.host", listen.substring(0, colon).replaceAll("[\\[\\]]", ""));
      values.put("http.port", Integer.parseInt(listen.substring(colon + 1)));
    }
    if ((accessKey == null) != (secretKey == null)) {
      throw new ConfigException("--access-key and --secret-key belong together");
    }
    if (accessKey != null) {
      values.put("auth.credentials", Map.of(accessKey, secretKey));
    }
    return values;
  }

  private int fail(int code, String message) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("s3rdma-server: " + message);
    err.flush();
    return code;
  }
}
