package org.ecstore.tools.quickstart;

/** Who wants to see how far a run has come. Any thread may call. */
public interface Progress {
  /** A phase with so many steps begins; the one before is over. */
  void phase(String name, long steps);

  /** One more step of the phase is done. */
  void step(long steps);
}
