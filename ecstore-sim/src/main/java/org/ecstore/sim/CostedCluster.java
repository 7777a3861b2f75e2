package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeRole;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.CallCosts;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.node.NodeSettings;

/**
 * A cluster of real nodes to which nothing bad happens and for which everything takes its time:
 * each event occupies its node for what it costs, messages and ledger take theirs. It shows how
 * many transactions so many nodes do, not whether they do them right.
 */
public final class CostedCluster {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int STEP_EVENTS_MAX = 64;

  /**
   * What is not work of a node.
   *
   * @param networkNanos a message on its way
   * @param appendNanos an append to the ledger, on the average
   */
  public record Delays(long networkNanos, long appendNanos) {}

  private record Ends(long client, NodeId node) implements Comparable<Ends> {
    @Override
    public int compareTo(Ends other) {
      int byClient = Long.compare(client, other.client);
      return byClient != 0 ? byClient : node.compareTo(other.node);
    }
  }

  /** A client's connection to a node: nothing is lost on it. */
  private static final class Connection implements SimNetwork.ClientEnd {
    private final Map<Long, Consumer<ClientReply>> waiting = new TreeMap<>();
    private long id;
    private long calls;

    @Override
    public void replied(long correlation, ClientReply reply) {
      Optional.ofNullable(waiting.remove(correlation)).ifPresent(then -> then.accept(reply));
    }

    @Override
    public void broken() {
      throw new IllegalStateException("a connection broke, and nothing breaks them");
    }
  }

  private final World world;
  private final SimCluster cluster;
  private final Map<Ends, Connection> connections = new TreeMap<>();

  /**
   * Nodes that are not started yet.
   *
   * @param copies of each range, where there are as many nodes
   * @param splits sorted keys where newcomers split what there is
   * @param costs how long a node's work occupies it
   */
  public CostedCluster(
      int nodes, int copies, List<Bytes> splits, Delays delays, CallCosts costs, long seed) {
    this.world = new World(seed, new Trace(null));
    world.heal();
    NodeSettings settings =
        NodeSettings.defaults("sim", "")
            .withSplitHints(splits)
            .withCopies(copies)
            .withBalance(onlyOnRequest());
    this.cluster = new SimCluster(world, calm(nodes, delays), NodeMutation.RIGHT, _ -> settings);
    cluster.costs(costs);
  }

  /** Who sends it work knows its ranges from the start, as in the paper's figures. */
  private static RebalanceSettings onlyOnRequest() {
    RebalanceSettings usual = RebalanceSettings.DEFAULT;
    return new RebalanceSettings(
        false,
        usual.periodNanos(),
        usual.splitBytes(),
        usual.splitRate(),
        usual.mergeNanos(),
        usual.shiftBytes());
  }

  private static SwarmSettings calm(int nodes, Delays delays) {
    long network = delays.networkNanos();
    // Drawn evenly, from the ledger's least.
    long appendMax = Math.max(50_000, 2 * delays.appendNanos() - 50_000);
    return new SwarmSettings(
        0,
        SwarmSettings.Promise.STRICT,
        nodes,
        0,
        1,
        1,
        1,
        60 * SECOND,
        STEP_EVENTS_MAX,
        MILLI,
        false,
        false,
        new SwarmSettings.NetworkFaults(network, network, 0, 0, 0, MILLI, true),
        new SwarmSettings.LedgerFaults(
            appendMax, 20 * MILLI, 2 * MILLI, 1, 100_000, false, 0, 0, 0, 0, 0, 0, 0),
        new SwarmSettings.CoordinationFaults(2 * MILLI, 5 * MILLI, 10 * SECOND, 1, 0, 0),
        new SwarmSettings.EngineFaults(10_000, 10_000, 0, 0, MILLI, true),
        new SwarmSettings.Nemesis(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0));
  }

  /** Virtual time. */
  public Scheduler scheduler() {
    return world.scheduler();
  }

  /** All nodes. */
  public List<NodeId> nodes() {
    return cluster.hosts().stream().map(SimHost::id).toList();
  }

  /** How long its work has occupied each node so far, in nanoseconds, in the order of the nodes. */
  public List<Long> occupiedNanos() {
    return cluster.hosts().stream().map(SimHost::occupiedNanos).toList();
  }

  /**
   * Starts all nodes, one after the other, and waits until each of them is a primary.
   *
   * @return the ranges, in key order
   */
  public List<Route> start() {
    long until = world.nowNanos() + 60L * cluster.hosts().size() * SECOND;
    for (SimHost host : cluster.hosts()) {
      host.start();
      List<Route> routes = List.of();
      int wanted = 1 + cluster.hosts().indexOf(host);
      while (new TreeSet<>(routes.stream().map(Route::primary).toList()).size() < wanted) {
        if (world.nowNanos() > until) {
          throw new IllegalStateException("%d nodes do not come to serve".formatted(wanted));
        }
        run(50 * MILLI);
        routes = routes();
      }
    }
    run(2 * SECOND);
    return routes();
  }

  /** Which node commits, if the first one knows. Some virtual time passes. */
  public Optional<NodeId> sequencer() {
    return status()
        .flatMap(
            report ->
                report.nodes().stream()
                    .filter(line -> line.roles().contains(NodeRole.SEQUENCER))
                    .map(ClientReply.NodeLine::node)
                    .findFirst());
  }

  private List<Route> routes() {
    return status().map(ClientReply.StatusReport::ranges).orElse(List.of());
  }

  /** What the first node knows, unless it refuses or takes more than a second. */
  private Optional<ClientReply.StatusReport> status() {
    List<ClientReply> found = new ArrayList<>();
    call(-1, nodes().getFirst(), new ClientRequest.Status(Optional.empty()), found::add);
    for (int i = 0; i < 1_000 && found.isEmpty(); i++) {
      run(MILLI);
    }
    return found.stream()
        .filter(ClientReply.StatusReport.class::isInstance)
        .map(ClientReply.StatusReport.class::cast)
        .findFirst();
  }

  private void run(long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.scheduler().step(until)) {
      // On with the next task.
    }
    if (!world.violations().isEmpty()) {
      throw new IllegalStateException(world.violations().getFirst().toString());
    }
  }

  /** Sends a client's request; what is asked of a node is answered there. */
  public void call(long client, NodeId node, ClientRequest request, Consumer<ClientReply> then) {
    Connection connection =
        connections.computeIfAbsent(new Ends(client, node), _ -> opened(client, node));
    long correlation = ++connection.calls;
    if (!(request instanceof ClientRequest.EndSnapshot)) {
      connection.waiting.put(correlation, then);
    }
    cluster.network().call(connection.id, correlation, request);
  }

  private Connection opened(long client, NodeId node) {
    Connection connection = new Connection();
    connection.id = cluster.network().connect(client, node, connection);
    if (connection.id == 0) {
      throw new IllegalStateException(node + " is not up");
    }
    cluster
        .network()
        .call(connection.id, ++connection.calls, new ClientRequest.Hello(1, "client" + client));
    return connection;
  }
}
