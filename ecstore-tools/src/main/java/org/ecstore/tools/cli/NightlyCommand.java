package org.ecstore.tools.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore nightly}: simulation, attacks and torture in a row, with one verdict. */
@Command(
    name = "nightly",
    description = {
      "Runs what looks for faults, one command after the other, and gives one verdict.",
      "",
      "Seeds under the simulator, with the real adapters of BookKeeper and of ZooKeeper, over"
          + " bookies and ZooKeepers that are faked, each in half of them, without readers of changes"
          + " and with them; attackers at every port,"
          + " a million frames of each kind; torture with a forger and a glutton among the clients,"
          + " ten runs of five minutes; and one on hosts with three kinds of engines, whose"
          + " database servers mvn fetches. The history of that one is judged by bin/judge-history"
          + " too, which shares no code with ecStore, if there is a python3; the summary says if it"
          + " was not. Each is a command of its own, printed as it could be run alone. All are run,"
          + " also after one has found something.",
      "",
      "Exit status 0 only if each found nothing; 1 if one found something or failed."
    },
    footer = {
      "",
      "Examples:",
      "  ecstore nightly --quick    a few minutes",
      "  ecstore nightly --json     some hours"
    })
final class NightlyCommand implements Callable<Integer> {
  private static final long SEED_MASK = 0xff_ffff;
  private static final int TORTURES = 10;
  private static final String HISTORY = "h.jsonl";

  @Option(names = "--quick", description = "The same with less of everything: minutes, not hours.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of what is random; another one each time if not given.")
  private @Nullable Long seed;

  @Option(names = "--dry-run", description = "Print the commands only.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  /**
   * What came of a command.
   *
   * @param hindrance why it was not run; absent if it was
   */
  private record Done(
      String command,
      int status,
      long seconds,
      Optional<JsonNode> result,
      Optional<String> hindrance) {
    String words() {
      if (hindrance.isPresent()) {
        return "not run";
      }
      return status == ExitStatus.OK ? "clean" : "status " + status;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (dryRun) {
      PrintWriter out = spec.commandLine().getOut();
      Path history = Path.of(HISTORY);
      commands(history).forEach(each -> out.println("ecstore " + String.join(" ", each)));
      out.println(HistoryJudge.command(history));
      out.flush();
      return ExitStatus.OK;
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-nightly-")) {
      Path history = temporary.path().resolve(HISTORY);
      boolean clean = run(history);
      if (!clean && Files.exists(history) && !ShutdownHooks.hasBegun()) {
        temporary.keep();
        PrintWriter err = spec.commandLine().getErr();
        err.println("kept: " + history);
        err.flush();
      }
      return clean ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
    }
  }

  /** Whether all were run, and none found anything. */
  private boolean run(Path history) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<List<String>> commands = commands(history);
    List<Done> done = new ArrayList<>();
    for (List<String> command : commands) {
      if (!ShutdownHooks.hasBegun()) {
        done.add(run(command));
      }
    }
    if (!ShutdownHooks.hasBegun()) {
      done.add(judge(HistoryJudge.here(), history));
    }
    boolean clean =
        done.size() == commands.size() + 1
            && done.stream().allMatch(each -> each.status() == ExitStatus.OK);
    if (json) {
      out.println(toJson(done, clean));
    } else {
      print(out, done, clean);
    }
    out.flush();
    return clean;
  }

  private List<List<String>> commands(Path history) {
    long first = seed == null ? System.nanoTime() & SEED_MASK : seed;
    List<List<String>> commands = new ArrayList<>();
    commands.add(
        List.of(
            "sim",
            "--adapters",
            "--seeds",
            quick ? "100" : "20000",
            "--first-seed",
            Long.toString(first)));
    commands.add(
        List.of(
            "sim",
            "--adapters",
            "--readers",
            "--seeds",
            quick ? "20" : "2000",
            "--first-seed",
            Long.toString(first)));
    commands.add(
        List.of("attack", "--frames", quick ? "2000" : "1000000", "--seed", Long.toString(first)));
    for (int i = 0; i < (quick ? 1 : TORTURES); i++) {
      commands.add(
          List.of(
              "torture",
              "--nodes",
              quick ? "3" : "5",
              "--seconds",
              quick ? "30" : "300",
              "--forger",
              "--glutton",
              "--seed",
              Long.toString(first + i)));
    }
    commands.add(
        List.of(
            "torture",
            "--engines",
            "je,mysql,redis",
            "--seconds",
            quick ? "30" : "300",
            "--seed",
            Long.toString(first + TORTURES),
            "--history",
            history.toString()));
    return commands;
  }

  private Done run(List<String> command) {
    PrintWriter out = spec.commandLine().getOut();
    String text = "ecstore " + String.join(" ", command);
    begins(text);
    long begun = System.nanoTime();
    List<String> arguments = new ArrayList<>(command);
    StringWriter said = new StringWriter();
    CommandLine line = EcStoreMain.commandLine().setErr(spec.commandLine().getErr());
    if (json) {
      arguments.add("--json");
      line.setOut(new PrintWriter(said));
    } else {
      line.setOut(out);
    }
    int status = line.execute(arguments.toArray(String[]::new));
    return new Done(text, status, seconds(begun), lastObject(said.toString()), Optional.empty());
  }

  private void begins(String command) {
    if (!json) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("== " + command);
      out.flush();
    }
  }

  private static long seconds(long begun) {
    return (System.nanoTime() - begun) / 1_000_000_000;
  }

  /** The other judge looks at the history of the last torture; where it cannot that is no fault. */
  private Done judge(HistoryJudge judge, Path history) throws IOException, InterruptedException {
    String text = HistoryJudge.command(history);
    Optional<String> hindrance = judge.hindrance(history);
    if (hindrance.isPresent()) {
      return new Done(text, ExitStatus.OK, 0, Optional.empty(), hindrance);
    }
    begins(text);
    long begun = System.nanoTime();
    List<String> said = new ArrayList<>();
    int status = judge.judge(history, said::add);
    if (!json) {
      said.forEach(spec.commandLine().getOut()::println);
    }
    return new Done(
        text,
        status,
        seconds(begun),
        Optional.of(JsonNodeFactory.instance.textNode(String.join("\n", said))),
        Optional.empty());
  }

  private static Optional<JsonNode> lastObject(String said) {
    Optional<String> last = said.lines().reduce((_, line) -> line);
    if (last.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ObjectMapper().readTree(last.get()));
    } catch (JsonProcessingException noResult) {
      // Its status says why, and its error is where errors are.
      return Optional.empty();
    }
  }

  private static void print(PrintWriter out, List<Done> done, boolean clean) {
    out.println("== summary");
    for (Done each : done) {
      out.printf(
          Locale.ROOT,
          "%-10s %,6d s  %s%s%n",
          each.words(),
          each.seconds(),
          each.command(),
          each.hindrance().map(why -> ": " + why).orElse(""));
    }
    out.println("verdict    " + (clean ? "clean" : "violated"));
  }

  private static ObjectNode toJson(List<Done> done, boolean clean) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode runs = node.putArray("runs");
    for (Done each : done) {
      ObjectNode run =
          runs.addObject()
              .put("command", each.command())
              .put("status", each.status())
              .put("seconds", each.seconds());
      each.result().ifPresent(result -> run.set("result", result));
      each.hindrance().ifPresent(why -> run.put("notRun", why));
    }
    return node.put("verdict", clean ? "clean" : "violated");
  }
}
