package org.ecstore.txn.qos.table;

import java.util.List;

/** A text is no performance table; says all that is wrong with it, up to a limit. */
public final class InvalidTableException extends RuntimeException {
  private final transient List<String> problems;

  InvalidTableException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** All that is wrong, in the order of the text: {@code line 3: ...}. */
  public List<String> problems() {
    return problems;
  }
}
