package io.s3rdma.client.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines for JVMs like this one. */
final class JavaProcess {
  private static final String PROVIDER = "s3rdma.native.provider";

  private JavaProcess() {}

  static List<String> command(String classPath, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    if (System.getProperty(PROVIDER) != null) {
      command.add("-D" + PROVIDER + "=" + System.getProperty(PROVIDER));
    }
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return command;
  }
}
