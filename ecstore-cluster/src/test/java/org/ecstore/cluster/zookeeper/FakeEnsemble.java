package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
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

  /**
   * What the servers do to who uses them.
   *
   * @param lagNanosMax how far a server is behind at most
   * @param delayNanosMax what a message takes at most
   * @param deposedNanosMax for how long at most a server follows a leader that leads no more, and
   *     takes it for one: its syncs bring nothing up to date, and none of its writes is done; 0 if
   *     none ever does
   */
  record Faults(long lagNanosMax, long delayNanosMax, long deposedNanosMax) {}

  /**
   * A znode.
   *
   * @param owner the session that it ends with; 0 if it stays
   */
  record Znode(Bytes data, int version, long owner) {}

  /** A znode is made, replaced or, if it is absent now, deleted. */
  record Change(String path, @Nullable Znode now) {}

  /** Who wants to hear of a path. */
  interface Ear {
    void hear(EventType type, String path);
  }

  final Scheduler scheduler;
  final SimRandom random;
  final Faults faults;
  private final BooleanSupplier faulty;
  private final List<List<Change>> log = new ArrayList<>();
  private final TreeMap<String, Znode> latest = new TreeMap<>();
  private final List<Server> servers = new ArrayList<>();
  private final List<BiConsumer<String, Znode>> listeners = new ArrayList<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private int sequence;
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
        random.between(1_000_000, faults.deposedNanosMax()),
        () -> {
          if (isFaulty()) {
            Server server = anyServer();
            server.deposed = true;
            scheduler.after(
                random.between(1_000_000, faults.deposedNanosMax()),
                () -> {
                  server.restore();
                  deposeLater();
                });
          }
        });
  }

  /** Tells of every znode that is made or replaced, in the moment it is. */
  void onWrite(BiConsumer<String, Znode> listener) {
    listeners.add(listener);
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
    commit(List.of(new Change(path, new Znode(Bytes.wrap(ZooKeeperSession.NOTHING), 0, 0))));
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

  long delay() {
    return random.skewed(1_000, faults.delayNanosMax());
  }

  @Nullable Znode latest(String path) {
    return latest.get(path);
  }

  boolean hasParent(String path) {
    return latest.containsKey(path.substring(0, path.lastIndexOf('/')));
  }

  /** Changes all or nothing; every server follows. */
  void commit(List<Change> changes) {
    for (Change change : changes) {
      if (change.now() == null) {
        latest.remove(change.path());
      } else {
        latest.put(change.path(), change.now());
        listeners.forEach(each -> each.accept(change.path(), change.now()));
      }
    }
    afterCommit.forEach(Runnable::run);
    log.add(List.copyOf(changes));
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
      commit(gone);
    }
  }

  /** One of the servers. */
  final class Server {
    private final TreeMap<String, Znode> tree = new TreeMap<>();
    private final Map<String, List<Ear>> ofZnode = new LinkedHashMap<>();
    private final Map<String, List<Ear>> ofChildren = new LinkedHashMap<>();
    private final long lagNanosMax;
    private final List<FakeSession> connected = new ArrayList<>();
    private boolean deposed;
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

    boolean isDeposed() {
      return deposed;
    }

    void connect(FakeSession session) {
      connected.add(session);
    }

    void disconnect(FakeSession session) {
      connected.remove(session);
    }

    /** It finds the leader, and lets all clients go meanwhile. */
    private void restore() {
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
      String parent = path.substring(0, path.lastIndexOf('/'));
      if (change.now() == null) {
        tree.remove(path);
        fire(ofZnode, path, EventType.NodeDeleted);
        fire(ofChildren, parent, EventType.NodeChildrenChanged);
      } else if (tree.put(path, change.now()) == null) {
        fire(ofZnode, path, EventType.NodeCreated);
        fire(ofChildren, parent, EventType.NodeChildrenChanged);
      } else {
        fire(ofZnode, path, EventType.NodeDataChanged);
      }
    }

    private void fire(Map<String, List<Ear>> watches, String path, EventType type) {
      List<Ear> ears = watches.remove(path);
      if (ears != null) {
        ears.forEach(ear -> ear.hear(type, path));
      }
    }

    void watchZnode(String path, Ear ear) {
      ofZnode.computeIfAbsent(path, _ -> new ArrayList<>()).add(ear);
    }

    void watchChildren(String path, Ear ear) {
      ofChildren.computeIfAbsent(path, _ -> new ArrayList<>()).add(ear);
    }

    @Nullable Znode find(String path) {
      return tree.get(path);
    }

    List<String> children(String path) {
      return names(tree, path);
    }
  }
}
