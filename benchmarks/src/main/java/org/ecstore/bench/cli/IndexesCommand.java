package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ecstore.bench.indexes.IndexLoad;
import org.ecstore.bench.indexes.IndexWork;
import org.ecstore.bench.store.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench indexes}. */
@Command(
    name = "indexes",
    description = {
      "Measures what indexes cost and what they give.",
      "",
      "The same people of about 200 bytes in tables without an index, with a unique one, with one"
          + " by city, and with three: written, read by key, found by index. What is written gets"
          + " another city and other tags, so that its entries move. After each workload all indexes"
          + " are verified; if one differs from its table the exit status is 1. Of ecStore only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench indexes --records 50000 --clients 16",
      "  ecstore bench indexes --workload write-plain,write-3-indexes --seconds 30"
    })
final class IndexesCommand implements Callable<Integer> {
  private static final long RECORDS_MAX = 10_000_000;

  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      description = "One after the other, of those that it has; all of them if not said.")
  private List<String> workloads = new ArrayList<>();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many people each table has. ${DEFAULT-VALUE}.")
  private long records;

  @Override
  public Integer call() throws Exception {
    if (records < 1 || records > RECORDS_MAX) {
      throw wrong("--records is from 1 to " + RECORDS_MAX + ", not " + records);
    }
    List<IndexWork> wanted = new ArrayList<>();
    for (String name : workloads.isEmpty() ? IndexWork.titles() : workloads) {
      wanted.add(
          IndexWork.of(name)
              .orElseThrow(
                  () -> wrong("no workload " + name + "; there are " + IndexWork.titles())));
    }
    return new Loading(options, spec).run(records, List.of(), target -> plan(target, wanted));
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private Loading.Measurement plan(Target target, List<IndexWork> wanted) throws Exception {
    IndexLoad load = new IndexLoad(target, records);
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) {
        load.insert(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return wanted.stream()
            .map(
                work ->
                    new Loading.Part(
                        work.title(), load.of(work), Map.of("distribution", "uniform")))
            .toList();
      }

      @Override
      public Loading.Found check(ObjectNode result) {
        List<String> differences = load.differences();
        result.put("indexesRight", differences.isEmpty());
        return new Loading.Found(
            differences.isEmpty(),
            differences.isEmpty()
                ? List.of("indexes are as their tables")
                : List.of("AN INDEX DIFFERS FROM ITS TABLE: " + differences.getFirst()));
      }

      @Override
      public void close() {
        load.close();
      }
    };
  }
}
