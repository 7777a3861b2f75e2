package org.ecstore.sim;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.sim.check.StateChecker;

/** The promises of a run that are not about what its clients saw. */
final class Promises {
  /** A node that throws is a bug, whatever its clients see. */
  static final String NO_FAILURE = "no node ends by a failure of its own";

  static final String ENDS = "a run ends";
  static final String CLIENTS_GET_ON = "every client gets on after the last fault";
  static final String QUORUMS_END = "every quorum read and write ends";
  static final String QUORUMS_GET_ON = "every key can be read from a quorum in the end";
  static final String OPERATORS_GET_ON = "an operator is answered in the end";
  static final String TRANSACTIONS_END = "every transaction ends";
  static final String CAN_BE_READ = "everything can be read in the end";
  static final String REPLIED = "every request has exactly one reply";

  private static final Set<String> PROGRESS =
      new TreeSet<>(
          List.of(
              ENDS,
              CLIENTS_GET_ON,
              QUORUMS_END,
              QUORUMS_GET_ON,
              TRANSACTIONS_END,
              CAN_BE_READ,
              REPLIED,
              StateChecker.PLACED,
              StateChecker.COPIED,
              OPERATORS_GET_ON));

  private Promises() {}

  /** Whether a promise is about getting on, rather than about right answers. */
  static boolean isProgress(String rule) {
    return PROGRESS.contains(rule);
  }
}
