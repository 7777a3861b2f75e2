package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.config.ServerConfig.Ledger;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.file.DurableFiles;

/**
 * The nodes of a cluster that were drained, by a file in the directory of each. A node remembers it
 * only for as long as its process runs: started again it joins as a new one would (ecStore §5.4).
 */
final class DrainedNodes {
  private static final String MARK = "drained";

  private final ClusterFiles files;

  /** Those of a directory; nothing is read yet. */
  DrainedNodes(ClusterFiles files) {
    this.files = files;
  }

  /** Something about a node. */
  interface NodeTest {
    boolean holds(int node) throws IOException;
  }

  private Path mark(int node) {
    return files.home(node).resolve(MARK);
  }

  boolean is(int node) {
    return Files.exists(mark(node));
  }

  void remember(int node) throws IOException {
    if (!is(node)) {
      DurableFiles.replace(
          files.home(node),
          MARK,
          Bytes.utf8("# Drained by command. \"ecstore cluster start " + node + "\" ends this.\n"));
    }
  }

  void forget(int node) throws IOException {
    Files.deleteIfExists(mark(node));
  }

  /** Those that were not drained. */
  TreeSet<Integer> others() throws IOException {
    TreeSet<Integer> others = files.nodes();
    others.removeIf(this::is);
    return others;
  }

  /**
   * Starting a cluster takes no node out of it.
   *
   * @throws ProcessClusterException if there are more nodes
   */
  void mustNotBeMoreThan(int nodes) throws IOException {
    TreeSet<Integer> there = others();
    if (there.size() > nodes) {
      int last = there.last();
      throw new ProcessClusterException(
          "%s has %d nodes, and up takes none of them away: leave --nodes %d out to start them all;"
                  .formatted(files.directory(), there.size(), nodes)
              + " to have fewer, take them out one by one by \"cluster drain %d --dir %s\""
                  .formatted(last, files.directory()));
    }
  }

  /**
   * Drained nodes that are to run all the same: those without which there would be no majority of
   * ZooKeeper's servers, or too few bookies for the ledger.
   *
   * @param runs whether a node's process is there
   */
  TreeSet<Integer> indispensable(NodeTest runs) throws IOException {
    TreeSet<Integer> hosts = new TreeSet<>();
    TreeSet<Integer> bookies = new TreeSet<>();
    int bookiesWanted = 0;
    for (int node : files.nodes()) {
      ServerConfig config = files.config(node);
      if (config.coordination() instanceof Coordination.ZooKeeper zooKeeper
          && zooKeeper.embedded().isPresent()) {
        hosts.add(node);
      }
      if (config.bookie().isPresent()) {
        bookies.add(node);
      }
      if (config.ledger() instanceof Ledger.BookKeeper ledger) {
        bookiesWanted = Math.max(bookiesWanted, ledger.ensemble());
      }
    }
    TreeSet<Integer> there = others();
    for (int node : files.nodes()) {
      if (runs.holds(node)) {
        there.add(node);
      }
    }
    TreeSet<Integer> called = lacking(hosts, hosts.isEmpty() ? 0 : hosts.size() / 2 + 1, there);
    there.addAll(called);
    called.addAll(lacking(bookies, Math.min(bookiesWanted, bookies.size()), there));
    return called;
  }

  /**
   * Whether ZooKeeper and the ledger can do without a node that is to go for good.
   *
   * @throws ProcessClusterException if not
   */
  void mustBeDispensable(int node, ServerConfig config) throws IOException {
    if (config.coordination() instanceof Coordination.ZooKeeper zooKeeper
        && zooKeeper.embedded().isPresent()) {
      throw new ProcessClusterException(
          "node %d hosts a ZooKeeper server, which counts for the majority: it stays"
              .formatted(node));
    }
    if (config.bookie().isPresent() && config.ledger() instanceof Ledger.BookKeeper ledger) {
      int left = 0;
      for (int other : others()) {
        left += other != node && files.config(other).bookie().isPresent() ? 1 : 0;
      }
      if (left < ledger.ensemble()) {
        throw new ProcessClusterException(
            "without the bookie of node %d there are %d, and the ledger is spread over %d: it stays"
                .formatted(node, left, ledger.ensemble()));
      }
    }
  }

  /** The first of some nodes that are not there, so many that as many as wanted are. */
  private static TreeSet<Integer> lacking(
      TreeSet<Integer> all, int wanted, TreeSet<Integer> there) {
    List<Integer> away = all.stream().filter(node -> !there.contains(node)).toList();
    int more = Math.max(0, wanted - (all.size() - away.size()));
    return new TreeSet<>(away.subList(0, Math.min(more, away.size())));
  }

  /** For people: that it was not started. */
  static String leftOut(int node) {
    return "node %d was drained and is left out; \"cluster start %d\" lets it join anew"
        .formatted(node, node);
  }

  /** For people: that it was started. */
  static String comesBack(int node) {
    return "node %d was drained, but too few ZooKeeper servers or bookies are there without it: it"
            .formatted(node)
        + " joins anew";
  }

  /** For people: why it cannot be started. */
  static String runsOn(int node) {
    return "node %d was drained, and its process runs on with nothing: end it by \"cluster kill %d\","
            .formatted(node, node)
        + " then \"cluster start %d\" lets it join anew".formatted(node);
  }

  /**
   * A node that goes has nothing by the newest map, and no copy of its own that this map may not
   * know yet. One that has just been drained goes on with what an older map gave it until it hears
   * of the newest: that is no more its own.
   *
   * @param map the newest that a node has
   * @throws ProcessClusterException if it has something, or no node says that it has not
   */
  static void mustHaveNothing(int node, List<NodeStatus> all, Optional<StatusReport> map) {
    if (map.isEmpty()) {
      throw new ProcessClusterException(
          "no node says which ranges there are, so node %d may have some: try again when one does"
              .formatted(node));
    }
    NodeId id = new NodeId(node);
    boolean isPlaced =
        map.get().ranges().stream().anyMatch(range -> range.primary().equals(id))
            || map.get().holders().stream()
                .anyMatch(
                    range ->
                        range.secondaries().contains(id)
                            || range.home().stream().anyMatch(id::equals));
    MapVersion newest = map.get().point().mapVersion();
    boolean hasCopies =
        all.stream()
            .filter(each -> each.node() == node && each.state() != NodeStatus.State.DRAINED)
            .flatMap(each -> each.seen().stream())
            .anyMatch(seen -> seen.copies().stream().anyMatch(copy -> counts(seen, copy, newest)));
    if (isPlaced || hasCopies) {
      throw new ProcessClusterException(
          "node %1$d still has ranges or copies: \"cluster drain %1$d\" gives them to others"
              .formatted(node));
    }
  }

  /**
   * One in no map is being made, by which a later map may name the node; and what it notes of a
   * later epoch counts, though it has read no map since it was started.
   */
  private static boolean counts(Inspected seen, CopyLine copy, MapVersion newest) {
    return copy.epoch().equals(Epoch.ZERO)
        || copy.epoch().value() > newest.value()
        || seen.point().mapVersion().compareTo(newest) >= 0;
  }
}
