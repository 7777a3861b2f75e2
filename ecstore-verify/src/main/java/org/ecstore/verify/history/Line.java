package org.ecstore.verify.history;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.model.ReadLevel;

/**
 * One line of a history: a client begins a transaction, or has an answer.
 *
 * @param index of the line, from zero
 * @param time nanoseconds since the beginning of the run
 * @param process the client's number; one whose outcome is unknown is never used again
 * @param snapshot the position read at
 * @param number the commit number of one that wrote
 * @param error why it did not commit
 * @param level how fresh the snapshot has to be, of one that begins; as of all others if absent
 */
public record Line(
    long index,
    long time,
    long process,
    Type type,
    List<MicroOp> value,
    OptionalLong snapshot,
    OptionalLong number,
    Optional<String> error,
    Optional<ReadLevel> level) {
  /** What a line says. */
  public enum Type {
    /** It begins. */
    INVOKE,
    /** It is committed. */
    OK,
    /** It did nothing and never will. */
    FAIL,
    /** Whether it committed is not known. */
    INFO
  }
}
