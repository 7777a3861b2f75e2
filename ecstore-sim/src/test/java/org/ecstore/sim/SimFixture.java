package org.ecstore.sim;

import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;

/** Drives a fake without a cluster around it: lives that hand their events to a sink. */
public final class SimFixture {
  private final World world;
  private long lives;
  private long eventsSeen;

  public SimFixture(long seed) {
    this.world = new World(seed, new Trace(null));
  }

  public World world() {
    return world;
  }

  /** A new life of a node. */
  public SinkLife life(NodeId node, Consumer<Event> sink) {
    return new SinkLife(node, ++lives, sink);
  }

  public void awaitEvent() {
    long before = eventsSeen;
    while (eventsSeen == before) {
      if (!world.scheduler().step(Long.MAX_VALUE)) {
        throw new AssertionError("no more events");
      }
    }
  }

  /** A life that has nothing but an inbox. */
  public final class SinkLife implements Life {
    private final NodeId node;
    private final long number;
    private final Consumer<Event> sink;
    private boolean alive = true;

    SinkLife(NodeId node, long number, Consumer<Event> sink) {
      this.node = node;
      this.number = number;
      this.sink = sink;
    }

    public void die() {
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
