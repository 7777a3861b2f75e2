package org.ecstore.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.core.port.Event;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;

/**
 * Clients of a {@link ControlledRun}: what they ask for, what it takes of nodes and how long they
 * wait for it is a model, of a queue. They report it as real ones do.
 */
final class ModelledClients {
  private static final List<String> APPLICATIONS =
      List.of(ControlledRun.SHOP, ControlledRun.REPORTS, ControlledRun.LOGS);

  private static final double NODE_PER_SECOND = 1_000;
  private static final double SERVICE_NANOS = 5.0 * ControlledRun.MILLI;
  private static final double BUSY_MAX = 0.98;
  private static final int HALVINGS = 60;

  /** The number of a client, of those that the network knows. */
  private static final int BURSTING = 7;

  /** Applications that a client invents. */
  private static final int INVENTED = 5;

  private final World world;
  private final SimCluster cluster;
  private final ControlSight sight;
  private final SimRandom random;
  private final long reportNanos;
  private final Map<String, Double> demand = new HashMap<>();

  /** How many clients of applications ask again as soon as they are answered. */
  private final Map<String, Integer> waiting = new HashMap<>();

  /** What nodes let applications have. */
  private final Map<String, Double> limits = new HashMap<>();

  /** Which node has more to do than others, until primaries have moved. */
  private Optional<NodeId> hot = Optional.empty();

  private double hotTimes = 1;

  /** Which node has the few keys that much of what is asked for is of, and what part of it is. */
  private Optional<NodeId> hotKeys = Optional.empty();

  private double hotPart;

  /** Of a response time, what does not become less on more nodes. */
  private double fixedNanos;

  /** Where nodes are busier than that, such a part of the operations is refused at once. */
  private double refusedAbove = Double.POSITIVE_INFINITY;

  private double refusedPart;

  /** By how much a response time is longer than the model that the controller goes by says. */
  private double harder = 1;

  /** So many times as long as others' the response times of some applications are. */
  private final Map<String, Double> slower = new HashMap<>();

  /**
   * They ask for nothing yet.
   *
   * @param reportNanos how often they report
   */
  ModelledClients(
      World world, SimCluster cluster, ControlSight sight, SimRandom random, long reportNanos) {
    this.world = world;
    this.cluster = cluster;
    this.sight = sight;
    this.random = random;
    this.reportNanos = reportNanos;
  }

  /** An application asks for so many operations a second from now on. */
  void ask(String application, double perSecond) {
    demand.put(application, perSecond);
  }

  /** So many clients of an application ask again as soon as they are answered from now on. */
  void askAgain(String application, int clients) {
    waiting.put(application, clients);
  }

  void harder(double times) {
    harder = times;
  }

  /** An application's response times are so many times as long as others'. */
  void slower(String application, double times) {
    slower.put(application, times);
  }

  /** So much of a response time is always the same. */
  void fixed(long nanos) {
    fixedNanos = nanos;
  }

  /** Where nodes are busier than that, such a part of the operations is refused at once. */
  void refused(double above, double part) {
    refusedAbove = above;
    refusedPart = part;
  }

  /** A node has so many times as much to do as the others, until primaries have moved. */
  void hot(NodeId node, double times) {
    hot = Optional.of(node);
    hotTimes = times;
  }

  /**
   * Such a part of all that is asked for is of few keys, which one node has: also where primaries
   * move, as these take the keys along. Once they have hot-spot replicas all nodes answer it alike.
   */
  void hotKeys(NodeId node, double part) {
    hotKeys = Optional.of(node);
    hotPart = part;
  }

  /**
   * The part of all that is asked for which one node alone can answer: hot keys get replicas where
   * that node was told a threshold that their reads are above.
   */
  private double onOneNode() {
    boolean isShared =
        hotKeys
            .flatMap(sight::host)
            .filter(host -> host.machine() instanceof Node node && isAbove(node.hotThreshold()))
            .isPresent();
    return isShared ? 0 : hotPart;
  }

  private boolean isAbove(long threshold) {
    return threshold > 0 && hotPart * atRates() >= threshold;
  }

  /** Primaries have moved. */
  void even() {
    hot = Optional.empty();
  }

  /**
   * What the node that leads tells nodes that applications may have; while none leads, as before.
   */
  void lookAtLimits() {
    if (sight.book().caps().isEmpty()) {
      limits.clear();
    } else if (sight.leader().isPresent()
        && CalmCluster.leader(cluster).machine() instanceof Node node) {
      node.control()
          .ifPresent(
              control -> {
                limits.clear();
                control.limits().stream()
                    .filter(limit -> limit.perSecond() > 0)
                    .forEach(limit -> limits.put(limit.application(), (double) limit.perSecond()));
              });
    }
  }

  private double has(String application) {
    return Math.min(
        demand.getOrDefault(application, 0.0),
        limits.getOrDefault(application, Double.POSITIVE_INFINITY));
  }

  private double hotTimes() {
    return hot.isPresent() ? hotTimes : 1;
  }

  /** Operations a second that are asked for however long they take, of all applications. */
  private double atRates() {
    return demand.keySet().stream().mapToDouble(this::has).sum();
  }

  private int clientsWaiting() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Operations a second that clients which wait for answers bring about: each one in each response
   * time, which is longer the more these are.
   */
  private double ofWaiting(int nodes) {
    int clients = clientsWaiting();
    double low = 0;
    double high = clients * ControlledRun.SECOND / (fixedNanos + harder * SERVICE_NANOS);
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      boolean isTooFew =
          clients * ControlledRun.SECOND > middle * responseNanos(nodes, atRates() + middle);
      low = isTooFew ? middle : low;
      high = isTooFew ? high : middle;
    }
    return low;
  }

  /** Operations a second, of all applications. */
  private double all(int nodes) {
    return atRates() + ofWaiting(nodes);
  }

  /** How much of its capacity the node with the hot keys uses, or one of those without any. */
  private double busy(boolean hasHotKeys, int nodes, double perSecond) {
    double alone = onOneNode();
    double here = (1 - alone) / Math.max(1, nodes) + (hasHotKeys ? alone : 0);
    return Math.min(BUSY_MAX, here * perSecond / NODE_PER_SECOND);
  }

  /** How much of its capacity a node uses, as a share of it. */
  double busy(NodeId of) {
    double times = hot.equals(Optional.of(of)) ? hotTimes : 1;
    boolean hasHotKeys = hotKeys.equals(Optional.of(of));
    int nodes = sight.places();
    return Math.min(BUSY_MAX, times * busy(hasHotKeys, nodes, all(nodes)));
  }

  /** What a response time is on so many nodes, in nanoseconds. */
  double responseNanos(int nodes) {
    return responseNanos(nodes, all(nodes));
  }

  private double responseNanos(int nodes, double perSecond) {
    double busy = Math.min(BUSY_MAX, hotTimes() * busy(hotKeys.isPresent(), nodes, perSecond));
    return fixedNanos + harder * SERVICE_NANOS / (1 - busy);
  }

  /** Each application tells a node what it has had since it did last. */
  void report() {
    List<SimHost> up =
        cluster.hosts().stream().filter(host -> host.machine() instanceof Node).toList();
    if (up.isEmpty()) {
      return;
    }
    int nodes = sight.places();
    double ofOne = ofWaiting(nodes) / Math.max(1, clientsWaiting());
    for (String application : APPLICATIONS) {
      long nanos = Math.round(responseNanos(nodes) * slower.getOrDefault(application, 1.0));
      double perSecond = has(application) + waiting.getOrDefault(application, 0) * ofOne;
      long operations = Math.round(perSecond * reportNanos / ControlledRun.SECOND);
      if (operations > 0) {
        boolean isRefused = busy(false, nodes, all(nodes)) > refusedAbove;
        long refused = isRefused ? Math.round(operations * refusedPart) : 0;
        long[] counts = new long[LatencySketch.INTERVALS];
        counts[LatencySketch.interval(nanos)] = operations - refused;
        counts[LatencySketch.INTERVALS - 1] = refused;
        ServiceSample sample =
            new ServiceSample("", operations, refused, nanos, LatencySketch.of(counts));
        random
            .pick(up)
            .currentLife()
            .post(new Event.Reported(1, application, ServiceFields.report(List.of(sample))));
      }
    }
  }

  /** A client tells all nodes of more applications and tables than they tell apart. */
  void invent() {
    List<ServiceSample> samples = new ArrayList<>();
    for (int i = 0; i < ServiceFields.SAMPLES_MAX; i++) {
      samples.add(new ServiceSample("t" + i, 1, 0, 1, LatencySketch.of(new long[] {1})));
    }
    for (SimHost host : sight.running()) {
      for (int i = 0; i < INVENTED; i++) {
        host.currentLife()
            .post(new Event.Reported(1, "invented" + i, ServiceFields.report(samples)));
      }
    }
  }

  /**
   * So many reads at once of a node, by clients that each say that they are another application.
   */
  List<List<ClientReply>> bursts(List<String> applications, int reads) {
    return bursts(sight.running().getFirst(), applications, reads);
  }

  /** As above, of a certain node. */
  List<List<ClientReply>> bursts(SimHost host, List<String> applications, int reads) {
    List<List<ClientReply>> all = new ArrayList<>();
    List<Long> connections = new ArrayList<>();
    for (String application : applications) {
      List<ClientReply> replies = new ArrayList<>();
      long connection = connection(host, BURSTING + all.size(), replies);
      host.currentLife().post(new Event.Greeted(connection, application));
      connections.add(connection);
      all.add(replies);
    }
    CalmCluster.run(world, ControlledRun.SECOND);
    Bytes key = Tuple.of("t", "k").encode();
    for (int i = 1; i <= reads; i++) {
      for (long connection : connections) {
        cluster
            .network()
            .call(
                connection,
                i,
                new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), Epoch.ZERO, List.of(key)));
      }
    }
    CalmCluster.run(world, ControlledRun.SECOND);
    return all;
  }

  private long connection(SimHost host, int client, List<ClientReply> replies) {
    return cluster
        .network()
        .connect(
            client,
            host.id(),
            new SimNetwork.ClientEnd() {
              @Override
              public void replied(long correlation, ClientReply reply) {
                replies.add(reply);
              }

              @Override
              public void broken() {}
            });
  }
}
