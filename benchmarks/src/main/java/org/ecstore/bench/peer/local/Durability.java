package org.ecstore.bench.peer.local;

import java.util.Locale;

/** When what a client was told to be done is on disk. */
public enum Durability {
  /** Before it is told. */
  COMMIT,
  /** Some time later, at intervals that the server has. */
  PERIODIC;

  /** As users write it. */
  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
