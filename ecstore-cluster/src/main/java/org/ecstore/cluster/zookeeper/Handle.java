package org.ecstore.cluster.zookeeper;

import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/** What a node holds. Its calls become work for the one thread of the service. */
final class Handle implements Coordination {
  private final ProcessCoordination service;
  private final NodeId self;
  private final Consumer<Event> sink;

  Handle(ProcessCoordination service, NodeId self, Consumer<Event> sink) {
    this.service = service;
    this.self = self;
    this.sink = sink;
  }

  NodeId self() {
    return self;
  }

  /** Tells the node; on the thread of the service. */
  void tell(Event event) {
    sink.accept(event);
  }

  @Override
  public void join(long token, NodeId node, MemberInfo info) {
    Check.that(node.equals(self), "a node joins by its own handle", node, self);
    service.begin(token, sink, call -> service.membership().join(call, this, info));
  }

  @Override
  public void get(long token, String key) {
    service.begin(token, sink, call -> service.values().get(call, key));
  }

  @Override
  public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
    service.begin(
        token, sink, call -> service.values().compareAndSet(call, key, expectedVersion, value));
  }

  @Override
  public void leader(long token) {
    service.begin(token, sink, call -> service.membership().leader(call));
  }

  @Override
  public void standBack(long token) {
    service.begin(token, sink, call -> service.membership().standBack(call, this));
  }

  @Override
  public void suspect(NodeId node, long incarnation) {
    service.suspect(node, incarnation);
  }

  @Override
  public void watch(String key) {
    if (!service.execute(() -> service.values().watch(this, key))) {
      // A watch that cannot be kept fires at once: its node reads again.
      sink.accept(new Event.KeyChanged(key));
    }
  }
}
