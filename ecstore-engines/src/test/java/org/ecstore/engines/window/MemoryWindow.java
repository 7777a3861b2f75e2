package org.ecstore.engines.window;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.memory.RandomCompletions;

/** A windowed engine over a memory store whose steps a test lets go on one by one. */
final class MemoryWindow {
  private final RandomGenerator random = new SplittableRandom(1);
  private final WindowRules rules;
  private final MemoryStore store = new MemoryStore();
  private RandomCompletions completions = new RandomCompletions(random);
  private TaskCompletions tasks = tasks(event -> {});
  private long delivered;

  MemoryWindow() {
    this(WindowRules.RIGHT);
  }

  /** With rules that are broken. */
  MemoryWindow(WindowRules rules) {
    this.rules = rules;
  }

  private TaskCompletions tasks(Consumer<Event> sink) {
    return new TaskCompletions(random, completions::later, sink);
  }

  Engine open(Consumer<Event> sink) {
    Consumer<Event> counting =
        event -> {
          delivered++;
          sink.accept(event);
        };
    tasks = tasks(counting);
    return new WindowedEngine(
        store, tasks, counting, () -> true, rules, new ValueSizes(1, 64, 100));
  }

  void close(Engine engine) {
    ((WindowedEngine) engine).close();
  }

  /** Lets steps go on until one more result is there. */
  void advance() {
    long before = delivered;
    completions.runUntil(() -> delivered > before);
  }

  void crash(RandomGenerator chance) {
    tasks.crash();
    store.crash(chance);
    completions.runAll(); // Of the former engine: they must do nothing.
    completions = new RandomCompletions(random);
  }
}
