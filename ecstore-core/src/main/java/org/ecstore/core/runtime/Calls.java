package org.ecstore.core.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a port that are under way: what to do with each result, by token. A result that no code
 * waits for any more is dropped.
 *
 * @param <R> the port's result
 */
public final class Calls<R> {
  private final Map<Long, Consumer<R>> waiting = new HashMap<>();
  private long last;

  /** Submits a call with a fresh token, which it returns; the continuation runs with its result. */
  public long start(LongConsumer submit, Consumer<R> then) {
    long token = ++last;
    waiting.put(token, then);
    submit.accept(token);
    return token;
  }

  /** Drops this result: the caller waits for it no longer. */
  public void forget(long token) {
    waiting.remove(token);
  }

  /** Runs the continuation of a token, once. */
  public void complete(long token, R result) {
    @Nullable Consumer<R> then = waiting.remove(token);
    if (then != null) {
      then.accept(result);
    }
  }

  /** Calls under way. */
  public int size() {
    return waiting.size();
  }
}
