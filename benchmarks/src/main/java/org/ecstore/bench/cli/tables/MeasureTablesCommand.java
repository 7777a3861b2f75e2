package org.ecstore.bench.cli.tables;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.DurationWords;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.cli.options.WorkDirectory;
import org.ecstore.bench.qos.GrowingCluster;
import org.ecstore.bench.qos.MeasurePlan;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.qos.TableMeasurer;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.qos.TableRunLog;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.cli.qos.TableText;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore qos measure}. */
@Command(
    name = "measure",
    description = {
      "Measures performance tables: response time and throughput by clients and nodes.",
      "",
      "For each kind of engine a cluster of node processes is made on this machine, loaded, and"
          + " grown a node at a time. At each size a load runs until throughput, hit ratio of the"
          + " caches and the map of ranges are steady; then each number of clients is measured, so"
          + " often as --runs says. Clients are in a process of their own. Tables go to DIR, with"
          + " their plots and a file of all runs: a measurement that ended before its time, however"
          + " it ended, goes on with what is missing, and more clients or nodes may be added"
          + " later.",
      "",
      "Each node is held to --capacity, so that all nodes and clients together keep 70 %% of the"
          + " machine's processors busy at most; the table says how much it was, and who held the"
          + " nodes to it. What a database server beside a node takes (redis, mysql) counts as the"
          + " nodes' in that, and no capacity holds it.",
      "",
      "The exit status is 1 if a cell could not be measured."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos measure --clients 4,8 --nodes 1..2 --out tables --dry-run",
      "  ecstore qos measure --workload zipf-read --kinds je,redis --clients 8,16,32,64 --nodes"
          + " 1..6 \\",
      "      --class small --capacity 0.1 --price 0.02 --out tables",
      "  ecstore qos plan --table tables/je-small-zipf-read.csv --clients 24 --response-time 40ms"
    })
final class MeasureTablesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--dry-run",
      description = "Only say what would be measured, and about how long that takes.")
  private boolean dryRun;

  @Override
  public Integer call() throws Exception {
    TableOptions.Checked checked =
        continued(options.check(Runtime.getRuntime().availableProcessors()));
    checked.notes().forEach(this::say);
    if (dryRun) {
      preview(checked);
      return ExitStatus.OK;
    }
    try (DirectoryLock _ = DirectoryLock.acquire(checked.directory());
        InterruptWords _ =
            InterruptWords.of(
                spec.commandLine(),
                "runs that were made are kept, the same command goes on with the rest")) {
      return measure(checked);
    }
  }

  /** As far as it is measured; and nothing else may be where its files will be. */
  private static TableOptions.Checked continued(TableOptions.Checked checked) {
    List<String> others = new ArrayList<>();
    List<MeasuredSubject> subjects = new ArrayList<>();
    for (MeasuredSubject wanted : checked.subjects()) {
      try {
        MeasuredSubject subject =
            TableRunLog.continued(checked.directory(), wanted, checked.isCapacityGiven());
        TableRunLog.check(checked.directory(), subject);
        List<Path> files = TableRunLog.withoutRuns(checked.directory(), subject);
        if (!files.isEmpty()) {
          others.add(
              OptionFaults.areThere(files)
                  + " without the runs that qos measure keeps beside a table: move what is there, or"
                  + " give another --out");
        }
        checked.work(subject).wrong().ifPresent(others::add);
        subjects.add(subject);
      } catch (FileSystemException e) {
        others.add(e.getFile() + ": " + FileErrors.reason(e));
      } catch (IOException | BadInputException e) {
        others.add(String.valueOf(e.getMessage()));
      }
    }
    if (!others.isEmpty()) {
      throw new BadInputException(String.join("; ", others));
    }
    return new TableOptions.Checked(
        checked.directory(), checked.plan(), subjects, checked.isCapacityGiven());
  }

  private void preview(TableOptions.Checked checked) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Duration all = Duration.ZERO;
    for (MeasuredSubject subject : checked.subjects()) {
      List<TableRun> there = TableRunLog.there(checked.directory(), subject);
      Duration takes = checked.plan().estimate(subject, there);
      all = all.plus(takes);
      out.printf(
          "%s: %d runs are missing of %d, about %s%n",
          subject.name(),
          checked.plan().missing(there),
          checked.plan().missing(List.of()),
          DurationWords.of(takes));
    }
    out.printf(
        "together about %s, or more where a size is long in becoming steady%n",
        DurationWords.of(all));
    out.flush();
  }

  private int measure(TableOptions.Checked checked) throws IOException, InterruptedException {
    boolean whole = true;
    for (MeasuredSubject subject : checked.subjects()) {
      List<TableRun> there = TableRunLog.there(checked.directory(), subject);
      MeasurePlan plan = checked.plan();
      say(
          "%s: %d runs are missing, about %s"
              .formatted(
                  subject.name(),
                  plan.missing(there),
                  DurationWords.of(plan.estimate(subject, there))));
      try (TerminalProgress bar =
          TerminalProgress.start(subject.name(), plan.estimate(subject, there).toMillis())) {
        whole &= print(subject, measured(checked, subject, bar));
      } catch (IOException e) {
        if (ShutdownHooks.hasBegun()) {
          throw e;
        }
        // Another kind may be there: what this one lacks is no reason to leave that out.
        say(subject.name() + " is not measured: " + e.getMessage());
        whole = false;
      }
    }
    return whole ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private TableMeasurer.Outcome measured(
      TableOptions.Checked checked, MeasuredSubject subject, TerminalProgress bar)
      throws IOException, InterruptedException {
    WorkDirectory work = checked.work(subject);
    endLeft(work);
    try {
      return new TableMeasurer(
              checked.directory(),
              checked.plan(),
              each -> {
                work.make();
                return GrowingCluster.start(
                    each, work.path(), YcsbLoad.splitHints(), checked.plan().settle(), bar::step);
              },
              this::say)
          .measure(subject);
    } finally {
      endLeft(work);
    }
  }

  private static void endLeft(WorkDirectory work) throws IOException, InterruptedException {
    if (work.isOwn()) {
      GrowingCluster.endLeft(work.path());
    }
  }

  /** Whether all of it is there. */
  private boolean print(MeasuredSubject subject, TableMeasurer.Outcome outcome) {
    PrintWriter out = spec.commandLine().getOut();
    Optional<MeasuredTable> table = outcome.table();
    if (table.isPresent()) {
      TableText.lines(table.get().table()).forEach(out::println);
      table.get().remarks().forEach(line -> out.println("  " + line));
      out.println("  " + subject.name() + ".csv");
    } else {
      out.println(subject.name() + ": no number of nodes is complete");
    }
    outcome.failures().forEach(failure -> out.println("  not measured: " + failure));
    out.flush();
    return table.isPresent() && outcome.failures().isEmpty();
  }

  private void say(String line) {
    InterruptWords.say(spec.commandLine(), line);
  }
}
