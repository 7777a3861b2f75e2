package org.ecstore.tools.cli.measure;

import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Engines;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The engines of the nodes that are made for a measurement: a mixin. */
final class MixOptions {
  private static final int HOSTS_MIN = 3;
  private static final int HOSTS_MAX = 32;

  @Option(
      names = "--engines",
      paramLabel = "KIND",
      split = ",",
      description =
          "The kinds of storage engines, each host with a node of every one of them, and with their"
              + " database servers; je if not given.")
  private @Nullable List<String> engines;

  @Option(
      names = "--hosts",
      paramLabel = "H",
      description = "With --engines: how many hosts there are, from 3 on; 3 if not given.")
  private @Nullable Integer hosts;

  @Option(
      names = "--relaxed",
      description = "With --engines: that their kinds may lack what copies need.")
  private boolean relaxed;

  /** Whether kinds may lack what copies need. */
  boolean isRelaxed() {
    return relaxed;
  }

  /**
   * The hosts and the kinds on each; absent if all nodes have the usual engine on a host of their
   * own.
   *
   * @param isCounted whether the number of nodes is given, too
   * @throws BadInputException if options contradict one another, or there is no such kind
   */
  Optional<EngineMix> mix(boolean isCounted) {
    List<String> kinds = engines;
    if (kinds == null) {
      if (hosts != null || relaxed) {
        throw new BadInputException(
            (hosts == null ? "--relaxed" : "--hosts")
                + " goes with --engines; without it see --nodes");
      }
      return Optional.empty();
    }
    if (isCounted) {
      throw new BadInputException(
          "--nodes follows from --hosts and --engines: leave it out, or leave these out");
    }
    int count = hosts == null ? HOSTS_MIN : hosts;
    OptionBounds.checkBetween("--hosts", count, HOSTS_MIN, HOSTS_MAX);
    return Optional.of(Engines.onHosts(count, kinds, relaxed));
  }

  /**
   * Sees to it that nodes of a mix have database servers.
   *
   * @param option that wants one
   * @throws BadInputException if none has
   */
  static void mustHaveServer(String option, Optional<EngineMix> mix) {
    List<String> kinds = mix.map(EngineMix::kinds).orElse(List.of(EngineSettings.DEFAULT_KIND));
    if (kinds.stream().noneMatch(kind -> EngineKinds.named(kind).hasServer())) {
      List<String> with =
          EngineKinds.names().stream().filter(kind -> EngineKinds.named(kind).hasServer()).toList();
      throw new BadInputException(
          "%s: nodes of the kind %s have no database server: name %s in --engines"
              .formatted(option, String.join(", ", kinds), String.join(" or ", with)));
    }
  }
}
