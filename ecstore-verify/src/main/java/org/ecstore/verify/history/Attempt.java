package org.ecstore.verify.history;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.ecstore.model.ReadLevel;

/**
 * A transaction from its invocation to its completion.
 *
 * @param invoked index of the line that invoked it
 * @param completed index of the line that completed it; {@code Long.MAX_VALUE} if nothing did
 * @param outcome never {@code INVOKE}
 * @param value with what it saw, if it is known to have committed
 * @param level how fresh its snapshot has to be; as of all others if absent
 */
public record Attempt(
    long invoked,
    long completed,
    long process,
    Line.Type outcome,
    List<MicroOp> value,
    OptionalLong snapshot,
    OptionalLong number,
    Optional<ReadLevel> level) {
  /** Whether it is known to have committed. */
  public boolean isOk() {
    return outcome == Line.Type.OK;
  }

  /** Whether it may have committed. */
  public boolean mayHaveHappened() {
    return outcome != Line.Type.FAIL;
  }

  /** Whether it asked for a change. */
  public boolean writes() {
    return value.stream().anyMatch(MicroOp::writes);
  }

  /** As it is named in findings: its lines, its process, its positions, what it did. */
  @Override
  public String toString() {
    return "T"
        + invoked
        + " ("
        + (completed == Long.MAX_VALUE ? "never completed" : "completed at " + completed)
        + ", process "
        + process
        + ", "
        + outcome.name().toLowerCase(Locale.ROOT)
        + level.map(one -> ", " + one.toString().toLowerCase(Locale.ROOT)).orElse("")
        + (snapshot.isPresent() ? ", sts " + snapshot.getAsLong() : "")
        + (number.isPresent() ? ", cts " + number.getAsLong() : "")
        + ") "
        + value.stream().map(MicroOp::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
