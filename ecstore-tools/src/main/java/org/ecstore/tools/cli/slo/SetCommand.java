package org.ecstore.tools.cli.slo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ChangeOptions;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.objective.ObjectiveFile;
import org.ecstore.tools.objective.ObjectiveForm;
import org.ecstore.tools.objective.StandingObjectives;
import org.ecstore.tools.objective.StatedObjectives;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore slo set}: states what an application needs. */
@Command(
    name = "set",
    description = {
      "States what an application needs, in place of what it has stated before.",
      "",
      "A guarantee, which is the class if none is given, needs a response time and a load: it is"
          + " owed while the application is within that load. An application of best effort has"
          + " what the others leave; of several each has a share by its weight. A table has one"
          + " objective at most.",
      "",
      "Tables may come later. Which of those that are named are not there yet is said, and which there"
          + " are: so that a name that was mistyped is seen.",
      "",
      "With --quota nodes refuse what adds to its tables once these hold so much, until they hold"
          + " less than 95 %% of it; deleting is always taken. What they hold is known to some"
          + " seconds.",
      "",
      "In a file, objectives are tables of TOML with the options' names: [shop], tables ="
          + " [\"users\", \"orders\"], p99 = \"20ms\", rate = 4000. A file of these names alone is of"
          + " the application that it is called as: shop.toml. All are held against what stands before"
          + " the first is told to the cluster. Where that refuses a later one, as it cannot promise"
          + " it, those before it stand, and it is said which."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore slo set shop --tables users,orders --p99 20ms --rate 4000 --reads 95%% --dir data",
      "  ecstore slo set reports --class best-effort --weight 2 --dir data",
      "  ecstore slo set shop --tables users,orders --quota 2GiB --dir data",
      "  ecstore slo set --file slo.toml --dir data"
    })
final class SetCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", arity = "0..1", description = "The application.")
  private @Nullable String application;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Objectives of a file instead, as TOML.")
  private @Nullable Path file;

  @Option(
      names = "--tables",
      paramLabel = "NAMES",
      description =
          "Its tables, between commas; if not given, what counts are clients that say its name.")
  private @Nullable String tables;

  @Option(names = "--mean", paramLabel = "TIME", description = "The mean response time: 8ms.")
  private @Nullable String mean;

  @Option(names = "--p95", paramLabel = "TIME", description = "What 95 of 100 may take.")
  private @Nullable String p95;

  @Option(names = "--p99", paramLabel = "TIME", description = "What 99 of 100 may take.")
  private @Nullable String p99;

  @Option(names = "--rate", paramLabel = "N", description = "The load: operations a second.")
  private @Nullable String rate;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "The load instead: so many clients that each wait for an answer.")
  private @Nullable String clients;

  @Option(names = "--reads", paramLabel = "N%", description = "The share that only reads: 95%%.")
  private @Nullable String reads;

  @Option(
      names = "--locality",
      paramLabel = "WORD",
      description = "zipf: few records have most requests; uniform: all as many.")
  private @Nullable String locality;

  @Option(names = "--data-size", paramLabel = "SIZE", description = "All its records: 15GB.")
  private @Nullable String dataSize;

  @Option(names = "--record-size", paramLabel = "SIZE", description = "One record: 1KB.")
  private @Nullable String recordSize;

  @Option(
      names = "--class",
      paramLabel = "WORD",
      description =
          "guaranteed or best-effort; if not given guaranteed, unless --quota stands alone.")
  private @Nullable String serviceClass;

  @Option(
      names = "--weight",
      paramLabel = "N",
      description = "Its share beside others of best effort, 1 to 1000; 1 if not given.")
  private @Nullable String weight;

  @Option(
      names = "--quota",
      paramLabel = "SIZE",
      description = "What its tables may hold at most: 2GiB.")
  private @Nullable String quota;

  @Option(
      names = "--json",
      description =
          "Print one JSON object as the last line instead: what is stated, why it can be kept or was not"
              + " held against anything, and of its tables which are tablesMissing and which"
              + " tablesThere. Where the cluster refuses one of a file: those"
              + " before it, and which failed and were notTold; nothing where none of it was told.")
  private boolean json;

  @Mixin private ChangeOptions change = new ChangeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Objective> objectives = objectives();
    ClusterAccess access = change.access();
    Map<String, String> why = new LinkedHashMap<>();
    access.talk(
        cluster -> why.putAll(run(access, cluster, Optional.ofNullable(file), objectives, json)));
    // Once it is stated: a cluster that answers no client is told all the same.
    StatedTables.Asked asked = StatedTables.of(access, objectives);
    if (json) {
      print(SetText.json(objectives, why, asked).toString());
    } else {
      SetText.warnings(objectives, asked).forEach(this::print);
    }
    return ExitStatus.OK;
  }

  /**
   * States objectives one after the other.
   *
   * @param from their file: all of it is held against what stands before the first is told
   * @param isJson whether nothing is printed meanwhile
   * @return by what it was found that they can be kept, or why that was not asked, by application
   * @throws BadInputException if one is refused, with those that were stated before it
   */
  Map<String, String> run(
      ClusterAccess access,
      ClusterAccess.Link cluster,
      Optional<Path> from,
      List<Objective> objectives,
      boolean isJson)
      throws IOException, InterruptedException {
    Consumer<String> say = isJson ? _ -> {} : this::print;
    if (from.isPresent()) {
      Objectives standing =
          access.askFirst(cluster, new ClientRequest.AskObjectives(), Objectives.class, say);
      List<String> faults = StandingObjectives.faults(StandingObjectives.of(standing), objectives);
      if (!faults.isEmpty()) {
        throw new BadInputException(
            "%s: %s; the cluster was told nothing"
                .formatted(from.get(), String.join("; ", faults)));
      }
    }
    List<Objective> stated = new ArrayList<>();
    Map<String, String> why = new LinkedHashMap<>();
    try {
      for (Objective objective : objectives) {
        String application = objective.application();
        DecisionLine line =
            access.request(
                cluster, new AdminRequest.SetObjective(objective, System.currentTimeMillis()), say);
        stated.add(objective);
        StatedObjectives.why(line).ifPresent(found -> why.put(application, found));
        if (!isJson) {
          StatedObjectives.lines(objective, line).forEach(this::print);
        }
      }
    } catch (BadInputException | ProcessClusterException e) {
      if (objectives.size() == 1) {
        throw e;
      }
      String failure = String.valueOf(e.getMessage());
      if (isJson) {
        print(SetText.partly(objectives, stated.size(), failure).toString());
      }
      throw new BadInputException(failure + SetText.howFar(objectives, stated.size()));
    }
    return why;
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private List<Objective> objectives() throws IOException {
    Map<String, String> written = written();
    Path from = file;
    String name = application;
    if (from != null) {
      if (name != null || !written.isEmpty()) {
        throw new BadInputException("--file has names and numbers: give them there alone");
      }
      return ObjectiveFile.read(from);
    }
    if (name == null) {
      throw new BadInputException("which application? give its name, or --file FILE");
    }
    return List.of(ObjectiveForm.read(name, written, "--"));
  }

  private Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    add(written, ObjectiveForm.TABLES, tables);
    add(written, ObjectiveForm.MEAN, mean);
    add(written, ObjectiveForm.P95, p95);
    add(written, ObjectiveForm.P99, p99);
    add(written, ObjectiveForm.RATE, rate);
    add(written, ObjectiveForm.CLIENTS, clients);
    add(written, ObjectiveForm.READS, reads);
    add(written, ObjectiveForm.LOCALITY, locality);
    add(written, ObjectiveForm.DATA_SIZE, dataSize);
    add(written, ObjectiveForm.RECORD_SIZE, recordSize);
    add(written, ObjectiveForm.CLASS, serviceClass);
    add(written, ObjectiveForm.WEIGHT, weight);
    add(written, ObjectiveForm.QUOTA, quota);
    return written;
  }

  private static void add(Map<String, String> written, String name, @Nullable String text) {
    if (text != null) {
      written.put(name, text);
    }
  }
}
