package org.ecstore.cluster.zookeeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Change;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Server;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Watched;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Znode;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A session with servers in virtual time. Requests and answers of a connection keep their order;
 * when it breaks, some of the requests that are on their way still arrive, the first of them, and
 * none is answered. The client goes to no server that knows less than it has been told, but perhaps
 * to one that does not know what was done without an answer. Its watches go with it, and those that
 * were missed fire then. They end with the session.
 */
final class FakeSession implements AsyncZooKeeper {
  private final FakeEnsemble ensemble;
  private final long id;
  private final Owner owner;
  private final Set<Watch> watches = new LinkedHashSet<>();
  private final Deque<Request> outstanding = new ArrayDeque<>();
  private Server server;
  private int connection;
  private boolean connected = true;
  private boolean expired;

  /** The newest state of the servers that the client was told of. */
  private int seen;

  private long silentUntilNanos;
  private long lastArrivalNanos;
  private long lastReplyNanos;

  /** Keeps the session, for a process. */
  interface Owner {
    /** A server has broken the connection. */
    void broken();

    /** The server does not hear from its leader for so long whether the session is in use. */
    void unheard(long nanos);
  }

  private record Watch(Watched what, String path, Watcher watcher) {}

  private static final Watcher NONE = _ -> {};

  private interface Effect {
    /** Does it at a server; returns what tells the client. */
    Runnable at(Server server);
  }

  private static final class Request {
    final boolean isWrite;
    final Effect effect;
    final IntConsumer failed;
    final int connection;
    boolean arrived;
    boolean open = true;
    boolean survives;

    Request(boolean isWrite, Effect effect, IntConsumer failed, int connection) {
      this.isWrite = isWrite;
      this.effect = effect;
      this.failed = failed;
      this.connection = connection;
    }
  }

  /** Begins one. */
  FakeSession(FakeEnsemble ensemble, Owner owner) {
    this.owner = owner;
    this.ensemble = ensemble;
    this.id = ensemble.newSession();
    this.server = ensemble.serverForSession();
    server.connect(this);
  }

  long id() {
    return id;
  }

  boolean isConnected() {
    return connected;
  }

  Server server() {
    return server;
  }

  /** Whether its server would not know that it has expired. */
  boolean isAtDeposed() {
    return connected && server.isDeposed();
  }

  boolean isExpired() {
    return expired;
  }

  /** The connection breaks. */
  void disconnect() {
    if (!connected) {
      return;
    }
    connected = false;
    server.disconnect(this);
    connection++;
    boolean survive = true;
    for (Request request : outstanding) {
      if (!request.arrived) {
        survive = survive && ensemble.random.chance(0.7);
        request.survives = survive;
      }
    }
    List<Request> lost = List.copyOf(outstanding);
    outstanding.clear();
    int code = (expired ? Code.SESSIONEXPIRED : Code.CONNECTIONLOSS).intValue();
    for (Request request : lost) {
      request.open = false;
      request.failed.accept(code);
    }
  }

  /** The same session, perhaps at another server, which has all that this client has seen. */
  void reconnect() {
    connection++;
    connected = true;
    server = ensemble.anyServer();
    server.follow(seen);
    if (server.applied() < seen) {
      // A client goes to no server that knows less than it has seen.
      server = ensemble.serverForSession();
      server.follow(seen);
    }
    server.connect(this);
    lastArrivalNanos = 0;
    lastReplyNanos = 0;
    silentUntilNanos = 0;
    if (server.isDeposed()) {
      owner.unheard(server.deposedNanos());
    }
    watches.stream()
        .map(watch -> new Watch(watch.what(), watch.path(), NONE))
        .distinct()
        .forEach(watch -> server.watchAgain(watch.what(), watch.path(), this, seen));
  }

  /** Nothing of this connection gets through for a while; then all does, late. */
  void silence(long untilNanos) {
    silentUntilNanos = Math.max(silentUntilNanos, untilNanos);
  }

  /** Its server has no leader, and does not know. */
  void deposed(long nanos) {
    owner.unheard(nanos);
  }

  /** The server breaks the connection. */
  void broken() {
    if (connected) {
      disconnect();
      owner.broken();
    }
  }

  /** The servers have not heard of it for too long. */
  void expire() {
    if (!expired) {
      expired = true;
      ensemble.happened("a session of ZooKeeper ends");
      ensemble.endSession(id);
    }
  }

  private void read(Effect effect, IntConsumer failed) {
    send(false, effect, failed);
  }

  private void write(Effect effect, IntConsumer failed) {
    send(true, effect, failed);
  }

  private void send(boolean isWrite, Effect effect, IntConsumer failed) {
    if (!connected) {
      int code = (expired ? Code.SESSIONEXPIRED : Code.CONNECTIONLOSS).intValue();
      ensemble.scheduler.after(1, () -> failed.accept(code));
      return;
    }
    Request request = new Request(isWrite, effect, failed, connection);
    outstanding.add(request);
    lastArrivalNanos = Math.max(lastArrivalNanos, ensemble.scheduler.nowNanos() + ensemble.delay());
    ensemble.scheduler.at(lastArrivalNanos, () -> arrive(request));
  }

  boolean isSilent() {
    return silentUntilNanos > ensemble.scheduler.nowNanos();
  }

  private void arrive(Request request) {
    if (isSilent()) {
      ensemble.scheduler.at(silentUntilNanos, () -> arrive(request));
      return;
    }
    request.arrived = true;
    if (request.connection == connection) {
      if (expired && !server.isDeposed()) {
        reply(request, () -> request.failed.accept(Code.SESSIONEXPIRED.intValue()));
      } else {
        act(request);
      }
    } else if (request.survives
        && request.isWrite
        && !server.isDeposed()
        && !expired
        && request.connection + 1 == connection) {
      // Once the session has moved on to another connection, what came by the last is refused.
      request.effect.at(server);
    }
  }

  private void act(Request request) {
    if (request.isWrite && server.isDeposed()) {
      broken();
    } else if (request.isWrite && ensemble.breaks()) {
      ensemble.happened("a connection to ZooKeeper breaks at a write");
      if (ensemble.random.chance(0.5)) {
        request.effect.at(server);
      }
      broken();
    } else {
      reply(request, request.effect.at(server));
    }
  }

  private void reply(Request request, Runnable answer) {
    int state = server.applied();
    inOrder(
        () -> {
          if (request.open) {
            request.open = false;
            outstanding.remove(request);
            seen = Math.max(seen, state);
            answer.run();
          }
        });
  }

  private void inOrder(Runnable arrives) {
    lastReplyNanos = Math.max(lastReplyNanos, ensemble.scheduler.nowNanos() + ensemble.delay());
    ensemble.scheduler.at(lastReplyNanos, () -> unlessSilent(arrives));
  }

  private void unlessSilent(Runnable arrives) {
    if (isSilent()) {
      ensemble.scheduler.at(silentUntilNanos, () -> unlessSilent(arrives));
    } else {
      arrives.run();
    }
  }

  /** A server comes to a change that is watched. */
  void fired(Watched what, String path, EventType type) {
    int mine = connection;
    inOrder(
        () -> {
          if (mine == connection) {
            tell(what, path, type);
          }
        });
  }

  private void tell(Watched what, String path, EventType type) {
    List<Watch> told =
        watches.stream()
            .filter(watch -> watch.what() == what && watch.path().equals(path))
            .toList();
    told.forEach(watches::remove);
    told.forEach(
        watch -> watch.watcher().process(new WatchedEvent(type, KeeperState.SyncConnected, path)));
  }

  private static int code(Code code) {
    return code.intValue();
  }

  private static Stat stat(Znode znode) {
    Stat stat = new Stat();
    stat.setVersion(znode.version());
    stat.setEphemeralOwner(znode.owner());
    return stat;
  }

  /** What a step would change, or why it cannot. */
  private record Outcome(Code code, @Nullable Change change) {
    static Outcome failed(Code code) {
      return new Outcome(code, null);
    }
  }

  private Outcome creating(String path, byte[] data, CreateMode mode) {
    String name = mode.isSequential() ? path + "%010d".formatted(ensemble.nextSequence()) : path;
    if (!ensemble.hasParent(name)) {
      return Outcome.failed(Code.NONODE);
    }
    if (ensemble.latest(name) != null) {
      return Outcome.failed(Code.NODEEXISTS);
    }
    return new Outcome(
        Code.OK, new Change(name, new Znode(Bytes.wrap(data), 0, mode.isEphemeral() ? id : 0)));
  }

  private Outcome setting(String path, byte[] data, int version) {
    Znode found = ensemble.latest(path);
    if (found == null) {
      return Outcome.failed(Code.NONODE);
    }
    if (version >= 0 && version != found.version()) {
      return Outcome.failed(Code.BADVERSION);
    }
    return new Outcome(
        Code.OK, new Change(path, new Znode(Bytes.wrap(data), found.version() + 1, found.owner())));
  }

  private Outcome deleting(String path) {
    return ensemble.latest(path) == null
        ? Outcome.failed(Code.NONODE)
        : new Outcome(Code.OK, new Change(path, null));
  }

  private Outcome checking(String path, int version) {
    Znode found = ensemble.latest(path);
    if (found == null) {
      return Outcome.failed(Code.NONODE);
    }
    return Outcome.failed(found.version() == version ? Code.OK : Code.BADVERSION);
  }

  private void done(Server at, List<Change> changes) {
    ensemble.commit(id, changes);
    at.catchUp();
  }

  @Override
  public void create(String path, byte[] data, CreateMode mode, AsyncCallback.StringCallback then) {
    write(
        at -> {
          Outcome outcome = creating(path, data, mode);
          if (outcome.change() != null) {
            done(at, List.of(outcome.change()));
          }
          return () -> then.processResult(code(outcome.code()), path, null, path);
        },
        failed -> then.processResult(failed, path, null, null));
  }

  @Override
  public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback then) {
    write(
        at -> {
          Outcome outcome = setting(path, data, version);
          Change change = outcome.change();
          if (change == null || change.now() == null) {
            return () -> then.processResult(code(outcome.code()), path, null, null);
          }
          done(at, List.of(change));
          Stat stat = stat(change.now());
          return () -> then.processResult(code(Code.OK), path, null, stat);
        },
        failed -> then.processResult(failed, path, null, null));
  }

  @Override
  public void getData(String path, AsyncCallback.DataCallback then) {
    read(
        at -> {
          Znode found = at.find(path);
          return found == null
              ? () -> then.processResult(code(Code.NONODE), path, null, null, null)
              : () ->
                  then.processResult(code(Code.OK), path, null, found.data().array(), stat(found));
        },
        failed -> then.processResult(failed, path, null, null, null));
  }

  @Override
  public void exists(String path, Watcher watcher, AsyncCallback.StatCallback then) {
    read(
        at -> {
          at.watch(Watched.ZNODE, path, this);
          Znode found = at.find(path);
          return () -> {
            watches.add(new Watch(Watched.ZNODE, path, watcher));
            then.processResult(
                code(found == null ? Code.NONODE : Code.OK),
                path,
                null,
                found == null ? null : stat(found));
          };
        },
        failed -> then.processResult(failed, path, null, null));
  }

  @Override
  public void getChildren(
      String path, @Nullable Watcher watcher, AsyncCallback.ChildrenCallback then) {
    read(
        at -> {
          if (watcher != null) {
            at.watch(Watched.CHILDREN, path, this);
          }
          List<String> names = at.children(path);
          return () -> {
            if (watcher != null) {
              watches.add(new Watch(Watched.CHILDREN, path, watcher));
            }
            then.processResult(code(Code.OK), path, null, names);
          };
        },
        failed -> then.processResult(failed, path, null, null));
  }

  @Override
  public void sync(String path, AsyncCallback.VoidCallback then) {
    read(
        at -> {
          at.catchUp();
          return () -> then.processResult(code(Code.OK), path, null);
        },
        failed -> then.processResult(failed, path, null));
  }

  @Override
  public void delete(String path, AsyncCallback.VoidCallback then) {
    write(
        at -> {
          Outcome outcome = deleting(path);
          if (outcome.code() == Code.OK) {
            done(at, List.of(new Change(path, null)));
          }
          return () -> then.processResult(code(outcome.code()), path, null);
        },
        failed -> then.processResult(failed, path, null));
  }

  @Override
  public void multi(List<Op> steps, AsyncCallback.MultiCallback then) {
    write(
        at -> {
          List<Change> changes = new ArrayList<>();
          List<OpResult> results = new ArrayList<>();
          Code failed = Code.OK;
          for (Op step : steps) {
            Outcome outcome =
                failed == Code.OK ? of(step) : Outcome.failed(Code.RUNTIMEINCONSISTENCY);
            results.add(new OpResult.ErrorResult(code(outcome.code())));
            if (failed == Code.OK) {
              failed = outcome.code();
            }
            if (outcome.change() != null) {
              changes.add(outcome.change());
            }
          }
          if (failed == Code.OK) {
            done(at, changes);
          }
          int code = code(failed);
          return () -> then.processResult(code, null, null, results);
        },
        failed -> then.processResult(failed, null, null, null));
  }

  private Outcome of(Op step) {
    return switch (step.getType()) {
      case ZooDefs.OpCode.check ->
          checking(step.getPath(), ((CheckVersionRequest) step.toRequestRecord()).getVersion());
      case ZooDefs.OpCode.delete -> deleting(((DeleteRequest) step.toRequestRecord()).getPath());
      case ZooDefs.OpCode.create -> {
        CreateRequest request = (CreateRequest) step.toRequestRecord();
        yield creating(
            request.getPath(),
            request.getData(),
            CreateMode.fromFlag(request.getFlags(), CreateMode.PERSISTENT));
      }
      default -> throw new IllegalStateException("step of type " + step.getType());
    };
  }
}
