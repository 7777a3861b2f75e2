package org.ecstore.bench.elastic;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ecstore.bench.elastic.ClusterSight.HeldCopy;
import org.ecstore.bench.elastic.ClusterSight.HeldRange;
import org.ecstore.bench.elastic.ClusterSight.Share;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.terminal.BadInputException;

/** Node processes on this machine, which end with the run. */
final class ElasticCluster implements AutoCloseable {
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(2);
  private static final EcStoreTarget.Reads READS =
      new EcStoreTarget.Reads("session", "serializable");

  private final EcStoreTarget target;
  private final ProcessCluster cluster;
  private final ClusterAccess access;
  private final Consumer<String> say;

  private ElasticCluster(
      EcStoreTarget target, ProcessCluster cluster, ClusterAccess access, Consumer<String> say) {
    this.target = target;
    this.cluster = cluster;
    this.access = access;
    this.say = say;
  }

  /**
   * Makes a cluster and returns when it serves.
   *
   * @param directory where it is kept; empty or not there
   * @param started is told as each node serves
   * @param say hears what an operator would
   */
  static ElasticCluster start(
      ElasticitySettings settings, Path directory, Runnable started, Consumer<String> say)
      throws IOException, InterruptedException {
    ElasticitySettings.Machines machines = settings.machines();
    EcStoreTarget target =
        EcStoreTarget.make(
            directory,
            new EcStoreTarget.Shape(
                    machines.nodes(),
                    machines.copies(),
                    machines.resources(),
                    YcsbLoad.splitHints())
                .of(machines.nodeClass()),
            READS,
            _ -> started.run());
    int seconds = (int) Math.max(1, settings.course().within().toSeconds());
    return new ElasticCluster(
        target,
        target.cluster().orElseThrow(),
        new ClusterAccess(Optional.of(directory), Optional.empty(), seconds),
        say);
  }

  /** What clients are of. */
  EcStoreTarget target() {
    return target;
  }

  /** The nodes that have not been drained. */
  Set<NodeId> nodes() throws IOException {
    return cluster.undrained().stream().map(NodeId::new).collect(Collectors.toSet());
  }

  /**
   * Starts one more node.
   *
   * @return the node, when it serves
   * @throws IOException if it does not; says why
   */
  NodeId add() throws IOException, InterruptedException {
    try {
      return new NodeId(cluster.addNode());
    } catch (ProcessClusterException e) {
      throw new IOException("no node can be added: " + e.getMessage(), e);
    }
  }

  /**
   * Has a node give all that it has to others, and ends its process.
   *
   * @throws IOException if that is refused, or not done in time; says why
   */
  void remove(NodeId node) throws IOException, InterruptedException {
    int number = Math.toIntExact(node.value());
    try {
      access.request(cluster, new AdminRequest.Drain(node), say);
      cluster.dismiss(number);
    } catch (BadInputException | ProcessClusterException e) {
      throw new IOException("%s cannot be drained: %s".formatted(node, e.getMessage()), e);
    }
  }

  /**
   * How it is.
   *
   * @throws IOException if what is known of its nodes cannot be read, as while one is added
   */
  ClusterSight look() throws IOException {
    ClusterLook look;
    try {
      look = cluster.look(LOOK_WITHIN);
    } catch (ProcessClusterException e) {
      throw new IOException(e.getMessage(), e);
    }
    Set<NodeId> running = new HashSet<>();
    Set<NodeId> silent = new HashSet<>();
    Set<Long> processes = new HashSet<>();
    Map<NodeId, List<HeldCopy>> copies = new HashMap<>();
    for (NodeStatus status : look.nodes()) {
      NodeId node = new NodeId(status.node());
      status.pid().ifPresent(processes::add);
      if (status.pid().isPresent()) {
        running.add(node);
        if (status.state() != NodeStatus.State.SERVING) {
          silent.add(node);
        }
      }
      status
          .seen()
          .ifPresent(
              seen ->
                  copies.put(
                      node,
                      seen.copies().stream()
                          .map(copy -> new HeldCopy(copy.range(), copy.keys(), copy.state()))
                          .toList()));
    }
    return new ClusterSight(
        running,
        silent,
        look.map().map(ElasticCluster::ranges).orElse(List.of()),
        copies,
        shares(),
        busy(),
        processes);
  }

  private static List<HeldRange> ranges(StatusReport map) {
    Map<RangeId, Holders> holders =
        map.holders().stream().collect(Collectors.toMap(Holders::range, held -> held));
    return map.ranges().stream()
        .sorted(Comparator.comparing((Route route) -> route.keys().start()))
        .map(route -> range(route, Optional.ofNullable(holders.get(route.range()))))
        .toList();
  }

  private static HeldRange range(Route route, Optional<Holders> held) {
    return new HeldRange(
        route.range(),
        route.keys(),
        held.flatMap(Holders::home).orElse(route.primary()),
        route.primary(),
        held.map(Holders::secondaries).orElse(List.of()).stream().sorted().toList());
  }

  /** While the steward is gone no node has the answer. */
  private Optional<List<Share>> shares() {
    try {
      return Optional.of(
          cluster.askSteward(new ClientRequest.ExplainBalance(), Balance.class).nodes().stream()
              .map(share -> new Share(share.node(), share.ranges(), share.bytes()))
              .toList());
    } catch (IOException | ProcessClusterException _) {
      return Optional.empty();
    }
  }

  private Optional<String> busy() {
    try {
      return cluster
          .askSteward(new ClientRequest.AskDecisions(Optional.empty()))
          .decisions()
          .stream()
          .filter(line -> !line.isOver())
          .map(DecisionLine::what)
          .findFirst();
    } catch (IOException | ProcessClusterException _) {
      return Optional.of("it does not answer");
    }
  }

  /** Ends all nodes, the one that was added too. */
  @Override
  public void close() {
    target.close();
  }
}
