package org.ecstore.tools.objective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.txn.qos.book.BookStep;
import org.ecstore.txn.qos.objective.ObjectiveText;

/** What is said of an objective that the cluster has taken. */
public final class StatedObjectives {
  private static final String FOUND = BookStep.TAKEN + ": ";

  private StatedObjectives() {}

  /** By what it was found that it can be kept, or why that was not asked; absent if neither is. */
  public static Optional<String> why(DecisionLine taken) {
    return Optional.of(taken.detail())
        .filter(text -> text.startsWith(FOUND))
        .map(text -> text.substring(FOUND.length()));
  }

  /** The objective, and why it was taken. */
  public static List<String> lines(Objective objective, DecisionLine taken) {
    List<String> lines = new ArrayList<>();
    lines.add(objective.application() + ": " + ObjectiveText.of(objective));
    why(taken).ifPresent(why -> lines.add(objective.application() + ": " + why));
    return lines;
  }
}
