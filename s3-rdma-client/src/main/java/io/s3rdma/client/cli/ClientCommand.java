package io.s3rdma.client.cli;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.S3RdmaClientBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that talks to a server. Subclasses do one thing each. */
abstract class ClientCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;
  @Mixin private ConnectionOptions connection;

  @Override
  public final Integer call() throws IOException {
    try (S3RdmaClient client = connection.open(this::configure)) {
      return run(client);
    }
  }

  /** Sets what the command's own options say. */
  void configure(S3RdmaClientBuilder builder) {}

  /** Does it and returns the exit code. */
  abstract int run(S3RdmaClient client) throws IOException;

  final URI endpoint() {
    return connection.endpoint();
  }

  final RdmaPolicy policy() {
    return connection.policy();
  }

  final void print(String text, Map<String, ?> object) {
    output.print(spec.commandLine().getOut(), text, object);
  }

  /** Tells a result where standard output is the object's. */
  final void printAside(String text, Map<String, ?> object) {
    output.print(err(), text, object);
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
