package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The cluster does not promise what was asked for, or has no such objective to remove. Nothing was
 * changed. {@link #why} says what speaks against it and, where less could be promised, what would
 * fit: state that, or have the cluster get more nodes ({@code qos mode}).
 */
public final class ObjectiveRefusedException extends WrongArgumentException {
  private static final long serialVersionUID = 1L;
  private static final String WHY = "why";

  private final String why;

  /**
   * @param application whose objective it is about
   * @param why a sentence that says what to do
   */
  public ObjectiveRefusedException(
      String text, @Nullable Throwable cause, String application, String why) {
    super(text, cause, "application", application, WHY, why);
    this.why = why;
  }

  /** What speaks against it, as {@code bin/ecstore slo} says it. */
  public String why() {
    return why;
  }
}
