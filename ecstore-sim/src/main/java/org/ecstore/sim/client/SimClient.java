package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * One client's state between transactions: its connections, its cached routes, its session token.
 * Calls that get no reply in time, or whose connection breaks, come back empty.
 */
public final class SimClient {
  private static final int REFUSALS_MAX = 8;
  private static final long LOCATE_TIMEOUT_NANOS = 1_000_000_000L;

  private static final class Connection implements SimNetwork.ClientEnd {
    private final SimClient owner;
    private final NodeId node;
    private final Map<Long, Consumer<Optional<ClientReply>>> waiting = new TreeMap<>();
    private long id;
    private long calls;

    Connection(SimClient owner, NodeId node) {
      this.owner = owner;
      this.node = node;
    }

    @Override
    public void replied(long correlation, ClientReply reply) {
      Consumer<Optional<ClientReply>> then = waiting.remove(correlation);
      if (then != null) {
        then.accept(Optional.of(reply));
      }
    }

    @Override
    public void broken() {
      owner.connections.remove(node, this);
      List<Consumer<Optional<ClientReply>>> all = new ArrayList<>(waiting.values());
      waiting.clear();
      all.forEach(then -> then.accept(Optional.empty()));
    }
  }

  private final World world;
  private final SimNetwork network;
  private final int number;
  private final SimRandom random;
  private final List<NodeId> nodes;
  private final NodeMutation.ClientBehaviour behaviour;
  private final Map<NodeId, Connection> connections = new HashMap<>();
  private final TreeMap<Bytes, Route> routes = new TreeMap<>();
  private ReadPoint token = ReadPoint.ZERO;
  private long catalogVersion;
  private final SimHotReplicas hotReplicas = new SimHotReplicas();
  private long sequence;
  private int refusals;

  public SimClient(
      World world,
      SimNetwork network,
      int number,
      List<NodeId> nodes,
      SimRandom random,
      NodeMutation.ClientBehaviour behaviour) {
    this.world = world;
    this.network = network;
    this.number = number;
    this.nodes = nodes;
    this.random = random;
    this.behaviour = behaviour;
  }

  int number() {
    return number;
  }

  NodeMutation.ClientBehaviour behaviour() {
    return behaviour;
  }

  SimRandom random() {
    return random;
  }

  World world() {
    return world;
  }

  ReadPoint token() {
    return token;
  }

  void saw(ReadPoint point) {
    token = ReadPoint.max(token, point);
  }

  /** The version of the catalog that it knows. */
  public long catalogVersion() {
    return catalogVersion;
  }

  /** Learns of a version of the catalog. */
  public void sawCatalog(long version) {
    catalogVersion = Math.max(catalogVersion, version);
  }

  long nextSequence() {
    return ++sequence;
  }

  NodeId anyNode() {
    NodeId any = random.pick(nodes);
    return random.chance(0.6) ? network.favoured().orElse(any) : any;
  }

  /**
   * A node to begin at. If those it knows take nothing for long, as one that was drained, it asks
   * where the least key lives and goes there, as the library does.
   */
  void nodeToBeginAt(Consumer<NodeId> then) {
    NodeId any = anyNode();
    if (refusals < REFUSALS_MAX) {
      then.accept(any);
      return;
    }
    refusals = 0;
    call(
        any,
        new ClientRequest.Locate(Bytes.EMPTY),
        LOCATE_TIMEOUT_NANOS,
        reply ->
            then.accept(
                reply.isPresent() && reply.get() instanceof ClientReply.Located located
                    ? located.route().primary()
                    : any));
  }

  /** Whether a node let it begin. */
  void begun(boolean done) {
    refusals = done ? 0 : refusals + 1;
  }

  /** What it was told of hot-spot replicas. */
  SimHotReplicas hotReplicas() {
    return hotReplicas;
  }

  /** A node with a copy of a range: a secondary with some probability, if there is one. */
  NodeId copyOf(Route route, double chance) {
    return !route.secondaries().isEmpty() && random.chance(chance)
        ? random.pick(route.secondaries()).node()
        : route.primary();
  }

  /** Sends a request and hands on its reply, or nothing once it is lost or late. */
  public void call(
      NodeId node, ClientRequest request, long timeoutNanos, Consumer<Optional<ClientReply>> then) {
    Connection connection = connections.get(node);
    if (connection == null) {
      Connection opened = new Connection(this, node);
      opened.id = network.connect(number, node, opened);
      if (opened.id == 0) {
        world
            .scheduler()
            .after(random.between(100_000L, 5_000_000L), () -> then.accept(Optional.empty()));
        return;
      }
      connections.put(node, opened);
      network.call(opened.id, ++opened.calls, new ClientRequest.Hello(1, "sim" + number));
      connection = opened;
    }
    Connection used = connection;
    long correlation = ++used.calls;
    used.waiting.put(correlation, then);
    network.call(used.id, correlation, request);
    world
        .scheduler()
        .after(
            timeoutNanos,
            () -> {
              Consumer<Optional<ClientReply>> late = used.waiting.remove(correlation);
              if (late != null) {
                if (random.chance(0.5) && connections.get(node) == used) {
                  network.close(used.id);
                  used.broken();
                }
                late.accept(Optional.empty());
              }
            });
  }

  /** Sends a request that has no reply, if there is a connection. */
  void tell(NodeId node, ClientRequest request) {
    Connection connection = connections.get(node);
    if (connection != null) {
      network.call(connection.id, ++connection.calls, request);
    }
  }

  /** The cached route of a key; null if there is none. */
  @Nullable Route routeOf(Bytes key) {
    Map.Entry<Bytes, Route> entry = routes.floorEntry(key);
    return entry != null && entry.getValue().keys().contains(key) ? entry.getValue() : null;
  }

  void forget(Route route) {
    routes.remove(route.keys().start(), route);
  }

  /** Takes in routes; of overlapping ones that of the later epoch stays. Whether any was new. */
  boolean learn(List<Route> learned) {
    boolean any = false;
    for (Route route : learned) {
      List<Route> overlapping = overlapping(route.keys());
      if (overlapping.stream().allMatch(old -> route.epoch().isAfter(old.epoch()))) {
        overlapping.forEach(old -> routes.remove(old.keys().start()));
        routes.put(route.keys().start(), route);
        any = true;
      }
    }
    return any;
  }

  private List<Route> overlapping(KeyRange keys) {
    return routes.values().stream().filter(route -> route.keys().overlaps(keys)).toList();
  }

  /** Finds the route of a key, from the cache or by asking; empty if no node could say. */
  void locate(Bytes key, Consumer<Optional<Route>> then) {
    Route cached = routeOf(key);
    if (cached != null && !random.chance(0.01)) {
      then.accept(Optional.of(cached));
      return;
    }
    call(
        anyNode(),
        new ClientRequest.Locate(key),
        LOCATE_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Located located) {
            learn(List.of(located.route()));
            Route found = routeOf(key);
            then.accept(Optional.of(found == null ? located.route() : found));
          } else {
            then.accept(Optional.empty());
          }
        });
  }
}
