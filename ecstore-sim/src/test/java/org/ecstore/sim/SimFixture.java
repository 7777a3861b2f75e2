package org.ecstore.sim;

import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;

/** Drives a fake without a cluster around it: lives that hand their events to a sink. */
final class SimFixture {
  private final World world;
  private long lives;
  private long eventsSeen;

  SimFixture(long seed) {
    this.world = new World(seed, new Trace(null));
  }

  World world() {
    return world;
  }

  /** A new life of a node. */
  SinkLife life(NodeId node, Consumer<Event> sink) {
    return new SinkLife(node, ++lives, sink);
  }

  void awaitEvent() {
    long before = eventsSeen;
    while (eventsSeen == before) {
      if (!world.scheduler().step(Long.MAX_VALUE)) {
        throw new AssertionError("no more events");
      }
    }
  }

  /** A life that has nothing but an inbox. */
  final class SinkLife implements Life {
    private final NodeId node;
    private final long number;
    private final Consumer<Event> sink;
    private boolean alive = true;

    SinkLife(NodeId node, long number, Consumer<Event> sink) {
      this.node = node;
      this.number = number;
      this.sink = sink;
    }

    void die() {
      alive = false;
    }

    @Override
    public NodeId node() {
      return node;
    }

    @Override
    public String name() {
      return node.value() + "/" + number;
    }

    @Override
    public boolean isAlive() {
      return alive;
    }

    @Override
    public long pausedUntilNanos() {
      return 0;
    }

    @Override
    public void post(Event event) {
      if (alive) {
        eventsSeen++;
        sink.accept(event);
      }
    }

    @Override
    public void joined(long incarnation) {}
  }
}
