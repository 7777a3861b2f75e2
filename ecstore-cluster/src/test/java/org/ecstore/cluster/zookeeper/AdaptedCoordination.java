package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Change;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Znode;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.node.SimCoordination;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * The coordination of a simulated cluster whose nodes reach it by the real adapter: each life of a
 * node has a {@link ProcessCoordination} and a client of its own, over servers of ZooKeeper that
 * are faked, in virtual time. What the world does to coordination is done to these: who is cut off
 * or stands still is not heard of, who is dead stays a member until its session ends, and a hint
 * that lies is a server that follows a leader that leads no more.
 */
final class AdaptedCoordination implements SimCoordination {
  private static final long MILLI = SwarmSettings.MILLI;

  /** A run goes on for longer than that when all is healed. */
  private static final long END_NANOS = 12 * SwarmSettings.SECOND;

  private static final int END_TRIES = 40;

  private final World world;
  private final SimRandom random;
  private final Layout layout = Layout.of("sim");
  private final FakeEnsemble ensemble;
  private final ZooKeeperSettings settings;
  private final ProcessCoordination.Parts parts;
  private final KnownCoordination known;
  private final boolean someAreNextToLead;
  private final long displacesNanos;
  private final Map<NodeId, Long> cutUntilNanos = new TreeMap<>();

  /** Dead ones too: what they have sent still arrives. */
  private final List<OneProcess> processes = new ArrayList<>();

  private Consumer<NodeId> onChange = _ -> {};

  /**
   * A coordination.
   *
   * @param parts of which the adapters are made, right ones or with a planted bug
   */
  AdaptedCoordination(
      World world, SwarmSettings.CoordinationFaults drawn, ProcessCoordination.Parts parts) {
    this.world = world;
    this.parts = parts;
    this.random = world.random("adapted coordination");
    this.ensemble =
        new FakeEnsemble(world.scheduler(), world.random("ensemble"), faults(drawn), world::faulty);
    layout.permanent().forEach(ensemble::prepare);
    this.settings =
        ZooKeeperSettings.defaults()
            .withSession(Duration.ofNanos(drawn.sessionNanos()))
            .withCallWithin(Duration.ofMillis(random.between(300, 5_000)));
    this.someAreNextToLead = random.chance(0.5);
    this.displacesNanos = random.chance(0.7) ? 0 : random.between(5, 60) * SwarmSettings.SECOND;
    this.known = new KnownCoordination(world, ensemble, layout);
    ensemble.onHappened(world::happened);
    ensemble.onWrite(this::written);
    ensemble.afterCommit(known::look);
  }

  private static FakeEnsemble.Faults faults(SwarmSettings.CoordinationFaults drawn) {
    return new FakeEnsemble.Faults(
        Math.max(MILLI, drawn.eventNanosMax()),
        Math.max(MILLI / 10, drawn.callNanosMax() / 2),
        drawn.staleNanosMax() < 10 * MILLI ? 0 : drawn.staleNanosMax(),
        6 * SwarmSettings.SECOND,
        drawn.casUnknown() / 4);
  }

  private void written(long session, String path, Znode znode) {
    for (OneProcess process : processes) {
      if (process.has(session) && known.written(process.life.name(), path, znode)) {
        world.trace().mix(znode.version());
        world.line("coordination", process.life.node() + " set " + path + " to " + znode.version());
        onChange.accept(process.life.node());
      }
    }
  }

  @Override
  public void onChange(Consumer<NodeId> listener) {
    onChange = listener;
  }

  @Override
  public Optional<Bytes> value(String key) {
    return Optional.ofNullable(ensemble.latest(layout.value(key))).map(Znode::data);
  }

  @Override
  public Optional<NodeId> leader() {
    return known.leader();
  }

  @Override
  public long suspicions() {
    return known.suspicions();
  }

  @Override
  public Coordination port(Life life) {
    return begin(life).port;
  }

  private OneProcess begin(Life life) {
    OneProcess process = new OneProcess(life);
    processes.add(process);
    process.service.start();
    return process;
  }

  private Stream<OneProcess> living(NodeId node) {
    return List.copyOf(processes).stream()
        .filter(process -> process.isAlive && process.life.node().equals(node));
  }

  @Override
  public void crashed(Life life) {
    living(life.node()).filter(process -> process.life.equals(life)).forEach(OneProcess::die);
  }

  @Override
  public void cutOff(NodeId node, long nanos) {
    cutUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
    living(node).forEach(process -> process.client.cutOff(nanos));
  }

  @Override
  public void stopped(NodeId node, long nanos) {
    living(node).forEach(process -> process.client.pause(nanos));
  }

  @Override
  public void heal() {
    ensemble.heal();
    cutUntilNanos.clear();
    for (OneProcess process : List.copyOf(processes)) {
      if (process.life instanceof Stranger) {
        process.leave();
      } else {
        process.client.heal();
      }
    }
    world.scheduler().after(END_NANOS, () -> checkEnd(END_TRIES));
  }

  /** Something may change just now; in the end all know how things are. */
  private void checkEnd(int tries) {
    List<String> lacking =
        processes.stream()
            .filter(process -> process.isAlive && process.life.isAlive())
            .flatMap(process -> process.port.lacks().stream())
            .toList();
    if (!lacking.isEmpty() && tries > 0) {
      world.scheduler().after(END_NANOS / END_TRIES, () -> checkEnd(tries - 1));
    } else if (!lacking.isEmpty()) {
      world.violated("all are told in the end how coordination is", lacking.getFirst());
    }
  }

  @Override
  public void expire(NodeId node) {
    processes.stream()
        .filter(process -> process.life.node().equals(node))
        .flatMap(process -> process.client.session().stream())
        .forEach(FakeSession::expire);
  }

  @Override
  public void expireLiving(NodeId node, long nanos) {
    living(node)
        .forEach(process -> process.client.expire(Math.min(nanos, settings.session().toNanos())));
  }

  @Override
  public long displacesNanos() {
    return displacesNanos;
  }

  @Override
  public void displace(NodeId node, long nanos) {
    known
        .entry(node)
        .ifPresent(
            entry -> {
              Stranger life = new Stranger(node, processes.size());
              OneProcess process = begin(life);
              process.join(entry.member().info());
              world.scheduler().after(nanos, random.chance(0.5) ? process::die : process::leave);
            });
  }

  /** Its server follows a leader that leads no more: it is the last to learn that it does not. */
  @Override
  public void splitHint(long nanos) {
    known
        .leader()
        .flatMap(known::entry)
        .flatMap(this::sessionOf)
        .filter(session -> session.isConnected() && ensemble.depose(session.server(), nanos))
        .ifPresent(FakeSession::expire);
  }

  private Optional<FakeSession> sessionOf(MemberEntry entry) {
    return processes.stream()
        .flatMap(process -> process.client.session().stream())
        .filter(session -> session.id() == entry.session())
        .findFirst();
  }

  /** One member takes the leader for dead, or the leader stands back. */
  @Override
  public void flapHint() {
    known.leader().flatMap(known::entry).ifPresent(this::flap);
  }

  private void flap(MemberEntry leader) {
    Change gone = new Change(layout.members() + "/" + leader.name(), null);
    if (world.faulty() && random.chance(0.5)) {
      known.suspected(leader.member().node(), leader.member().incarnation());
      ensemble.commit(0, List.of(gone));
    } else {
      String prefix = MemberEntry.prefix(leader.member(), leader.session(), OptionalInt.empty());
      String name = layout.members() + "/" + prefix + "%010d".formatted(ensemble.nextSequence());
      Znode last = new Znode(Bytes.wrap(ZooKeeperSession.NOTHING), 0, leader.session());
      ensemble.commit(0, List.of(gone, new Change(name, last)));
    }
  }

  /** One life of a node: its session, its adapter. */
  private final class OneProcess {
    private final Life life;
    private final FakeClient client;
    private final ProcessCoordination service;
    private final CheckedCoordination port;
    private boolean isAlive = true;

    OneProcess(Life life) {
      this.life = life;
      this.client =
          new FakeClient(
              ensemble, settings.session().toNanos(), cutUntilNanos.getOrDefault(life.node(), 0L));
      this.service =
          new ProcessCoordination(
              "servers",
              layout,
              new FakeWorker(
                  world.scheduler(), () -> isAlive, life::pausedUntilNanos, this::failed),
              client::current,
              settings.withNextToLead(someAreNextToLead && life.node().value() % 2 == 0),
              log(),
              parts);
      client.onChange(service::connectionChanged);
      this.port =
          new CheckedCoordination(world, life, known, sink -> service.handle(life.node(), sink));
    }

    private void failed(Throwable bug) {
      world.violated("the coordination's adapter throws nothing", life.name() + ": " + bug);
    }

    private OperatorLog log() {
      return new OperatorLog() {
        @Override
        public void info(String text) {
          world.line("coordination", life.name() + ": " + text);
        }

        @Override
        public void warn(String text) {
          world.line("coordination", life.name() + " warns: " + text);
        }
      };
    }

    boolean has(long session) {
      return client.session().filter(own -> own.id() == session).isPresent();
    }

    /** It joins by itself, and does nothing else. */
    void join(Coordination.MemberInfo info) {
      if (isAlive) {
        port.join(0, life.node(), info);
        world
            .scheduler()
            .after(
                6 * SwarmSettings.SECOND,
                () -> {
                  if (!port.hasJoined()) {
                    join(info);
                  }
                });
      }
    }

    void die() {
      if (isAlive) {
        isAlive = false;
        client.die();
      }
    }

    /** It ends its session, and itself. */
    void leave() {
      die();
      client.session().ifPresent(FakeSession::expire);
    }
  }

  /** A process that is no part of the cluster. */
  private record Stranger(NodeId node, int number) implements Life {
    @Override
    public String name() {
      return node.value() + "/stranger " + number;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public long pausedUntilNanos() {
      return 0;
    }

    @Override
    public void post(Event event) {}

    @Override
    public void joined(long incarnation) {}
  }
}
