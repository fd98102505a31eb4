package io.s3rdma.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What every comparison is asked the same way, and how it ends. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured; with --check: and every bar is met",
      "1:something did not work, or a program is missing; see the message",
      "2:the command line is wrong",
      "3:with --check: a bar is not met"
    })
final class RunOptions {
  private static final int NOT_MET = 3;

  /** One round; it throws if something was not what was to be measured. */
  @FunctionalInterface
  interface Round {
    void run(int number) throws IOException, InterruptedException;
  }

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--rounds", paramLabel = "N", description = "times that all are measured")
  private int rounds = 7;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "where the JSON goes (default: the command's name and .json)")
  private Path out;

  @Option(names = "--check", description = "fail if a bar is not met")
  private boolean check;

  int rounds() {
    return rounds;
  }

  PrintWriter text() {
    return command.commandLine().getOut();
  }

  /** All rounds, each told with the machine's load when it is over. */
  void each(Round round) throws IOException, InterruptedException {
    for (int number = 1; number <= rounds; number++) {
      round.run(number);
      text().printf("round %d of %d, load %s%n", number, rounds, Host.load());
      text().flush();
    }
  }

  /** Prints and writes; returns the exit code. */
  int finish(Report report) throws IOException {
    Path file = out == null ? Path.of(command.name() + ".json") : out;
    report.print(text());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(file.toFile(), report.toJson());
    text().println("facts and rounds: " + file.toAbsolutePath());
    text().flush();
    return check && !report.barsMet() ? NOT_MET : 0;
  }
}
