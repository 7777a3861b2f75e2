package org.ecstore.server.coordination;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.coordination.StoredValues.Versioned;
import org.ecstore.server.file.DirectoryLock;

/**
 * Coordination for the nodes of one process. One thread handles all calls in the order they came
 * and writes each change to disk before it answers. A member lives until {@link #end} or until its
 * node joins again; there are no sessions that could expire unnoticed, but where a test says that a
 * member is {@link #away}. Safe for use by several threads.
 */
public final class LocalCoordination implements CoordinationService {
  /** Calls that wait; further ones are answered Unknown. */
  private static final int CALLS_MAX = 1 << 14;

  private final DirectoryLock lock;
  private final Map<NodeId, Long> incarnationsFound;
  private final StoredValues stored;
  private final RateLimitedLog log;
  private final Thread thread;
  private final Members members = new Members();
  private final Map<String, Set<Handle>> watches = new TreeMap<>();

  /** Guarded by itself. */
  private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

  /** Guarded by the calls. */
  private boolean closed;

  /** The disk may hold a change that was answered Unknown; the thread's own. */
  private boolean unsettled;

  private LocalCoordination(DirectoryLock lock, StoredValues stored, OperatorLog log) {
    this.lock = lock;
    this.incarnationsFound = Map.copyOf(stored.incarnations());
    this.stored = stored;
    this.log = new RateLimitedLog(log, System::nanoTime);
    this.thread = Thread.ofPlatform().name("ecstore-coordination").unstarted(this::run);
  }

  /**
   * Opens what a directory holds, or begins with nothing.
   *
   * @throws CorruptCoordinationException if the file is damaged
   * @throws org.ecstore.server.file.DirectoryInUseException if it is open already
   */
  public static LocalCoordination open(Path directory, OperatorLog log) throws IOException {
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      LocalCoordination coordination =
          new LocalCoordination(lock, StoredValues.load(directory), log);
      if (!StoredValues.isThere(directory)) {
        // From the first start on, so that it can be missed.
        coordination.stored.save();
      }
      coordination.thread.start();
      return coordination;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Whether a directory holds what one stores: from the first opening on. */
  public static boolean isThere(Path directory) {
    return StoredValues.isThere(directory);
  }

  /** The last incarnation of a node when this was opened; 0 if it had none. */
  public long incarnationFound(NodeId node) {
    return incarnationsFound.getOrDefault(node, 0L);
  }

  /**
   * Coordination for a node of this process.
   *
   * @param sink takes results and news on the thread of this object; must not block or throw
   */
  @Override
  public Coordination handle(NodeId node, Consumer<Event> sink) {
    return new Handle(node, sink);
  }

  /**
   * Ends a member: its node was closed or killed. The others learn of it; it hears no more news.
   */
  @Override
  public void end(NodeId node) {
    offer(
        () -> {
          watches.values().forEach(watching -> watching.removeIf(h -> h.self.equals(node)));
          members.end(node);
        },
        true);
  }

  /**
   * Counts a member as gone whose node lives on, as where its session ends: the others learn of it,
   * and it hears no more news until it is {@link #back}.
   */
  public void away(NodeId node) {
    offer(() -> members.away(node), true);
  }

  /**
   * A member that was away is one again in the incarnation that it had, unless its node has joined
   * or ended meanwhile; it is told who is there and who leads, also if it was not away.
   */
  public void back(NodeId node) {
    offer(() -> members.back(node), true);
  }

  /** Answers what was begun, then gives the directory back. Later calls are answered Unknown. */
  @Override
  public void close() {
    synchronized (calls) {
      closed = true;
      calls.notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    lock.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean offer(Runnable call, boolean always) {
    synchronized (calls) {
      if (closed || (!always && calls.size() >= CALLS_MAX)) {
        return false;
      }
      calls.add(call);
      calls.notifyAll();
      return true;
    }
  }

  private void run() {
    try {
      Optional<Runnable> call = take();
      while (call.isPresent()) {
        call.get().run();
        call = take();
      }
    } finally {
      synchronized (calls) {
        closed = true;
      }
    }
  }

  /** Waits for the next call; absent once closed and all are done. */
  private Optional<Runnable> take() {
    synchronized (calls) {
      while (calls.isEmpty() && !closed) {
        try {
          calls.wait();
        } catch (InterruptedException e) {
          throw new Check.Failed("the thread of coordination was interrupted");
        }
      }
      return Optional.ofNullable(calls.poll());
    }
  }

  /** What a node holds. Its calls become work for the one thread. */
  private final class Handle implements Coordination {
    private final NodeId self;
    private final Consumer<Event> sink;

    Handle(NodeId self, Consumer<Event> sink) {
      this.self = self;
      this.sink = sink;
    }

    private interface Work {
      CoordinationResult run() throws IOException;
    }

    private void answerLater(long token, Work work) {
      begin(token, () -> complete(token, answer(work)));
    }

    private void begin(long token, Runnable call) {
      if (!offer(call, false)) {
        complete(token, new CoordinationResult.Unknown("closed, or too many calls at once"));
      }
    }

    private void complete(long token, CoordinationResult result) {
      sink.accept(new Event.CoordinationDone(token, result));
    }

    @Override
    public void join(long token, NodeId node, MemberInfo info) {
      Check.that(node.equals(self), "a node joins by its own handle", node, self);
      begin(
          token,
          () -> {
            CoordinationResult result =
                answer(() -> new CoordinationResult.Joined(nextIncarnation(self)));
            // The node learns its incarnation before the news that mention it.
            complete(token, result);
            if (result instanceof CoordinationResult.Joined joined) {
              members.join(new Member(self, joined.incarnation(), info), sink);
            }
          });
    }

    @Override
    public void get(long token, String key) {
      answerLater(token, () -> read(key));
    }

    @Override
    public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
      answerLater(token, () -> replace(key, expectedVersion, value));
    }

    @Override
    public void leader(long token) {
      begin(token, () -> complete(token, new CoordinationResult.Leader(members.leader())));
    }

    @Override
    public void standBack(long token) {
      begin(
          token,
          () ->
              complete(
                  token,
                  members.standBack(self, sink)
                      ? new CoordinationResult.Leader(members.leader())
                      : new CoordinationResult.Unknown("no member")));
    }

    @Override
    public void watch(String key) {
      boolean taken =
          offer(
              () -> {
                Set<Handle> watching =
                    watches.computeIfAbsent(key, absent -> new LinkedHashSet<>());
                watching.add(this);
              },
              false);
      if (!taken) {
        // A watch that cannot be kept fires at once: its node reads again.
        sink.accept(new Event.KeyChanged(key));
      }
    }
  }

  private CoordinationResult answer(Handle.Work work) {
    try {
      if (unsettled) {
        // What is in memory is what all have been told; the disk must say the same again first.
        stored.save();
        unsettled = false;
      }
      CoordinationResult result = work.run();
      log.settled();
      return result;
    } catch (IOException e) {
      unsettled = true;
      log.warn("coordination: cannot write: " + e);
      return new CoordinationResult.Unknown("cannot write: " + e);
    }
  }

  private CoordinationResult read(String key) {
    Optional<Versioned> value = Optional.ofNullable(stored.values().get(key));
    return new CoordinationResult.Stored(
        value.map(Versioned::version).orElse(0L), value.map(Versioned::value));
  }

  private long nextIncarnation(NodeId node) throws IOException {
    Optional<Long> before = Optional.ofNullable(stored.incarnations().get(node));
    long next = before.orElse(0L) + 1;
    stored.incarnations().put(node, next);
    // Not taken back if it fails: a number that is skipped does no harm, one used twice would.
    stored.save();
    return next;
  }

  private CoordinationResult replace(String key, long expectedVersion, Bytes value)
      throws IOException {
    Optional<Versioned> before = Optional.ofNullable(stored.values().get(key));
    long version = before.map(Versioned::version).orElse(0L);
    if (version != expectedVersion) {
      return new CoordinationResult.Lost();
    }
    stored.values().put(key, new Versioned(version + 1, value));
    try {
      stored.save();
    } catch (IOException e) {
      before.ifPresentOrElse(
          old -> stored.values().put(key, old), () -> stored.values().remove(key));
      throw e;
    }
    Optional.ofNullable(watches.remove(key))
        .ifPresent(
            watching -> watching.forEach(handle -> handle.sink.accept(new Event.KeyChanged(key))));
    return new CoordinationResult.Swapped(version + 1);
  }
}
