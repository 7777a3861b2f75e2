package org.ecstore.server.fault;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.coordination.LocalCoordination;

/**
 * Coordination with sessions: a member that is not heard of for a second, because it is apart or
 * stands still, is none until it is heard of again, and one that others suspect is none at once.
 * One that is apart hears no news, and its calls fail after a while with nothing done.
 */
public final class FaultyCoordination implements CoordinationService {
  private final LocalCoordination inner;
  private final ClusterFaults faults;
  private final Map<NodeId, Way> ways = new ConcurrentHashMap<>();

  /** When those who are not heard of fell silent, as the number of that. Guarded by this. */
  private final Map<NodeId, Long> silences = new TreeMap<>();

  /** Guarded by this. */
  private long silenceCount;

  /** One that is closed with this. */
  public FaultyCoordination(LocalCoordination inner, ClusterFaults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  /** The faults of a node have changed. */
  public synchronized void changed(NodeId node) {
    boolean isSilent = faults.isSilent(node);
    if (isSilent && !silences.containsKey(node)) {
      long number = ++silenceCount;
      silences.put(node, number);
      faults.after(ClusterFaults.SESSION, () -> expire(node, number));
    } else if (!isSilent && silences.remove(node) != null) {
      inner.back(node);
    }
    Way way = ways.get(node);
    if (way != null && !faults.isApart(node)) {
      way.tellMissed();
    }
  }

  private synchronized void expire(NodeId node, long number) {
    Long current = silences.get(node);
    if (current != null && current == number) {
      inner.away(node);
    }
  }

  private synchronized void suspected(NodeId node) {
    if (silences.containsKey(node)) {
      inner.away(node);
    }
  }

  @Override
  public Coordination handle(NodeId node, Consumer<Event> sink) {
    Way way = new Way(node, sink);
    ways.put(node, way);
    return way;
  }

  @Override
  public void end(NodeId node) {
    inner.end(node);
  }

  @Override
  public void close() {
    inner.close();
  }

  /** That of one node. */
  private final class Way implements Coordination {
    private final NodeId self;
    private final Consumer<Event> sink;
    private final Coordination reached;

    /** Keys whose change it has not heard of. Guarded by itself. */
    private final Set<String> missed = new TreeSet<>();

    Way(NodeId self, Consumer<Event> sink) {
      this.self = self;
      this.sink = sink;
      this.reached = inner.handle(self, this::heard);
    }

    /** Who is a member and who leads it is told anew when it is back. */
    private void heard(Event event) {
      boolean isNews =
          event instanceof Event.MembersChanged
              || event instanceof Event.LeaderHinted
              || event instanceof Event.KeyChanged;
      if (!isNews || !faults.isApart(self)) {
        sink.accept(event);
      } else if (event instanceof Event.KeyChanged(var key)) {
        miss(key);
      }
    }

    private void miss(String key) {
      synchronized (missed) {
        missed.add(key);
      }
    }

    private void tellMissed() {
      synchronized (missed) {
        missed.forEach(key -> sink.accept(new Event.KeyChanged(key)));
        missed.clear();
      }
    }

    private void call(long token, Runnable work) {
      if (faults.isApart(self)) {
        CoordinationResult none = new CoordinationResult.Unknown("coordination is out of reach");
        faults.after(
            ClusterFaults.CALL, () -> sink.accept(new Event.CoordinationDone(token, none)));
      } else {
        work.run();
      }
    }

    @Override
    public void join(long token, NodeId node, MemberInfo info) {
      call(token, () -> reached.join(token, node, info));
    }

    @Override
    public void get(long token, String key) {
      call(token, () -> reached.get(token, key));
    }

    @Override
    public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
      call(token, () -> reached.compareAndSet(token, key, expectedVersion, value));
    }

    @Override
    public void leader(long token) {
      call(token, () -> reached.leader(token));
    }

    @Override
    public void standBack(long token) {
      call(token, () -> reached.standBack(token));
    }

    @Override
    public void suspect(NodeId node, long incarnation) {
      if (!faults.isApart(self)) {
        suspected(node);
      }
    }

    @Override
    public void watch(String key) {
      if (faults.isApart(self)) {
        miss(key);
      } else {
        reached.watch(key);
      }
    }
  }
}
