package org.ecstore.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.ecstore.bench.social.Pairs;
import org.ecstore.bench.social.SocialLoad;
import org.ecstore.bench.social.SocialWorkload;
import org.ecstore.bench.store.Target;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.bench.ycsb.YcsbWorkload;
import org.ecstore.tools.quickstart.MalformedGraphException;
import org.ecstore.tools.quickstart.SocialGraph;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench social}. */
@Command(
    name = "social",
    description = {
      "Measures friends being made: two users at a time.",
      "",
      "Users are records of 10 fields of 100 bytes. befriend reads two, one after the other, and"
          + " changes a field of both, in one transaction that is tried again after a conflict;"
          + " befriend-together reads both at once; read-only reads two, at one moment; count"
          + " adds 1 to one counter for all, without reading it. Conflicts are counted as aborts."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench social --records 10000 --distribution zipfian",
      "  ecstore bench social --edges friends.txt --workload befriend"
    })
final class SocialCommand implements Callable<Integer> {
  private static final long RECORDS = 200_000;
  private static final String UNIFORM = "uniform";

  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      defaultValue = "befriend,read-only",
      description =
          "befriend, befriend-together, read-only, count; one after the other. ${DEFAULT-VALUE}.")
  private List<String> workloads = List.of();

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "How many users there are. " + RECORDS + "; with --edges as many as it has.")
  private @Nullable Long records;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      description = "Of the users that are chosen: uniform or zipfian. " + UNIFORM + ".")
  private @Nullable String distribution;

  @Option(
      names = "--edges",
      paramLabel = "FILE",
      description =
          "Befriend along real edges: a file of two user ids a line. From the beginning again after"
              + " the last.")
  private @Nullable Path edges;

  @Override
  public Integer call() throws Exception {
    List<SocialWorkload> wanted = new ArrayList<>();
    for (String name : workloads) {
      wanted.add(
          SocialWorkload.of(name)
              .orElseThrow(
                  () -> wrong("no workload " + name + "; there are " + SocialWorkload.titles())));
    }
    Pairs pairs = pairs();
    return new Loading(options, spec)
        .run(
            pairs.users(),
            YcsbLoad.splitHints(),
            target -> plan(target, wanted, pairs, Map.of("distribution", chosen())));
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  /** How users are, for people. */
  private String chosen() {
    if (edges != null) {
      return "edges of " + edges.getFileName();
    }
    String given = Objects.requireNonNullElse(distribution, UNIFORM);
    return given.equals(UNIFORM) ? UNIFORM : "zipfian";
  }

  private Pairs pairs() throws IOException {
    if (edges != null) {
      if (records != null || distribution != null) {
        throw wrong("--edges says who the users are: without --records and --distribution");
      }
      return Pairs.along(graph(edges));
    }
    long users = records == null ? RECORDS : records;
    if (users < 2) {
      throw wrong("--records is at least 2, as friends are two");
    }
    return switch (distribution == null ? UNIFORM : distribution) {
      case UNIFORM -> Pairs.uniform(users);
      case "zipf", "zipfian" -> Pairs.zipfian(users);
      default -> throw wrong("--distribution is uniform or zipfian, not " + distribution);
    };
  }

  private SocialGraph graph(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try {
      return SocialGraph.read(file);
    } catch (MalformedGraphException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static Loading.Measurement plan(
      Target target, List<SocialWorkload> wanted, Pairs pairs, Map<String, String> how) {
    YcsbLoad.Inserts inserts =
        new YcsbLoad(target, YcsbWorkload.READ_ONLY, pairs.users(), UNIFORM).inserts();
    List<Loading.Part> parts =
        wanted.stream()
            .map(each -> new Loading.Part(each.title(), new SocialLoad(target, each, pairs), how))
            .toList();
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) throws Exception {
        inserts.run(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return parts;
      }
    };
  }
}
