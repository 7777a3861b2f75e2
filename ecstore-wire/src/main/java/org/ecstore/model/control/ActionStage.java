package org.ecstore.model.control;

import java.util.Locale;

/** How far an action is. */
public enum ActionStage {
  /** It would be done: it waits to be approved, or only that was asked for. */
  PROPOSED,
  /** It is written down, and being done. */
  UNDER_WAY,
  /** It is done, and what it has brought is being measured. */
  MEASURING,
  /** It is over; what it has brought is known, as far as there was any load. */
  DONE,
  /** It did not come about. */
  FAILED,
  /** It was proposed, and is not wanted any more, or was turned down. */
  WITHDRAWN;

  /** Whether nothing more happens to it. */
  public boolean isOver() {
    return this == DONE || this == FAILED || this == WITHDRAWN;
  }

  /** For people: {@code under way}. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
