package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Values with versions, and who watches them. Belongs to the worker.
 *
 * <p>Version 0 is an absent value; version v is a znode of version v - 1. Values are never deleted,
 * so versions never begin anew.
 *
 * <p>Before a value is read the server brings itself up to date with its leader, so a read is as
 * new as its beginning. That rests on the leader's belief that it leads. Where a stale read would
 * break a promise, after a compare-and-set of unknown outcome and at the beginning of a session, a
 * write of the barrier takes its place: it comes back only from a leader that most servers follow,
 * and after everything that it has accepted before.
 */
class Values {
  private static final Duration WATCH_AGAIN = Duration.ofMillis(200);

  private final Layout layout;
  private final Worker worker;
  private final Supplier<Optional<ZooKeeperSession>> session;
  private final int valueBytesMax;
  private final OperatorLog log;
  private final Map<String, Watched> watched = new TreeMap<>();

  /** How often it became doubtful what a plain read would show; and how often of these settled. */
  private long doubts = 1;

  private long doubtsSettled;

  private record Watched(String key, Set<Handle> handles) {}

  Values(
      Layout layout,
      Worker worker,
      Supplier<Optional<ZooKeeperSession>> session,
      int valueBytesMax,
      OperatorLog log) {
    this.layout = layout;
    this.worker = worker;
    this.session = session;
    this.valueBytesMax = valueBytesMax;
    this.log = log;
  }

  /** There is a connection again: changes may have been missed, and a new session knows nothing. */
  void connected() {
    doubts++;
    for (String path : List.copyOf(watched.keySet())) {
      fire(path);
    }
  }

  /** A node has ended: it hears no more. */
  void end(NodeId node) {
    watched.values().forEach(w -> w.handles().removeIf(handle -> handle.self().equals(node)));
    watched.values().removeIf(w -> w.handles().isEmpty());
  }

  void get(Call call, String key) {
    Optional<ZooKeeperSession> now = session.get();
    if (now.isEmpty()) {
      call.unknown(ZooKeeperSession.NO_CONNECTION);
      return;
    }
    Read read = new Read(call, doubts);
    if (isDoubtful()) {
      now.get()
          .client()
          .setData(
              layout.barrier(),
              ZooKeeperSession.NOTHING,
              -1,
              (int code, String _, Object _, Stat _) -> read.codeBefore = code);
    } else {
      now.get()
          .client()
          .sync(layout.value(key), (int code, String _, Object _) -> read.codeBefore = code);
    }
    now.get().client().getData(layout.value(key), read);
  }

  /** Whether a plain read may show less than this process knows to be there. */
  boolean isDoubtful() {
    return doubts > doubtsSettled;
  }

  /** A read, and what comes before it. The library answers both in order, on one thread. */
  private final class Read implements AsyncCallback.DataCallback {
    private final Call call;
    private final long settles;
    private int codeBefore = Code.CONNECTIONLOSS.intValue();

    Read(Call call, long settles) {
      this.call = call;
      this.settles = settles;
    }

    @Override
    public void processResult(
        int code, String path, Object context, byte @Nullable [] data, @Nullable Stat stat) {
      int before = codeBefore;
      worker.execute(() -> done(before, code, data, stat));
    }

    private void done(int before, int code, byte @Nullable [] data, @Nullable Stat stat) {
      if (!ZooKeeperSession.is(before, Code.OK)) {
        call.unknown(ZooKeeperSession.reason(before));
      } else if (ZooKeeperSession.is(code, Code.OK) && data != null && stat != null) {
        doubtsSettled = Math.max(doubtsSettled, settles);
        call.answer(
            new CoordinationResult.Stored(stat.getVersion() + 1L, Optional.of(Bytes.wrap(data))));
      } else if (ZooKeeperSession.is(code, Code.NONODE)) {
        doubtsSettled = Math.max(doubtsSettled, settles);
        call.answer(new CoordinationResult.Stored(0, Optional.empty()));
      } else {
        call.unknown(ZooKeeperSession.reason(code));
      }
    }
  }

  void compareAndSet(Call call, String key, long expectedVersion, Bytes value) {
    Optional<ZooKeeperSession> now = session.get();
    // Also if it was never sent: what is doubtful costs one write.
    call.ifUnknown(() -> doubts++);
    if (value.length() > valueBytesMax) {
      String refused =
          "coordination: the value of '%s' has %d bytes, ZooKeeper takes %d"
              .formatted(key, value.length(), valueBytesMax);
      log.warn(refused);
      call.unknown(refused);
    } else if (now.isEmpty()) {
      call.unknown(ZooKeeperSession.NO_CONNECTION);
    } else if (expectedVersion == 0) {
      now.get()
          .client()
          .create(
              layout.value(key),
              value.array(),
              CreateMode.PERSISTENT,
              (int code, String _, Object _, String _) ->
                  worker.execute(() -> swapped(call, code, 1)));
    } else if (expectedVersion < 0 || expectedVersion > Integer.MAX_VALUE) {
      call.answer(new CoordinationResult.Lost());
    } else {
      now.get()
          .client()
          .setData(
              layout.value(key),
              value.array(),
              (int) (expectedVersion - 1),
              (int code, String _, Object _, Stat _) ->
                  worker.execute(() -> swapped(call, code, expectedVersion + 1)));
    }
  }

  /** Answers what ZooKeeper says of a replacement, or that it says nothing. */
  void swapped(Call call, int code, long version) {
    Code known = Code.get(code);
    if (known == Code.OK) {
      call.answer(new CoordinationResult.Swapped(version));
    } else if (known == Code.BADVERSION || known == Code.NODEEXISTS || known == Code.NONODE) {
      call.answer(new CoordinationResult.Lost());
    } else {
      call.unknown(ZooKeeperSession.reason(code));
    }
  }

  void watch(Handle handle, String key) {
    String path = layout.value(key);
    watched
        .computeIfAbsent(path, absent -> new Watched(key, new LinkedHashSet<>()))
        .handles()
        .add(handle);
    // Without a connection it waits for the next one, which fires all that wait.
    session
        .get()
        .ifPresent(
            now ->
                now.client()
                    .exists(
                        path,
                        watcher,
                        (int code, String _, Object _, Stat _) ->
                            worker.execute(() -> watching(path, code))));
  }

  /** A watch that cannot be kept fires, a little later: its node reads again. */
  private void watching(String path, int code) {
    if (!ZooKeeperSession.is(code, Code.OK) && !ZooKeeperSession.is(code, Code.NONODE)) {
      worker.after(WATCH_AGAIN, () -> fire(path));
    }
  }

  /** One for all watches, so that a value that is watched twice fires once. */
  private final Watcher watcher =
      new Watcher() {
        @Override
        public void process(WatchedEvent event) {
          String path = event.getPath();
          if (event.getType() != Watcher.Event.EventType.None && path != null) {
            worker.execute(() -> fire(path));
          }
        }
      };

  private void fire(String path) {
    Watched fired = watched.remove(path);
    if (fired != null) {
      fired.handles().forEach(handle -> handle.tell(new Event.KeyChanged(fired.key())));
    }
  }
}
