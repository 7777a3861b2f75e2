package org.ecstore.bench.cli.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.qos.modelled.ModelCourse;
import org.ecstore.bench.qos.modelled.ModelSubject;
import org.ecstore.bench.qos.modelled.ModelledClass;
import org.ecstore.bench.qos.modelled.ModelledTable;
import org.ecstore.tools.terminal.BadInputException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code qos model} is told, and what is wrong with it: all of that at once. */
final class ModelOptions {
  private static final int REQUESTS_MIN = 100;
  private static final int REQUESTS_MAX = 1_000_000;
  private static final long RECORDS_MAX = 1_000_000_000L;
  private static final int CACHE_MAX = 1 << 20;
  private static final int READS = 100;

  /** Of all tables together: about a quarter of an hour. */
  private static final long WORK_MAX = 1_000_000_000L;

  @Mixin private GridOptions grid = new GridOptions("128,256,384,512,640,768", "2..7");

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      defaultValue = "zipf-read,uniform-read",
      description = "zipf-read, uniform-read or both, a table for each. ${DEFAULT-VALUE}.")
  private List<String> workloads = List.of();

  @Option(
      names = "--class",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "small,medium",
      description =
          "Classes of servers: small and medium, which stand for the paper's m1.small and"
              + " m1.medium, a table for each. ${DEFAULT-VALUE}.")
  private List<String> classes = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = {
        "Where tables and plots go; made if it is not there. Those of an earlier qos model are"
            + " written over."
      })
  private Path directory = Path.of("");

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often each cell is modelled; fewer than five show nothing. ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Requests that count in each run, of all clients together. ${DEFAULT-VALUE}.")
  private int requests;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "15000000",
      description = "Records of 1000 bytes that there are. ${DEFAULT-VALUE}, as in the paper.")
  private long records;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      defaultValue = "500",
      description = "The row cache of each node, in MiB. ${DEFAULT-VALUE}, as in the paper.")
  private int cache;

  @Option(
      names = "--direct",
      description =
          "Clients ask the node that has the record, as those of ecStore do; without it each asks"
              + " one node, which asks that one, as in the paper.")
  private boolean direct;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "From which all random numbers follow. ${DEFAULT-VALUE}.")
  private long seed;

  /** What the options ask for. */
  record Checked(Path directory, ModelCourse course, List<ModelSubject> subjects) {
    /** All requests of all tables. */
    long work() {
      return course.work() * subjects.size();
    }
  }

  /**
   * Checks all of it.
   *
   * @throws BadInputException with everything that is wrong
   */
  Checked check() throws IOException {
    OptionFaults faults = new OptionFaults();
    NavigableSet<Integer> rows = grid.rows(faults);
    NavigableSet<Integer> columns = grid.columns(faults);
    Set<TableWorkload> wanted = wanted(faults);
    Set<ModelledClass> servers = servers(faults);
    checkSizes(faults);
    ModelCourse course = new ModelCourse(rows, columns, runs, requests, seed);
    List<ModelSubject> subjects = new ArrayList<>();
    for (TableWorkload workload : wanted) {
      for (ModelledClass nodeClass : servers) {
        subjects.add(new ModelSubject(workload, nodeClass, records, cache, direct));
      }
    }
    for (ModelSubject subject : subjects) {
      List<Path> others = ModelledTable.others(directory, subject);
      faults.require(
          others.isEmpty(),
          "--out: %s, of no qos model: move what is there, or give another directory"
              .formatted(OptionFaults.areThere(others)));
    }
    Checked checked = new Checked(directory, course, subjects);
    if (faults.isEmpty()) {
      faults.require(
          checked.work() <= WORK_MAX,
          "%,d requests are more than %,d: fewer --requests, --runs, --clients or --nodes will do"
              .formatted(checked.work(), WORK_MAX));
    }
    if (!faults.isEmpty()) {
      throw faults.exception();
    }
    return checked;
  }

  /** {@code zipf} is taken for {@code zipf-read}: there are no others. */
  private Set<TableWorkload> wanted(OptionFaults faults) {
    Set<TableWorkload> wanted = new LinkedHashSet<>();
    for (String name : workloads) {
      Optional<TableWorkload> workload =
          TableWorkload.of(name.contains("-") ? name : name + "-read")
              .filter(each -> each.readPercent() == READS);
      faults.require(
          workload.isPresent(),
          "--workload is zipf-read or uniform-read, which the paper has, not \"%s\""
              .formatted(name));
      workload.ifPresent(wanted::add);
    }
    return wanted;
  }

  private Set<ModelledClass> servers(OptionFaults faults) {
    Set<ModelledClass> servers = new LinkedHashSet<>();
    for (String name : classes) {
      Optional<ModelledClass> nodeClass = ModelledClass.of(name);
      faults.require(
          nodeClass.isPresent(),
          "--class is of %s, not \"%s\"".formatted(String.join(", ", ModelledClass.words()), name));
      nodeClass.ifPresent(servers::add);
    }
    return servers;
  }

  private void checkSizes(OptionFaults faults) throws IOException {
    faults.mustBeRuns(runs);
    faults.require(
        requests >= REQUESTS_MIN && requests <= REQUESTS_MAX,
        "--requests is from %d to %d, not %d".formatted(REQUESTS_MIN, REQUESTS_MAX, requests));
    faults.require(
        records >= 2 && records <= RECORDS_MAX,
        "--records is from 2 to %d, not %d".formatted(RECORDS_MAX, records));
    faults.require(
        cache >= 1 && cache <= CACHE_MAX,
        "--cache is from 1 to %d MiB, not %d".formatted(CACHE_MAX, cache));
    faults.mayBeDirectory("--out", directory);
  }
}
