package org.ecstore.tools.cli.measure;

import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.EngineNames;
import org.ecstore.tools.terminal.Engines;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The engines of the nodes of a cluster that a command makes for itself: a mixin. */
public final class MixOptions {
  private static final int HOSTS_AT_FIRST = 3;
  private static final int HOSTS_MAX = 32;

  @Option(
      names = "--engines",
      paramLabel = "KIND",
      split = ",",
      completionCandidates = EngineNames.class,
      description =
          "The kinds of storage engines, each host with a node of every one of them:"
              + " ${COMPLETION-CANDIDATES}. A database server is started under each node that has"
              + " one: that on the PATH, or one that mvn fetches. je if not given.")
  private @Nullable List<String> engines;

  @Option(
      names = "--hosts",
      paramLabel = "H",
      description = "With --engines: how many hosts there are; 3 if not given.")
  private @Nullable Integer hosts;

  @Option(
      names = "--relaxed",
      description = "With --engines: that their kinds may lack what copies need.")
  private boolean relaxed;

  private final int hostsMin;

  /**
   * Options that are not read yet.
   *
   * @param hostsMin as many hosts there must be
   */
  public MixOptions(int hostsMin) {
    this.hostsMin = hostsMin;
  }

  /** Whether kinds may lack what copies need. */
  public boolean isRelaxed() {
    return relaxed;
  }

  /**
   * The hosts and the kinds on each; absent if all nodes have the usual engine on a host of their
   * own.
   *
   * @param isCounted whether the number of nodes is given, too
   * @throws BadInputException if options contradict one another, or there is no such kind
   */
  public Optional<EngineMix> mix(boolean isCounted) {
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
    int count = hosts == null ? HOSTS_AT_FIRST : hosts;
    OptionBounds.checkBetween("--hosts", count, hostsMin, HOSTS_MAX);
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
