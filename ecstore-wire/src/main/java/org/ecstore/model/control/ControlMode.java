package org.ecstore.model.control;

import java.util.Locale;
import java.util.Optional;

/** How far the controller may go. */
public enum ControlMode {
  /** It begins nothing; what is under way goes on, and so do limits and a threshold that stand. */
  FREEZE,
  /** It says what it would do. */
  OBSERVE,
  /** It does what an operator has approved. */
  ASK,
  /** It does what it thinks right. */
  ACT;

  /** For people and command lines: {@code observe}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of that word. */
  public static Optional<ControlMode> of(String word) {
    for (ControlMode one : values()) {
      if (one.word().equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
