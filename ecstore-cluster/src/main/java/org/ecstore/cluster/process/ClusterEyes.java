package org.ecstore.cluster.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;

/** Looks how the nodes of a directory are: at their processes, and by what they say. */
final class ClusterEyes {
  private final ClusterFiles files;
  private final DrainedNodes drained;
  private final Guards guards;
  private final NodeProbe probe;

  ClusterEyes(ClusterFiles files, DrainedNodes drained, Guards guards, NodeProbe probe) {
    this.files = files;
    this.drained = drained;
    this.guards = guards;
    this.probe = probe;
  }

  /** The process of a node, if it runs. */
  Optional<OwnProcess> process(int node) throws IOException {
    return OwnProcess.find(files.pidFile(node), files.configFile(node).toString());
  }

  /**
   * How the cluster is; all nodes are asked everything at once.
   *
   * @param within what a node that runs is to answer
   */
  ClusterLook look(Duration within) throws IOException {
    List<CompletableFuture<NodeStatus>> nodes = new ArrayList<>();
    List<CompletableFuture<Optional<StatusReport>>> maps = new ArrayList<>();
    for (int node : files.nodes()) {
      nodes.add(status(node, within));
      Optional<OwnProcess> process = process(node);
      if (process.isPresent() && !process.get().isPaused()) {
        maps.add(probe.map(files.address(node), within));
      }
    }
    return new ClusterLook(
        nodes.stream().map(CompletableFuture::join).toList(),
        newest(maps.stream().flatMap(asked -> asked.join().stream())));
  }

  /** The one of the newest map. */
  static Optional<StatusReport> newest(Stream<StatusReport> maps) {
    return maps.max(Comparator.comparingLong(report -> report.point().mapVersion().value()));
  }

  /** The newest map that a node has that answers; absent if none has one. */
  Optional<StatusReport> map(List<NodeStatus> all, Duration within) {
    return newest(
        all.stream()
            .filter(each -> each.seen().isPresent())
            .map(each -> probe.map(each.address(), within))
            .toList()
            .stream()
            .flatMap(asked -> asked.join().stream()));
  }

  /** How some nodes are. */
  List<NodeStatus> status(TreeSet<Integer> nodes, Duration within) throws IOException {
    List<CompletableFuture<NodeStatus>> asked = new ArrayList<>();
    for (int node : nodes) {
      asked.add(status(node, within));
    }
    return asked.stream().map(CompletableFuture::join).toList();
  }

  /** How a node is. */
  CompletableFuture<NodeStatus> status(int node, Duration within) throws IOException {
    String address = files.address(node);
    Optional<OwnProcess> process = process(node);
    Optional<Long> pid = process.map(OwnProcess::pid);
    Optional<String> guard = guards.trouble(node, process.isPresent());
    if (process.isEmpty() || process.get().isPaused()) {
      State state = process.isPresent() ? State.PAUSED : unseen(node);
      return CompletableFuture.completedFuture(
          new NodeStatus(node, state, pid, address, Optional.empty(), guard));
    }
    return probe
        .inspect(address, within)
        .thenApply(seen -> new NodeStatus(node, state(seen), pid, address, seen, guard));
  }

  /** How a node is that has no process. */
  private State unseen(int node) throws IOException {
    if (drained.is(node)) {
      return State.DRAINED;
    }
    return guards.process(node).isPresent() ? State.RESTARTING : State.DOWN;
  }

  /** How a node is whose process runs, by what it says of itself. */
  static State state(Optional<Inspected> seen) {
    if (seen.isEmpty()) {
      return State.SILENT;
    }
    if (seen.get().roles().contains(NodeRole.DRAINED)) {
      return State.DRAINED;
    }
    return seen.get().waitsFor().isEmpty() ? State.SERVING : State.STARTING;
  }
}
