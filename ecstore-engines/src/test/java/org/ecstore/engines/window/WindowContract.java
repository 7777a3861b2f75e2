package org.ecstore.engines.window;

import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineFoldContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.engines.store.OrderedStore;

/** The contract of an engine, for a window with its threads over one kind of store. */
public abstract class WindowContract extends EngineFoldContractTest {
  /** Opens the store of this test, which outlives what is opened and is empty at first. */
  protected abstract OrderedStore store();

  @Override
  protected final Engine open(Consumer<Event> sink) {
    return WindowHistoryContract.over(store(), sink);
  }

  @Override
  protected final void close(Engine engine) {
    ((WindowedEngine) engine).close();
  }
}
