package org.ecstore.engines.memory;

/**
 * Runs completions of an engine later: in simulation after a delay in virtual time, in any order;
 * elsewhere on an executor. Never within the call, and never at the same time as another completion
 * or a call of the engine.
 */
@FunctionalInterface
public interface Completions {
  /** Runs it once, later. */
  void later(Runnable completion);
}
