package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Network;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.RequestTable;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage;

/**
 * The network between nodes, which loses, doubles, delays and reorders messages and can be cut in
 * one direction; and the connections of clients, which keep order, as TCP does, but break and
 * stall. Everything passes the real codecs.
 */
public final class SimNetwork {
  /** Encodes and decodes, as the wire would. */
  public interface Codecs {
    Envelope transfer(Envelope envelope);

    ClientRequest transfer(ClientRequest request);

    ClientReply transfer(ClientReply reply);
  }

  /** A client's end of a connection. */
  public interface ClientEnd {
    void replied(long correlation, ClientReply reply);

    void broken();
  }

  private record Link(long from, long to) implements Comparable<Link> {
    @Override
    public int compareTo(Link other) {
      int byFrom = Long.compare(from, other.from);
      return byFrom != 0 ? byFrom : Long.compare(to, other.to);
    }
  }

  private static final class Connection {
    final long id;
    final long client;
    final SimHost host;
    final Life life;
    final ClientEnd end;
    final TreeMap<Long, ClientRequest> unanswered = new TreeMap<>();
    boolean open = true;
    long lastRequestNanos;
    long lastReplyNanos;

    Connection(long id, long client, SimHost host, ClientEnd end) {
      this.id = id;
      this.client = client;
      this.host = host;
      this.life = host.currentLife();
      this.end = end;
    }
  }

  private final World world;
  private final SwarmSettings.NetworkFaults faults;
  private final Codecs codecs;
  private final SimRandom random;
  private final Map<Long, SimHost> hosts = new TreeMap<>();
  private final Map<Long, Connection> connections = new TreeMap<>();
  private final Map<Link, Integer> cuts = new TreeMap<>();
  private final Map<Link, Long> lastArrival = new TreeMap<>();
  private final Map<Link, Long> slowUntilNanos = new TreeMap<>();
  private final List<Envelope> stray = new ArrayList<>();
  private Consumer<Envelope> onSend = envelope -> {};
  private NodeId favoured = new NodeId(0);
  private long favouredUntilNanos;
  private long connectionCount;
  private long heals;

  public SimNetwork(World world, SwarmSettings.NetworkFaults faults, Codecs codecs) {
    this.world = world;
    this.faults = faults;
    this.codecs = codecs;
    this.random = world.random("network");
  }

  /** Tells of every message between nodes, in the moment it is sent. */
  public void onSend(Consumer<Envelope> listener) {
    onSend = listener;
  }

  /** For a while many clients stay with one node, whatever it has lost. */
  public void favour(NodeId node, long nanos) {
    favoured = node;
    favouredUntilNanos = world.nowNanos() + nanos;
  }

  /** The node that clients stay with at present. */
  public Optional<NodeId> favoured() {
    boolean still = world.faulty() && world.nowNanos() < favouredUntilNanos;
    return still ? Optional.of(favoured) : Optional.empty();
  }

  /** For a while what is sent over a link arrives only at the end of it. */
  public void slow(long from, long to, long nanos) {
    slowUntilNanos.merge(new Link(from, to), world.nowNanos() + nanos, Math::max);
  }

  /** Copies of some messages that went astray, however long ago, arrive now. */
  public void deliverStray() {
    for (Envelope envelope : List.copyOf(stray)) {
      if (random.chance(0.4)) {
        stray.remove(envelope);
        deliver(envelope);
      }
    }
  }

  private void goAstray(Envelope envelope) {
    if (stray.size() < STRAY_MAX) {
      stray.add(envelope);
    } else {
      stray.set(random.between(0, STRAY_MAX - 1), envelope);
    }
  }

  /** Adds a machine. */
  public void add(SimHost host) {
    hosts.put(host.id().value(), host);
    host.onCrash((crashed, _) -> crashed(crashed));
  }

  /** Cuts that are mended together; others of the same links stay. */
  public final class Partition {
    private final List<Link> own = new ArrayList<>();
    private long healed = heals;

    private Partition() {}

    /** Cuts one direction; clients are numbered from {@link #CLIENTS} up. */
    public void cut(long from, long to) {
      forgetIfHealed();
      Link link = new Link(from, to);
      own.add(link);
      cuts.merge(link, 1, Integer::sum);
    }

    /** Mends what this one has cut. */
    public void mend() {
      forgetIfHealed();
      own.forEach(link -> cuts.computeIfPresent(link, (_, times) -> times == 1 ? null : times - 1));
      own.clear();
    }

    private void forgetIfHealed() {
      if (healed != heals) {
        own.clear();
        healed = heals;
      }
    }
  }

  /** The beginning of cuts that are mended together. */
  public Partition partition() {
    return new Partition();
  }

  /** Cuts one direction, until all is healed. */
  public void cut(long from, long to) {
    partition().cut(from, to);
  }

  /** Mends every cut. */
  public void heal() {
    heals++;
    cuts.clear();
  }

  private static final int STRAY_MAX = 100;

  /** Where the numbers of clients begin, as ends of a link. */
  public static final long CLIENTS = 1_000_000;

  /** The port of one life of a node. */
  public Network port(SimHost host) {
    Life life = host.currentLife();
    return new Network() {
      @Override
      public void send(NodeId to, ReadPoint point, NodeMessage message) {
        if (life.isAlive()) {
          SimNetwork.this.send(host, to, point, message);
        }
      }

      @Override
      public void reply(ClientCall call, ClientReply reply) {
        if (life.isAlive()) {
          SimNetwork.this.reply(host, call, reply);
        }
      }
    };
  }

  private void send(SimHost from, NodeId to, ReadPoint point, NodeMessage message) {
    if (to.equals(from.id())) {
      world.violated("a node never sends to itself", from.id() + " sends " + message);
      return;
    }
    Envelope envelope =
        codecs.transfer(new Envelope(from.id(), from.incarnation(), to, point, message));
    onSend.accept(envelope);
    deliver(envelope);
    if (world.faulty() && random.chance(faults.duplicate())) {
      if (random.chance(0.5)) {
        deliver(envelope);
      } else {
        goAstray(envelope);
      }
    }
    boolean commits = envelope.body() instanceof TxnMessage;
    if (commits && world.faulty() && faults.duplicate() > 0 && random.chance(0.1)) {
      goAstray(envelope);
    }
  }

  private void deliver(Envelope envelope) {
    Link link = new Link(envelope.from().value(), envelope.to().value());
    if (cuts.containsKey(link) || (world.faulty() && random.chance(faults.loss()))) {
      return;
    }
    long arrival = world.nowNanos() + delay();
    if (world.faulty()) {
      arrival = Math.max(arrival, slowUntilNanos.getOrDefault(link, 0L));
    }
    if (faults.ordered()) {
      arrival = Math.max(arrival, lastArrival.getOrDefault(link, 0L));
      lastArrival.put(link, arrival);
    }
    world
        .scheduler()
        .at(
            arrival,
            () -> {
              SimHost to = hosts.get(link.to());
              if (to != null && !cuts.containsKey(link)) {
                to.currentLife().post(new Event.Delivered(envelope));
              }
            });
  }

  private long delay() {
    if (world.faulty() && random.chance(faults.straggler())) {
      return random.between(faults.delayNanosMin(), faults.stragglerNanosMax());
    }
    return random.between(faults.delayNanosMin(), faults.delayNanosMax());
  }

  /** Opens a connection; 0 if the node is down or cannot be reached. */
  public long connect(long client, NodeId node, ClientEnd end) {
    SimHost host = hosts.get(node.value());
    if (host == null || !host.isUp() || isCut(client, host)) {
      return 0;
    }
    Connection connection = new Connection(++connectionCount, client, host, end);
    connections.put(connection.id, connection);
    return connection.id;
  }

  private boolean isCut(long client, SimHost host) {
    return cuts.containsKey(new Link(CLIENTS + client, host.id().value()));
  }

  /** Sends a request over a connection. */
  public void call(long connectionId, long correlation, ClientRequest request) {
    Connection connection = connections.get(connectionId);
    if (connection == null || !connection.open || isCut(connection.client, connection.host)) {
      return;
    }
    ClientRequest arriving = codecs.transfer(request);
    connection.lastRequestNanos = Math.max(world.nowNanos() + delay(), connection.lastRequestNanos);
    world
        .scheduler()
        .at(
            connection.lastRequestNanos,
            () -> {
              if (connection.open) {
                if (RequestTable.isAnswered(arriving)) {
                  connection.unanswered.put(correlation, arriving);
                }
                ClientCall call = new ClientCall(connection.id, correlation);
                connection.life.post(new Event.Called(call, arriving));
              }
            });
  }

  private void reply(SimHost host, ClientCall call, ClientReply reply) {
    Connection connection = connections.get(call.connection());
    if (connection == null || !connection.open) {
      return;
    }
    ClientRequest request = connection.unanswered.remove(call.correlation());
    if (request == null || !RequestTable.mayAnswer(request, reply)) {
      world.violated(
          Promises.REPLIED, host.id() + " answers " + call + ", " + request + ": " + reply);
      return;
    }
    if (cuts.containsKey(new Link(host.id().value(), CLIENTS + connection.client))) {
      return;
    }
    ClientReply arriving = codecs.transfer(reply);
    connection.lastReplyNanos = Math.max(world.nowNanos() + delay(), connection.lastReplyNanos);
    world
        .scheduler()
        .at(
            connection.lastReplyNanos,
            () -> {
              if (connection.open) {
                world.trace().mix(call.correlation());
                world.trace().mix(reply.getClass().getSimpleName());
                connection.end.replied(call.correlation(), arriving);
              }
            });
  }

  /** Closes a connection from the client's side; the node hears of it. */
  public void close(long connectionId) {
    Connection connection = connections.get(connectionId);
    if (connection != null && connection.open) {
      shut(connection);
      tellNode(connection);
    }
  }

  /**
   * Breaks some connections, telling both ends at different times; replies on their way are lost.
   */
  public void breakConnections(double share) {
    for (Connection connection : List.copyOf(connections.values())) {
      if (connection.open && random.chance(share)) {
        shut(connection);
        tellNode(connection);
        world.scheduler().after(delay(), connection.end::broken);
      }
    }
  }

  private void tellNode(Connection connection) {
    world
        .scheduler()
        .after(delay(), () -> connection.life.post(new Event.ClientGone(connection.id)));
  }

  private void crashed(SimHost host) {
    for (Connection connection : List.copyOf(connections.values())) {
      if (connection.host == host && connection.open) {
        shut(connection);
        world.scheduler().after(delay(), connection.end::broken);
      }
    }
  }

  private void shut(Connection connection) {
    connection.open = false;
    connections.remove(connection.id);
  }

  /** Requests that reached a node and have had no reply, for the end of a run. */
  public long unanswered() {
    return connections.values().stream().mapToLong(c -> c.unanswered.size()).sum();
  }
}
