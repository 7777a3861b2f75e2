package org.ecstore.tools.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import org.ecstore.check.PlainText;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.cli.cluster.ClusterCommand;
import org.ecstore.tools.cli.data.ChangesCommand;
import org.ecstore.tools.cli.data.ExportCommand;
import org.ecstore.tools.cli.data.ImportCommand;
import org.ecstore.tools.cli.measure.MeasureCommand;
import org.ecstore.tools.cli.qos.QosCommand;
import org.ecstore.tools.cli.slo.SloCommand;
import org.ecstore.tools.terminal.BadInputException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The entry point of {@code bin/ecstore}. Errors are one line on standard error; {@code --debug}
 * adds the stack trace. Standard output carries results only.
 */
public final class EcStoreMain {
  private static final String DEBUG = "--debug";
  private static final String DEBUG_HINT = " (" + DEBUG + " shows where)";

  private EcStoreMain() {}

  public static void main(String[] args) {
    if (Arrays.asList(args).contains(DEBUG)) {
      // Read by the logger when the first one is made.
      System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
    }
    ResultStream results = new ResultStream(new FileOutputStream(FileDescriptor.out));
    System.setOut(new PrintStream(new BufferedOutputStream(results), true, System.out.charset()));
    System.exit(run(commandLine(), results, args));
  }

  /** Runs a command whose results end in a stream; its status. */
  static int run(CommandLine commandLine, ResultStream results, String... args) {
    PrintWriter err = commandLine.getErr();
    int status;
    try {
      status = commandLine.execute(args);
    } catch (Error e) {
      // The library hands over exceptions alone, and Java itself would end with 1: a check that
      // has found something.
      boolean debug = Arrays.asList(args).contains(DEBUG);
      err.println(
          "ecstore: "
              + e.getClass().getSimpleName()
              + (e.getMessage() == null ? "" : ": " + oneLine(e))
              + (debug ? "" : DEBUG_HINT));
      if (debug) {
        e.printStackTrace(err);
      }
      err.flush();
      return ExitStatus.BROKEN;
    }
    commandLine.getOut().flush();
    System.out.flush();
    Optional<String> loss = results.loss();
    if (loss.isEmpty() || isNode(commandLine)) {
      return status;
    }
    err.println("ecstore: what was to be printed could not be written: " + loss.get());
    err.flush();
    return status == ExitStatus.OK ? ExitStatus.BROKEN : status;
  }

  /**
   * The line that a node prints is no result, and whether it is started again goes by its status.
   */
  private static boolean isNode(CommandLine commandLine) {
    ParseResult parsed = commandLine.getParseResult();
    return parsed != null
        && parsed.hasSubcommand()
        && parsed.subcommand().commandSpec().userObject() instanceof ServerCommand server
        && server.isNode();
  }

  /** The command line with all its commands; each is registered by one line here. */
  public static CommandLine commandLine() {
    EcStoreCommand top = new EcStoreCommand();
    CommandLine commandLine = new CommandLine(top);
    commandLine
        .addSubcommand(new QuickstartCommand())
        .addSubcommand(new OverlayCommand())
        .addSubcommand(new SimCommand())
        .addSubcommand(new MeasureCommand())
        .addSubcommand(new ServerCommand())
        .addSubcommand(new TortureCommand())
        .addSubcommand(new AttackCommand())
        .addSubcommand(new NightlyCommand())
        .addSubcommand(new VerifyCommand())
        .addSubcommand(ClusterCommand.commandLine())
        .addSubcommand(new ShellCommand())
        .addSubcommand(new ImportCommand())
        .addSubcommand(new ExportCommand())
        .addSubcommand(new ChangesCommand())
        .addSubcommand(new QosCommand())
        .addSubcommand(new SloCommand());
    ServiceLoader.load(MoreCommands.class)
        .forEach(
            more ->
                more.group()
                    .map(group -> Objects.requireNonNull(commandLine.getSubcommands().get(group)))
                    .orElse(commandLine)
                    .addSubcommand(more.command()));
    // After its commands are there, as these would have them too.
    commandLine
        .getCommandSpec()
        .usageMessage()
        .footerHeading("%nExamples:%n")
        .footer(EcStoreCommand.EXAMPLES);
    return commandLine
        .setUsageHelpAutoWidth(true)
        // The library's own would print where System.out was as it was made, if that is another one
        // by now: a command that silences others does so while a second one is made beside it.
        .setExecutionStrategy(parsed -> new CommandLine.RunLast().execute(parsed))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(BigDecimal.class, DecimalText::read)
        .setParameterExceptionHandler(EcStoreMain::badCommandLine)
        .setExecutionExceptionHandler(
            (exception, command, _) -> failed(exception, command, top.debug()));
  }

  private static int badCommandLine(ParameterException exception, String[] args) {
    CommandLine command = exception.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    if (args.length == 0) {
      command.usage(err);
    } else {
      err.printf(
          "%s: %s (see %s --help)%n", name, oneLine(exception) + suggestion(exception), name);
    }
    if (Arrays.asList(args).contains(DEBUG)) {
      exception.printStackTrace(err);
    }
    return ExitStatus.BAD_INPUT;
  }

  private static String suggestion(ParameterException exception) {
    if (exception instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      return ", did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
    }
    return "";
  }

  private static int failed(Exception exception, CommandLine command, boolean debug) {
    if (ShutdownHooks.hasBegun() && !debug) {
      // It was interrupted, and what it needs is being taken away: that is no news.
      return ExitStatus.BROKEN;
    }
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    Throwable cause =
        exception instanceof UncheckedIOException && exception.getCause() instanceof IOException io
            ? io
            : exception;
    int status =
        switch (cause) {
          case BadInputException bad -> {
            err.println(name + ": " + oneLine(bad));
            yield ExitStatus.BAD_INPUT;
          }
          case DirectoryInUseException used -> {
            err.println(name + ": " + oneLine(used));
            yield ExitStatus.BAD_INPUT;
          }
          case FileSystemException file -> {
            err.println(
                "%s: %s: %s"
                    .formatted(
                        name,
                        PlainText.escaped(String.valueOf(file.getFile())),
                        FileErrors.reason(file)));
            yield ExitStatus.BAD_INPUT;
          }
          default -> {
            err.println(name + ": " + oneLine(cause) + (debug ? "" : DEBUG_HINT));
            yield ExitStatus.BROKEN;
          }
        };
    if (debug) {
      exception.printStackTrace(err);
    }
    return status;
  }

  /** In one line, and without what a terminal would take for a command: names come from files. */
  private static String oneLine(Throwable exception) {
    String message = exception.getMessage();
    return message == null
        ? exception.getClass().getSimpleName()
        : PlainText.escaped(message.strip().replaceAll("\\s*\\R\\s*", "; "));
  }
}
