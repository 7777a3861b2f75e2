package org.ecstore.server.admission;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes held, or a count, by stage. Any thread may call. */
final class Held {
  private final Map<Stage, AtomicLong> bytes = new EnumMap<>(Stage.class);

  Held() {
    for (Stage stage : Stage.values()) {
      bytes.put(stage, new AtomicLong());
    }
  }

  /** Of one stage. */
  AtomicLong of(Stage stage) {
    return Objects.requireNonNull(bytes.get(stage), "every stage is there");
  }

  @Override
  public String toString() {
    return bytes.toString();
  }
}
