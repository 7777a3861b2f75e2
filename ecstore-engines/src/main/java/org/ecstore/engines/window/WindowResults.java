package org.ecstore.engines.window;

import java.util.function.Consumer;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.store.StoreException;

/** Hands over the results of a {@link WindowedEngine}. */
final class WindowResults {
  private final Consumer<Event> sink;

  WindowResults(Consumer<Event> sink) {
    this.sink = sink;
  }

  void deliver(long token, EngineResult result) {
    sink.accept(done(token, result));
  }

  static Event done(long token, EngineResult result) {
    return new Event.EngineDone(token, result);
  }

  static EngineResult failed(Throwable e) {
    if (!(e instanceof StoreException known)) {
      return new EngineResult.Failed(false, "the engine failed: " + e);
    }
    String detail = String.valueOf(known.getMessage());
    return switch (known.reason()) {
      case NO_ROOM -> new EngineResult.Failed(true, detail);
      case UNAVAILABLE -> new EngineResult.Failed(false, detail);
      case LOST -> new EngineResult.Lost(detail);
    };
  }
}
