package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code ecstore cluster up}: makes a cluster, or starts one again. */
@Command(
    name = "up",
    description = {
      "Starts whatever does not run, and waits until all nodes serve.",
      "",
      "In an empty directory a cluster of N nodes is made; one with fewer gets more, and none is"
          + " ever taken away: drain does that. A node that runs is left alone, and one that was"
          + " drained is left out. The last line has the addresses that EcStore.connect takes.",
      "",
      "Nodes have ports of their own for as long as the cluster is there: the first one 7420,"
          + " where a client looks that is told a host only, unless another process has it when"
          + " the cluster is made; the others any that are free.",
      "",
      "Which node gets which keys is settled while there is no data to go by. Unless --spread"
          + " says more, tables with other first letters are in other ranges, and each table is"
          + " in one.",
      "",
      "Heap and collector of the nodes follow from the memory and processors of the machine,"
          + " shared out among them, and are written to DIR/node-N/jvm.options. What"
          + " ECSTORE_JAVA_OPTS has of them takes their place; in the end it is said what the"
          + " nodes have. The engine's cache is an eighth of the heap, unless"
          + " engine.cache in DIR/node-N/ecstore.toml says otherwise."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster up --dir data",
      "  ecstore cluster up --dir data --nodes 5 --spread users:uuid,visits:100000",
      "  ecstore cluster up --dir data --hosts 3 --engines je,mysql,redis"
    })
final class UpCommand implements Callable<Integer> {
  private static final int NODES_MAX = 32;

  @Mixin private MadeClusterOptions made = new MadeClusterOptions();

  @ParentCommand private @Nullable ClusterCommand parent;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterCommand command = ClusterCommand.of(parent);
    try (UsualPort usual = UsualPort.claim()) {
      return command.with(
          made.cluster(command.nodes().orElse(null), usual),
          cluster -> {
            if (!cluster.nodes().isEmpty()) {
              made.mustBeAbsent(command.directory());
            }
            up(command, cluster, made.nodes());
          });
    }
  }

  private static void up(ClusterCommand command, ProcessCluster cluster, int atFirst)
      throws IOException, InterruptedException {
    int there = cluster.undrained().size();
    boolean fresh = cluster.nodes().isEmpty();
    int count = command.nodes().orElse(fresh ? atFirst : Math.max(1, there));
    if (count < 1 || count > NODES_MAX) {
      throw new BadInputException("--nodes must be from 1 to " + NODES_MAX + ", not " + count);
    }
    cluster.up(count, command::say);
    sayFlags(command, cluster);
    command.say("read and write it by: ecstore shell --dir " + command.directory());
    command.say("end it by:            ecstore cluster down --dir " + command.directory());
    command.say(cluster.addresses());
  }

  /** Nodes that ran before may have been started with others. */
  private static void sayFlags(ClusterCommand command, ProcessCluster cluster) throws IOException {
    Map<String, List<String>> nodesByFlags = new LinkedHashMap<>();
    for (int node : cluster.undrained()) {
      nodesByFlags
          .computeIfAbsent(cluster.flags(node), _ -> new ArrayList<>())
          .add(String.valueOf(node));
    }
    nodesByFlags.forEach(
        (flags, those) ->
            command.say(
                nodesByFlags.size() == 1
                    ? "each node has " + flags
                    : ClusterCommand.named(those) + " with " + flags));
  }
}
