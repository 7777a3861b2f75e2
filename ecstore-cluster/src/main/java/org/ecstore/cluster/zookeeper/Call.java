package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;

/** One call of a node, answered once. Belongs to the worker. */
final class Call {
  private final long token;
  private final Consumer<Event> sink;
  private final List<Runnable> afterwards = new ArrayList<>();
  private final List<Runnable> ifUnknown = new ArrayList<>();
  private boolean open = true;

  Call(long token, Consumer<Event> sink) {
    this.token = token;
    this.sink = sink;
  }

  boolean isOpen() {
    return open;
  }

  /** Runs something right after the answer. */
  void afterwards(Runnable action) {
    afterwards.add(action);
  }

  /** Runs something before the answer, if that is Unknown. */
  void ifUnknown(Runnable action) {
    ifUnknown.add(action);
  }

  /** Answers, unless that was done. */
  void answer(CoordinationResult result) {
    if (open) {
      open = false;
      if (result instanceof CoordinationResult.Unknown) {
        ifUnknown.forEach(Runnable::run);
      }
      sink.accept(new Event.CoordinationDone(token, result));
      afterwards.forEach(Runnable::run);
    }
  }

  /** Answers that no answer came, or none that helps. */
  void unknown(String detail) {
    answer(new CoordinationResult.Unknown(detail));
  }
}
