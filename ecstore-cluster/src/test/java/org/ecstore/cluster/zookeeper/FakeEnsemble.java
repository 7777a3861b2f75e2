package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * The servers of ZooKeeper in virtual time: changes have one order, and each server follows it some
 * time later. Watches are a server's own, and fire when it comes to the change.
 */
final class FakeEnsemble {
  private static final int SERVERS = 3;
  private static final long HEALED_DELAY_NANOS = 10_000_000;

  /**
   * What the servers do to who uses them.
   *
   * @param lagNanosMax how far a server is behind at most
   * @param delayNanosMax what a message takes at most
   * @param deposedNanosMax for how long at most a server follows a leader that leads no more, and
   *     takes it for one: its syncs bring nothing up to date, and none of its writes is done; 0 if
   *     none ever does
   * @param deposedEveryNanosMax after so long at most another one does
   * @param breaks how likely it is that a connection breaks at a write, before or after it is done
   */
  record Faults(
      long lagNanosMax,
      long delayNanosMax,
      long deposedNanosMax,
      long deposedEveryNanosMax,
      double breaks) {}

  /**
   * A znode.
   *
   * @param owner the session that it ends with; 0 if it stays
   */
  record Znode(Bytes data, int version, long owner) {}

  /** A znode is made, replaced or, if it is absent now, deleted. */
  record Change(String path, @Nullable Znode now) {}

  /** What of a path is watched. */
  enum Watched {
    ZNODE,
    CHILDREN
  }

  /** Hears of a znode that is made or replaced, in the moment it is. */
  interface Writes {
    void written(long session, String path, Znode znode);
  }

  final Scheduler scheduler;
  final SimRandom random;
  final Faults faults;
  private final BooleanSupplier faulty;
  private final List<List<Change>> log = new ArrayList<>();
  private final TreeMap<String, Znode> latest = new TreeMap<>();
  private final List<Server> servers = new ArrayList<>();
  private final List<Writes> listeners = new ArrayList<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private Consumer<String> happened = _ -> {};
  private int sequence;
  private int deposals;
  private long sessions;

  FakeEnsemble(Scheduler scheduler, SimRandom random, Faults faults, BooleanSupplier faulty) {
    this.scheduler = scheduler;
    this.random = random;
    this.faults = faults;
    this.faulty = faulty;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new Server(random.between(1_000_000, faults.lagNanosMax())));
    }
    if (faults.deposedNanosMax() > 0) {
      deposeLater();
    }
  }

  /** One server at a time: the others are most. */
  private void deposeLater() {
    scheduler.after(
        random.between(1_000_000, faults.deposedEveryNanosMax()),
        () -> {
          if (isFaulty()) {
            depose(anyServer(), random.between(1_000_000, faults.deposedNanosMax()));
            deposeLater();
          }
        });
  }

  /** A server goes on following a leader that leads no more; not if another does already. */
  boolean depose(Server server, long nanos) {
    if (servers.stream().anyMatch(each -> each.deposed)) {
      return false;
    }
    deposals++;
    happened("a ZooKeeper server follows a leader that leads no more");
    server.deposed = true;
    server.deposedUntilNanos = scheduler.nowNanos() + nanos;
    List.copyOf(server.connected).forEach(session -> session.deposed(nanos));
    scheduler.after(nanos, server::restore);
    return true;
  }

  /** How many servers have taken one for their leader that was none. */
  int deposals() {
    return deposals;
  }

  boolean isOneDeposed() {
    return servers.stream().anyMatch(each -> each.deposed);
  }

  /** From now on each server follows the leader. */
  void heal() {
    servers.forEach(Server::restore);
  }

  void onWrite(Writes listener) {
    listeners.add(listener);
  }

  /** Tells of what is wanted to come about in some runs. */
  void onHappened(Consumer<String> listener) {
    happened = listener;
  }

  void happened(String what) {
    happened.accept(what);
  }

  /** Runs something after each change. */
  void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /** The names below a path, as they are. */
  List<String> children(String path) {
    return names(latest, path);
  }

  private static List<String> names(TreeMap<String, Znode> tree, String path) {
    String start = path + "/";
    return tree.tailMap(start, true).keySet().stream()
        .takeWhile(name -> name.startsWith(start))
        .map(name -> name.substring(start.length()))
        .filter(name -> name.indexOf('/') < 0)
        .toList();
  }

  /** Makes a znode that is there from the beginning, on all servers. */
  void prepare(String path) {
    commit(0, List.of(new Change(path, new Znode(Bytes.wrap(ZooKeeperSession.NOTHING), 0, 0))));
    servers.forEach(Server::catchUp);
  }

  Server anyServer() {
    return random.pick(servers);
  }

  /** One that can write down a new session. */
  Server serverForSession() {
    return random.pick(servers.stream().filter(server -> !server.deposed).toList());
  }

  /** Ids have all bits. */
  long newSession() {
    return (random.chance(0.5) ? Long.MIN_VALUE : 0) + ++sessions;
  }

  int nextSequence() {
    return sequence++;
  }

  boolean isFaulty() {
    return faulty.getAsBoolean();
  }

  /** What a message takes. */
  long delay() {
    long most = faults.delayNanosMax();
    return random.skewed(1_000, isFaulty() ? most : Math.min(most, HEALED_DELAY_NANOS));
  }

  boolean breaks() {
    return isFaulty() && random.chance(faults.breaks());
  }

  @Nullable Znode latest(String path) {
    return latest.get(path);
  }

  boolean hasParent(String path) {
    return latest.containsKey(path.substring(0, path.lastIndexOf('/')));
  }

  /** A session changes all or nothing; every server follows. */
  void commit(long session, List<Change> changes) {
    for (Change change : changes) {
      if (change.now() == null) {
        latest.remove(change.path());
      } else {
        latest.put(change.path(), change.now());
        listeners.forEach(each -> each.written(session, change.path(), change.now()));
      }
    }
    afterCommit.forEach(Runnable::run);
    log.add(changes);
    int upTo = log.size();
    for (Server server : servers) {
      long lag = random.between(1_000, isFaulty() ? server.lagNanosMax : 1_000_000);
      scheduler.after(lag, () -> server.follow(upTo));
    }
  }

  /** Ends what belongs to a session. */
  void endSession(long id) {
    List<Change> gone = new ArrayList<>();
    latest.forEach(
        (path, znode) -> {
          if (znode.owner() == id) {
            gone.add(new Change(path, null));
          }
        });
    if (!gone.isEmpty()) {
      commit(id, gone);
    }
  }

  /** Whether what is watched has changed between two states that a server has come to. */
  private boolean changed(Watched what, String path, int from, int to) {
    for (List<Change> changes : log.subList(Math.min(from, to), to)) {
      for (Change change : changes) {
        boolean own = change.path().equals(path);
        boolean child = parent(change.path()).equals(path);
        if (what == Watched.ZNODE ? own : child) {
          return true;
        }
      }
    }
    return false;
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  /** One of the servers. */
  final class Server {
    private final TreeMap<String, Znode> tree = new TreeMap<>();
    private final Map<String, Set<FakeSession>> ofZnode = new LinkedHashMap<>();
    private final Map<String, Set<FakeSession>> ofChildren = new LinkedHashMap<>();
    private final long lagNanosMax;
    private final List<FakeSession> connected = new ArrayList<>();
    private boolean deposed;
    private long deposedUntilNanos;
    private int applied;

    Server(long lagNanosMax) {
      this.lagNanosMax = lagNanosMax;
    }

    int applied() {
      return applied;
    }

    void catchUp() {
      follow(log.size());
    }

    /** For how long it still is. */
    long deposedNanos() {
      return deposedUntilNanos - scheduler.nowNanos();
    }

    boolean isDeposed() {
      return deposed;
    }

    void connect(FakeSession session) {
      connected.add(session);
    }

    void disconnect(FakeSession session) {
      connected.remove(session);
      ofZnode.values().forEach(sessions -> sessions.remove(session));
      ofChildren.values().forEach(sessions -> sessions.remove(session));
    }

    /** It finds the leader, and lets all clients go meanwhile. */
    private void restore() {
      if (!deposed) {
        return;
      }
      List.copyOf(connected).forEach(FakeSession::broken);
      deposed = false;
      catchUp();
    }

    void follow(int upTo) {
      while (!deposed && applied < upTo) {
        List<Change> changes = log.get(applied);
        applied++;
        changes.forEach(this::apply);
      }
    }

    private void apply(Change change) {
      String path = change.path();
      String parent = parent(path);
      if (change.now() == null) {
        tree.remove(path);
        fire(Watched.ZNODE, path, EventType.NodeDeleted);
        fire(Watched.CHILDREN, parent, EventType.NodeChildrenChanged);
      } else if (tree.put(path, change.now()) == null) {
        fire(Watched.ZNODE, path, EventType.NodeCreated);
        fire(Watched.CHILDREN, parent, EventType.NodeChildrenChanged);
      } else {
        fire(Watched.ZNODE, path, EventType.NodeDataChanged);
      }
    }

    private void fire(Watched what, String path, EventType type) {
      Optional.ofNullable(watches(what).remove(path))
          .ifPresent(sessions -> sessions.forEach(session -> session.fired(what, path, type)));
    }

    private Map<String, Set<FakeSession>> watches(Watched what) {
      return what == Watched.ZNODE ? ofZnode : ofChildren;
    }

    /** Tells a session of the next change. */
    void watch(Watched what, String path, FakeSession session) {
      watches(what).computeIfAbsent(path, _ -> new LinkedHashSet<>()).add(session);
    }

    /** As {@link #watch}; at once if there was a change since a state that the client has seen. */
    void watchAgain(Watched what, String path, FakeSession session, int seen) {
      if (changed(what, path, seen, applied)) {
        happened("a watch fires on another connection");
        session.fired(
            what,
            path,
            what == Watched.ZNODE ? EventType.NodeDataChanged : EventType.NodeChildrenChanged);
      } else {
        watch(what, path, session);
      }
    }

    @Nullable Znode find(String path) {
      return tree.get(path);
    }

    List<String> children(String path) {
      return names(tree, path);
    }
  }
}
