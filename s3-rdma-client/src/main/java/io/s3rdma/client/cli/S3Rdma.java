package io.s3rdma.client.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The commands of {@code s3rdma}. */
@Command(
    name = "s3rdma",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    version = "s3rdma 0.1.0",
    sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    header =
        "S3 objects into and out of memory, by RDMA where it can be had and by HTTP elsewhere.",
    subcommands = {
      GetCommand.class,
      PutCommand.class,
      ListCommand.class,
      StatCommand.class,
      RemoveCommand.class,
      MakeBucketCommand.class,
      VerifyCommand.class,
      DoctorCommand.class,
      DemoCommand.class,
      DemoClientCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the transfer or the server failed; the message says how to go on",
      "2:wrong command line or settings",
      "3:RDMA is required and cannot be had here",
      "4:no such bucket or object"
    },
    footerHeading = "%nEnvironment:%n",
    footer = {
      "  S3RDMA_ENDPOINT                         the server (http://127.0.0.1:9000)",
      "  S3RDMA_ACCESS_KEY, S3RDMA_SECRET_KEY    credentials; else those that the AWS SDK finds"
    })
public final class S3Rdma {
  private static final String LOGGING = "logback.configurationFile";

  private static final int HELP_COLUMNS = 100;

  private S3Rdma() {}

  public static void main(String[] args) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "s3rdma-cli-logback.xml");
    }
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new S3Rdma());
    // The options are listed below the synopsis, which would be five lines of them.
    commandLine
        .getSubcommands()
        .values()
        .forEach(c -> c.getCommandSpec().usageMessage().abbreviateSynopsis(true));
    return commandLine
        .setUsageHelpWidth(HELP_COLUMNS)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(S3Rdma::wrongUsage)
        .setExecutionExceptionHandler(S3Rdma::failed);
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println("s3rdma: " + e.getMessage().replace('\n', ' ') + "; see " + name + " --help");
    err.flush();
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) {
    Failure failure = Failure.of(e, command.getCommand());
    PrintWriter err = command.getErr();
    err.println("s3rdma: " + failure.message());
    // The parameter is the parse of the main command.
    if (command.getParseResult().hasMatchedOption(OutputOptions.VERBOSE)) {
      e.printStackTrace(err);
    }
    err.flush();
    return failure.exitCode();
  }
}
