package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ecstore.bench.changes.FollowedLoad;
import org.ecstore.bench.store.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench changes}. */
@Command(
    name = "changes",
    description = {
      "Measures how fast commits are told to those who follow them, and what that costs writers.",
      "",
      "Clients write records of 200 bytes, a commit each; so many readers follow the table, each told"
          + " every commit. Lag is from the beginning of a write to the moment at which a reader has"
          + " it. With 0 readers it is the same load alone. If a reader was not told all the exit"
          + " status is 1. Of ecStore only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench changes --clients 16",
      "  ecstore bench changes --readers 1,8 --rate 2000 --seconds 30"
    })
final class FollowCommand implements Callable<Integer> {
  private static final int READERS_MAX = 100;

  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--readers",
      split = ",",
      paramLabel = "N",
      defaultValue = "0,1,4",
      description = "How many follow, one number after the other. ${DEFAULT-VALUE}.")
  private List<Integer> readers = List.of();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many records there are. ${DEFAULT-VALUE}.")
  private long records;

  @Override
  public Integer call() throws Exception {
    if (records < 1) {
      throw wrong("--records is at least 1, not " + records);
    }
    for (int each : readers) {
      if (each < 0 || each > READERS_MAX) {
        throw wrong("--readers are from 0 to " + READERS_MAX + ", not " + each);
      }
    }
    return new Loading(options, spec).run(records, List.of(), this::plan);
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private Loading.Measurement plan(Target target) {
    FollowedLoad load = new FollowedLoad(target, records);
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) {
        load.insert(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return readers.stream()
            .map(
                count ->
                    new Loading.Part(
                        "readers-" + count,
                        load.followedBy(count),
                        Map.of("distribution", "uniform")))
            .toList();
      }

      @Override
      public Loading.Found check(ObjectNode result) {
        return found(load.end(), result);
      }

      @Override
      public void close() {
        load.close();
      }
    };
  }

  private static Loading.Found found(FollowedLoad.Followed followed, ObjectNode result) {
    result
        .put("readers", followed.readers())
        .put("written", followed.written())
        .put("leastFollowed", followed.leastFollowed())
        .put("caughtUpMillis", followed.caughtUpMillis());
    ObjectNode lag = result.putObject("lagMicros");
    for (double percentile : new double[] {50, 95, 99, 99.9}) {
      lag.put(
          "p" + (percentile == (long) percentile ? "%.0f" : "%.1f").formatted(percentile),
          followed.lagMicros().getValueAtPercentile(percentile));
    }
    boolean all = followed.leastFollowed() >= followed.written() && followed.failures().isEmpty();
    if (followed.readers() == 0) {
      return new Loading.Found(true, List.of());
    }
    return new Loading.Found(
        all,
        List.of(
            "each of %d readers was told %,d of %,d commits; lag p50 %,d us, p99 %,d us; %,d ms after"
                    .formatted(
                        followed.readers(),
                        followed.leastFollowed(),
                        followed.written(),
                        lag.get("p50").asLong(),
                        lag.get("p99").asLong(),
                        followed.caughtUpMillis())
                + " the last write all were told"
                + (followed.failures().isEmpty()
                    ? ""
                    : "; A READER ENDED: " + followed.failures().getFirst())));
  }
}
