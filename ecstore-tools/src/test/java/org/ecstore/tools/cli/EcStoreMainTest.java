package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class EcStoreMainTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A command that ends as it is told to. */
  @Command(name = "end")
  static final class EndCommand implements Runnable {
    @Option(names = "--how")
    private String how = "well";

    @Override
    public void run() {
      switch (how) {
        case "bad" -> throw new BadInputException("a count must be positive:\n  -1");
        case "absent" -> throw new UncheckedIOException(new NoSuchFileException("edges.txt"));
        case "deep" -> throw new StackOverflowError();
        case "hidden" -> throw new BadInputException("not \"\u001b[31mred\u202e\"");
        case "broken" -> throw new IllegalStateException("the map has a gap");
        default -> {}
      }
    }
  }

  private CommandLine commandLine() {
    return EcStoreMain.commandLine()
        .addSubcommand(new EndCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err));
  }

  private int run(String... args) {
    return commandLine().execute(args);
  }

  @Test
  void helpGoesToStandardOutputAndExplains() {
    assertEquals(ExitStatus.OK, run("--help"));
    assertTrue(out.toString().contains("Exit status:"), out.toString());
    assertEquals("", err.toString());
  }

  @Test
  void whatIsSaidGoesWhereItWasToGoThoughAnotherCommandSilencesStandardOutput() {
    CommandLine made = commandLine();
    PrintStream before = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try {
      assertEquals(ExitStatus.OK, made.execute("--help"));
    } finally {
      System.setOut(before);
    }
    assertTrue(out.toString().contains("Exit status:"), out.toString());
  }

  @Test
  void everyCommandHasHelp() {
    commandLine()
        .getSubcommands()
        .forEach((name, _) -> assertEquals(ExitStatus.OK, run(name, "--help"), name));
  }

  private String help(String... command) {
    out.getBuffer().setLength(0);
    List<String> words = new ArrayList<>(List.of(command));
    words.add("--help");
    assertEquals(ExitStatus.OK, run(words.toArray(String[]::new)));
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster up",
        "cluster add",
        "cluster change-engine",
        "torture",
        "measure liveness",
        "qos plan"
      })
  void helpNamesTheKindsOfEnginesAndWhichHaveAServer(String command) {
    String help = help(command.split(" ", -1)).replaceAll("\\s+", " ");
    for (String kind : EngineKinds.names()) {
      String server = EngineKinds.named(kind).hasServer() ? " (a server each)" : "";
      assertTrue(help.matches(".*[ :]" + kind + Pattern.quote(server) + "[,.].*"), help);
    }
  }

  @Test
  void helpOfACommandHasNoOptionsOfAnother() {
    for (String command : List.of("status", "kill", "stop", "down", "pause", "decisions")) {
      String help = help("cluster", command);
      assertTrue(help.contains("--dir"), help);
      for (String option : List.of("--nodes", "--wait", "--secret-file")) {
        assertFalse(help.contains(option), help);
      }
      assertEquals(ExitStatus.BAD_INPUT, run("cluster", command, "--nodes", "3"), command);
    }
    assertTrue(help("cluster", "up").contains("--nodes=N"));
    assertTrue(help("cluster", "move").contains("--secret-file=FILE"));
    assertFalse(help("cluster", "up").contains("--secret-file"));
    String group = help("cluster");
    assertTrue(group.contains("--dir=DIR"), group);
    for (String option : List.of("--wait", "--secret-file", "[--nodes", "--nodes=N")) {
      assertFalse(group.contains(option), group);
    }
    err.getBuffer().setLength(0);
    assertEquals(ExitStatus.BAD_INPUT, run("cluster", "--wait", "0", "start", "1", "--dir", "x"));
    assertEquals("ecstore cluster start: --wait must be at least 1, not 0", err.toString().strip());
  }

  /** Before the name of a command or behind it; what is given behind it was taken for 120. */
  @Test
  void theTimeThatACommandWaitsIsTakenWhereverItIsGiven() {
    for (String words :
        List.of(
            "cluster --wait 0 start 1 --dir x",
            "cluster start 1 --wait 0 --dir x",
            "cluster drain 1 --dir x --wait 0",
            "cluster provision add 4 --wait 0 --dir x",
            "cluster provision --wait 0 --dir x add 4")) {
      err.getBuffer().setLength(0);
      assertEquals(ExitStatus.BAD_INPUT, run(words.split(" ")), words);
      assertTrue(err.toString().contains("--wait must be at least 1, not 0"), err::toString);
    }
  }

  private static void assertHasExamples(CommandLine command) {
    String help = command.getUsageMessage();
    String name = command.getCommandSpec().qualifiedName();
    assertTrue(help.contains("Examples:\n  " + name), help);
    command.getSubcommands().values().forEach(EcStoreMainTest::assertHasExamples);
  }

  /** A per cent sign that is not doubled is taken for a place to fill, and complained of. */
  private static void assertFormats(CommandLine command) {
    List<String> texts = new ArrayList<>();
    texts.addAll(List.of(command.getCommandSpec().usageMessage().description()));
    texts.addAll(List.of(command.getCommandSpec().usageMessage().footer()));
    for (String text : texts) {
      assertDoesNotThrow(() -> text.formatted(), text);
    }
    command.getSubcommands().values().forEach(EcStoreMainTest::assertFormats);
  }

  @Test
  void everyHelpIsAFormat() {
    assertFormats(EcStoreMain.commandLine());
  }

  @Test
  void everyHelpHasExamples() {
    assertHasExamples(EcStoreMain.commandLine());
  }

  @Test
  void nightlyRunsAreOnEnginesOfSeveralKindsToo() {
    for (String quick : List.of("--quick", "--json")) {
      out.getBuffer().setLength(0);
      assertEquals(ExitStatus.OK, run("nightly", "--dry-run", "--seed", "7", quick));
      assertTrue(
          out.toString().contains("ecstore torture --engines je,mysql,redis --seconds "),
          out::toString);
    }
  }

  @Test
  void whatTheScriptDoesByItselfIsListedToo() {
    assertTrue(help().contains("\n  verify "), out::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("verify", "--nightly"));
    assertTrue(err.toString().contains("bin/ecstore verify --nightly"), err::toString);
  }

  @Test
  void shellWithoutANodeSaysAtOnceHowToStartOne() {
    int port = new FreePorts().next();
    assertEquals(ExitStatus.BAD_INPUT, run("shell", "127.0.0.1:" + port));
    String said = err.toString();
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("no node listens at 127.0.0.1:" + port), said);
    assertTrue(said.contains("\"ecstore cluster up --dir DIR\""), said);
    assertFalse(said.contains("tries"), said);
  }

  @Test
  void versionIsTheBuildsVersion() {
    assertEquals(ExitStatus.OK, run("--version"));
    assertTrue(
        out.toString().matches("ecstore \\d+\\.\\d+\\.\\d+\\S* \\(Java \\d+.*\\)\\R"),
        out::toString);
  }

  @Test
  void noCommandAtAllShowsWhatThereIs() {
    assertEquals(ExitStatus.BAD_INPUT, run());
    assertTrue(err.toString().contains("Usage: ecstore"), err.toString());
  }

  @Test
  void badCommandLineIsOneLine() {
    assertEquals(ExitStatus.BAD_INPUT, run("end", "--hwo=x"));
    assertOneLine("ecstore end: Unknown option: '--hwo=x' (see ecstore end --help)");
  }

  @Test
  void badInputIsOneLine() {
    assertEquals(ExitStatus.BAD_INPUT, run("end", "--how=bad"));
    assertOneLine("ecstore end: a count must be positive:; -1");
  }

  @Test
  void absentFileIsBadInputAndNamed() {
    assertEquals(ExitStatus.BAD_INPUT, run("end", "--how=absent"));
    assertOneLine("ecstore end: edges.txt: no such file or directory");
  }

  @Test
  void directoryWhereAFileIsToBeReadIsBadInputAndNamed() {
    assertEquals(ExitStatus.BAD_INPUT, run("server", "--config", directory.toString()));
    assertOneLine("ecstore server: " + directory + ": is a directory, not a file");
    err.getBuffer().setLength(0);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--check", directory.toString()));
    assertOneLine("ecstore torture: " + directory + ": is a directory, not a file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"status", "down", "add", "add --engine rocksdb", "kill 1", "start 1", "stop 1"})
  void clusterThatIsNotThereIsBadInputAndNothingIsMade(String what) {
    Path nowhere = directory.resolve("typo");
    assertEquals(ExitStatus.BAD_INPUT, run(("cluster --dir " + nowhere + " " + what).split(" ")));
    assertTrue(
        err.toString().strip().endsWith(": there is no cluster in " + nowhere), err::toString);
    assertEquals("", out.toString());
    assertFalse(Files.exists(nowhere));
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "down", "add", "start 1"})
  void ofAClusterWhoseMakingWasInterruptedItIsSaidWhatToDo(String what) throws IOException {
    Path there = Files.createDirectories(directory.resolve("unmade"));
    Files.writeString(there.resolve("unfinished"), "");
    assertEquals(ExitStatus.BAD_INPUT, run(("cluster --dir " + there + " " + what).split(" ")));
    assertTrue(
        err.toString().strip().endsWith("interrupted before the cluster was made: give it again"),
        err::toString);
  }

  @Test
  void aNodeIsAddedOnAnEngineThatThereIs() {
    String[] add = {"cluster", "add", "--engine", "oracle", "--dir", directory.toString()};
    assertEquals(ExitStatus.BAD_INPUT, run(add));
    String said = err.toString();
    assertTrue(said.contains("--engine: there is no engine \"oracle\" here, only: je"), said);
  }

  @Test
  void failureIsOneLineThatTellsOfDebug() {
    assertEquals(ExitStatus.BROKEN, run("end", "--how=broken"));
    assertOneLine("ecstore end: the map has a gap (--debug shows where)");
  }

  @Test
  void debugShowsTheStackTraceWhereverItStands() {
    assertEquals(ExitStatus.BROKEN, run("end", "--how=broken", "--debug"));
    assertTrue(err.toString().contains("at org.ecstore.tools.cli.EcStoreMainTest"), err.toString());
    assertFalse(err.toString().contains("shows where"), err.toString());
  }

  @Test
  void anErrorIsAFailureAndNoCheckThatFoundSomething() {
    ResultStream results = new ResultStream(OutputStream.nullOutputStream());
    assertEquals(ExitStatus.BROKEN, EcStoreMain.run(commandLine(), results, "end", "--how=deep"));
    assertOneLine("ecstore: StackOverflowError (--debug shows where)");
    EcStoreMain.run(commandLine(), results, "end", "--how=deep", "--debug");
    assertTrue(err.toString().contains("at org.ecstore.tools.cli.EcStoreMainTest"), err.toString());
  }

  @Test
  void whatIsSaidOfNamesDoesNotTalkToTheTerminal() {
    assertEquals(ExitStatus.BAD_INPUT, run("end", "--how=hidden"));
    assertOneLine("ecstore end: not \"\\u001b[31mred\\u202e\"");
  }

  @Test
  void aPriceIsANumberAsPeopleWriteIt() {
    for (String wrong : List.of("NaN", "1e999999999", "cheap")) {
      err.getBuffer().setLength(0);
      String[] up = {"cluster", "up", "--dir", directory.resolve("c").toString(), "--price", wrong};
      assertEquals(ExitStatus.BAD_INPUT, run(up));
      String said = err.toString();
      assertTrue(said.contains("it must be a number, as 0.3, not \"" + wrong + '"'), said);
      assertFalse(said.contains("java."), said);
    }
  }

  private static ResultStream failing(String failure) {
    return new ResultStream(
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException(failure);
          }
        },
        () -> "Tubería rota");
  }

  private CommandLine printingInto(ResultStream results) {
    return EcStoreMain.commandLine()
        .addSubcommand(new EndCommand())
        .setOut(new PrintWriter(results, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err));
  }

  private int runInto(String failure, String... args) {
    ResultStream results = failing(failure);
    return EcStoreMain.run(printingInto(results), results, args);
  }

  /** A command that prints a line, which is lost, and ends with a status. */
  private int lost(int status, String... args) {
    ResultStream results = failing("No space left on device");
    CommandLine made = printingInto(results);
    made.setExecutionStrategy(
        _ -> {
          made.getOut().println("a line");
          return status;
        });
    return EcStoreMain.run(made, results, args);
  }

  @Test
  void aFindingIsStillOneThoughItsWordsAreLost() {
    for (int status : List.of(ExitStatus.CHECK_FAILED, ExitStatus.BAD_INPUT)) {
      err.getBuffer().setLength(0);
      assertEquals(status, lost(status, "end"));
      assertOneLine(
          "ecstore: what was to be printed could not be written: No space left on device");
    }
    assertEquals(ExitStatus.BROKEN, lost(ExitStatus.OK, "end"));
  }

  /** Whether a node is started again goes by its status. */
  @Test
  void aNodeEndsAsItEndsThoughItsLineIsLost() {
    for (int status : List.of(ExitStatus.OK, ExitStatus.BAD_INPUT, ExitStatus.GIVEN_WAY)) {
      assertEquals(status, lost(status, "server", "--config", "node.toml"));
    }
    assertOneLine("");
    assertEquals(ExitStatus.BROKEN, lost(ExitStatus.OK, "server", "--keys"));
    assertEquals(
        ExitStatus.BROKEN, lost(ExitStatus.OK, "server", "--config", "x", "--print-config"));
  }

  @Test
  void resultsThatCannotBeWrittenAreAFailure() {
    assertEquals(ExitStatus.BROKEN, runInto("No space left on device", "--help"));
    assertOneLine("ecstore: what was to be printed could not be written: No space left on device");
  }

  @Test
  void whereNothingIsPrintedNothingIsLost() {
    assertEquals(ExitStatus.OK, runInto("No space left on device", "end"));
    assertOneLine("");
  }

  /** As {@code head} does. */
  @Test
  void whoReadsNoFurtherHadEnough() {
    assertEquals(ExitStatus.OK, runInto("Broken pipe", "--help"));
    assertOneLine("");
    assertEquals(ExitStatus.OK, runInto("Tubería rota", "--help"), "in the user's language");
    assertOneLine("");
    assertFalse(ResultStream.ofClosedPipe().isEmpty());
  }

  private void assertOneLine(String expected) {
    assertEquals(expected, err.toString().strip());
    assertEquals("", out.toString());
  }
}
