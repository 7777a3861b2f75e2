package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Gives the nodes of one kind of engine another one, node after node, while everything goes on: a
 * node hands over all it has, ends, gets an empty engine, and joins anew. Interrupted at any step
 * it goes on where it was when it is asked for again.
 */
final class EngineChange {
  private static final long LOOK_MILLIS = 200;

  private final ProcessCluster cluster;
  private final Consumer<String> say;
  private final int waitSeconds;
  private final String from;
  private final String to;

  /**
   * A change; nothing is done yet.
   *
   * @throws BadInputException if there is no such kind, or it is the same
   */
  EngineChange(
      ProcessCluster cluster, Consumer<String> say, int waitSeconds, String from, String to) {
    this.cluster = cluster;
    this.say = say;
    this.waitSeconds = waitSeconds;
    this.from = named("--from", from);
    this.to = named("--to", to);
    if (from.equals(to)) {
      throw new BadInputException(
          "--from and --to are both " + to + ": there is nothing to change");
    }
  }

  private static String named(String option, String kind) {
    try {
      return EngineKinds.named(kind).name();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(option + ": " + e.getMessage());
    }
  }

  /**
   * The nodes to change, in their order: those of the kind, and those that were interrupted after
   * they got the other one.
   *
   * @throws BadInputException if it cannot be done; says what to do
   */
  List<Integer> plan() throws IOException {
    List<Integer> nodes = new ArrayList<>();
    List<EngineTraits> then = new ArrayList<>();
    boolean isAny = false;
    for (int node : cluster.nodes()) {
      String kind = cluster.engineKind(node);
      boolean isOfKind = kind.equals(from);
      boolean isHalfDone = kind.equals(to) && cluster.isDrained(node) && !cluster.isRunning(node);
      if (isOfKind) {
        mustBeOurs(node);
      }
      if (isOfKind || isHalfDone) {
        nodes.add(node);
      }
      isAny |= isOfKind || kind.equals(to);
      then.add(EngineKinds.named(isOfKind ? to : kind).traits());
    }
    if (!isAny) {
      throw new BadInputException("no node of this cluster is of the kind " + from);
    }
    if (cluster.nodes().size() == 1) {
      throw new BadInputException(
          "there is one node, and no other can hold its data meanwhile: \"cluster add\" first");
    }
    List<String> lacking = CopyNeeds.lacking(then);
    if (!lacking.isEmpty() && !cluster.relaxed()) {
      throw new BadInputException(
          "of the engines that there would be, %s: set placement.relaxed on all nodes to go without"
              .formatted(String.join(", ", lacking)));
    }
    return nodes;
  }

  /**
   * What a node has on a server of the user's is not deleted here, and the way back would not lead
   * there.
   */
  private void mustBeOurs(int node) {
    if (EngineKinds.named(from).hasServer() && !cluster.hasDatabase(node)) {
      throw new BadInputException(
          ("node %d keeps its data on a server of your own, which its engine.url names: change it"
                  + " by hand: drain it, end it, change engine.kind, delete the directory engine"
                  + " within that of the node and what it has on that server, start it")
              .formatted(node));
    }
  }

  /** Says what would be done. */
  void preview() throws IOException {
    List<Integer> nodes = plan();
    if (nodes.isEmpty()) {
      say.accept("no node is of the kind " + from + ": there is nothing to do");
      return;
    }
    for (int node : nodes) {
      say.accept(
          "node %d: hands over its ranges and copies, ends, gets an empty %s engine, joins anew"
              .formatted(node, to));
    }
    say.accept(
        "one after the other, while everything goes on; what each has in %s is deleted once it has"
                .formatted(from)
            + " handed over. Back: --from %s --to %s".formatted(to, from));
  }

  /** Does it. */
  void run() throws IOException, InterruptedException {
    List<Integer> nodes = plan();
    for (int i = 0; i < nodes.size(); i++) {
      int node = nodes.get(i);
      if (cluster.engineKind(node).equals(from)) {
        if (!cluster.isDrained(node)) {
          // Also where an earlier change was interrupted while a node was filled.
          awaitWhole();
          new StewardCommands(cluster, say, waitSeconds)
              .adminRequest(new AdminRequest.Drain(new NodeId(node)));
        }
        if (cluster.isRunning(node)) {
          cluster.stop(node);
        }
        cluster.changeEngine(node, to);
        say.accept("node %d has an empty %s engine".formatted(node, to));
      }
      cluster.start(node);
      awaitWhole();
      say.accept(
          "node %d serves on %s, %d of %d"
              .formatted(node, cluster.address(node), i + 1, nodes.size()));
    }
    say.accept(
        nodes.isEmpty()
            ? "no node is of the kind " + from + " any more"
            : "done; back: ecstore cluster change-engine --from %s --to %s".formatted(to, from));
  }

  /** Waits until each range has as many copies as it should, as far as there are nodes. */
  private void awaitWhole() throws IOException, InterruptedException {
    int wanted = Math.min(cluster.copies(), cluster.undrained().size());
    long deadline = System.nanoTime() + waitSeconds * 1_000_000_000L;
    while (!isWhole(wanted)) {
      if (System.nanoTime() - deadline > 0) {
        throw new BadInputException(
            "not all ranges have %d copies after %d s, see \"cluster status\"; asked again, the"
                    .formatted(wanted, waitSeconds)
                + " command goes on with the next node");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private boolean isWhole(int wanted) throws IOException {
    Optional<StatusReport> map = cluster.map(cluster.status());
    return map.isPresent()
        && map.get().holders().stream().allMatch(range -> range.secondaries().size() + 1 >= wanted);
  }
}
