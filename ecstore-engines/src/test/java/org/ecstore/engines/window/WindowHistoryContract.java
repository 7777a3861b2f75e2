package org.ecstore.engines.window;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineHistoryContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;

/** Random histories of a window with its threads over one kind of store. */
public abstract class WindowHistoryContract extends EngineHistoryContractTest {
  /** A windowed engine over a store, as a node has one. */
  static WindowedEngine over(OrderedStore store, Consumer<Event> sink) {
    WindowThreads threads = new WindowThreads("window", WindowThreads.Bounds.DEFAULT, sink);
    return new WindowedEngine(store, threads, sink, () -> true);
  }

  /** Opens the store of this test, which outlives what is opened and is empty at first. */
  protected abstract OrderedStore store();

  @Override
  protected final Engine open(Consumer<Event> sink) {
    return over(store(), sink);
  }

  @Override
  protected final void close(Engine engine) {
    ((WindowedEngine) engine).close();
  }

  /** Ends the process of the node, wherever a fold is: for a store whose server goes on. */
  @Override
  protected void crash(Engine engine, RandomGenerator random) {
    close(engine);
  }

  @Override
  protected final void restore(Engine engine, Position folded, Position folding) {
    ((WindowedEngine) engine).restore(KeyRange.ALL, folded, folding);
  }
}
