package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyState;
import org.ecstore.model.NodeFact;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.ReplicationSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cluster of processes that is ended with this process, unless that is killed. */
final class MeasuredCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredCluster.class);
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  static final long LOOK_MILLIS = 5;

  private final ProcessCluster processes;
  private final int copies;

  private MeasuredCluster(ProcessCluster processes, int copies) {
    this.processes = processes;
    this.copies = copies;
  }

  /** Makes one in an empty directory; the keys of {@link CommitLoad} are spread over its nodes. */
  static MeasuredCluster start(Path directory, int nodes, ReplicationSettings replication)
      throws IOException, InterruptedException {
    return start(directory, nodes, replication.copiesOf(nodes), made(replication), false);
  }

  /**
   * As above, of nodes that serve metrics, and have what {@code cluster up} gives them of this
   * machine.
   */
  static MeasuredCluster startWithMetrics(
      Path directory, int nodes, ReplicationSettings replication)
      throws IOException, InterruptedException {
    return start(directory, nodes, replication.copiesOf(nodes), measured(replication), false);
  }

  /**
   * As above, of hosts with a node of each of some kinds of engines, and with the database servers
   * that these have. Nodes are started again that have ended by themselves, as those of {@code
   * cluster up} are: a node ends whose server has lost what it had (decision 0056).
   */
  static MeasuredCluster startWithMetrics(
      Path directory, EngineMix mix, ReplicationSettings replication)
      throws IOException, InterruptedException {
    return start(
        directory,
        mix.nodes(),
        replication.copiesOf(mix.hosts(), "hosts"),
        measured(replication).withMix(mix),
        true);
  }

  private static NewCluster measured(ReplicationSettings replication) {
    return made(replication).on(Machine.here()).asMeasured();
  }

  private static NewCluster made(ReplicationSettings replication) {
    return NewCluster.DEFAULT.withSplitHints(Subject.splitHints()).withReplication(replication);
  }

  private static MeasuredCluster start(
      Path directory, int nodes, int copies, NewCluster made, boolean guarded)
      throws IOException, InterruptedException {
    ProcessCluster processes = ProcessCluster.during(directory, START_WITHIN, made, guarded);
    MeasuredCluster cluster = new MeasuredCluster(processes, copies);
    try {
      processes.up(nodes, line -> LOG.info("{}", line));
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  ProcessCluster processes() {
    return processes;
  }

  /** Keys in the middle of equal parts of all keys. */
  static List<Tuple> keys(int count) {
    long parts = 2L * count;
    return LongStream.range(0, count)
        .mapToObj(i -> Tuple.of((2 * i + 1) * CommitLoad.KEYS / parts))
        .toList();
  }

  private interface Look<T> {
    Optional<T> at() throws IOException, InterruptedException;
  }

  private static <T> T await(Look<T> look, Duration within, String lacks)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    Optional<T> seen = look.at();
    while (seen.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(lacks);
      }
      Thread.sleep(LOOK_MILLIS);
      seen = look.at();
    }
    return seen.get();
  }

  /** The node that is sequencer, once one is. */
  int awaitSequencer() throws IOException, InterruptedException {
    return await(processes::sequencer, START_WITHIN, "no node is the sequencer");
  }

  /** The last of the nodes that are not the sequencer. */
  int lastBesideSequencer() throws IOException, InterruptedException {
    int sequencer = awaitSequencer();
    return processes.nodes().stream()
        .filter(node -> node != sequencer)
        .max(Integer::compare)
        .orElseThrow(() -> new IOException("there is no node but the sequencer"));
  }

  /** Waits until every node serves. */
  void awaitServing() throws IOException, InterruptedException {
    await(
        () -> isServing(processes.status()) ? Optional.of(true) : Optional.empty(),
        START_WITHIN,
        "not all nodes serve");
  }

  private static boolean isServing(List<NodeStatus> all) {
    return all.stream().allMatch(each -> each.state() == NodeStatus.State.SERVING);
  }

  /** Who has which range, once every range is served and has all its copies. */
  List<Route> awaitCopies() throws IOException, InterruptedException {
    return await(this::ifWhole, START_WITHIN, "not all ranges have " + copies + " copies");
  }

  private Optional<List<Route>> ifWhole() throws IOException {
    return ifWhole(processes.status());
  }

  /**
   * How many copies a node has once every range is served and has all its copies, and the node's
   * engine takes writes; absent if that is not so. It may have none, where others have them all.
   */
  OptionalLong copiesIfWhole(int node) throws IOException {
    List<NodeStatus> all = processes.status();
    Optional<NodeStatus> well =
        all.stream().filter(each -> each.node() == node && takesWrites(each)).findFirst();
    Optional<List<Route>> whole = ifWhole(all);
    return well.isPresent() && whole.isPresent()
        ? OptionalLong.of(whole.get().stream().filter(range -> holds(well.get(), range)).count())
        : OptionalLong.empty();
  }

  private static boolean takesWrites(NodeStatus node) {
    return node.seen().map(Inspected::facts).orElse(List.of()).stream()
        .noneMatch(fact -> fact.name().equals(NodeFact.ENGINE_REFUSES));
  }

  private Optional<List<Route>> ifWhole(List<NodeStatus> all) {
    return isServing(all)
        ? processes
            .map(all)
            .map(StatusReport::ranges)
            .filter(ranges -> ranges.stream().allMatch(range -> copies(all, range) == copies))
        : Optional.empty();
  }

  private static long copies(List<NodeStatus> all, Route range) {
    return all.stream().filter(each -> holds(each, range)).count();
  }

  /** Whether a node says that it has a copy of a range, under its epoch, that goes on. */
  private static boolean holds(NodeStatus node, Route range) {
    return node.seen().map(Inspected::copies).orElse(List.of()).stream()
        .filter(copy -> copy.range().equals(range.range()) && copy.epoch().equals(range.epoch()))
        .anyMatch(copy -> copy.state() == CopyState.SERVING || copy.state() == CopyState.FOLLOWING);
  }

  /** Waits until a node follows the primaries of some keys, or has them itself. */
  void awaitFollowing(int node, List<Route> before) throws IOException, InterruptedException {
    await(
        () -> follows(node, before) ? Optional.of(true) : Optional.empty(),
        START_WITHIN,
        "node " + node + " does not follow");
  }

  private boolean follows(int node, List<Route> before) throws IOException {
    List<NodeStatus> all = processes.status();
    Optional<StatusReport> map = processes.map(all);
    return map.isPresent()
        && before.stream()
            .allMatch(
                was ->
                    map.get().ranges().stream()
                        .filter(now -> now.keys().contains(was.keys().start()))
                        .allMatch(
                            now ->
                                all.stream()
                                    .filter(each -> each.node() == node)
                                    .anyMatch(each -> holds(each, now))));
  }

  @Override
  public void close() {
    processes.close();
  }
}
