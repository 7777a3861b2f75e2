package org.ecstore.sim.world;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.sim.check.StateChecker;

/** The promises of a run that are not about what its clients saw. */
public final class Promises {
  /** A node that throws is a bug, whatever its clients see. */
  public static final String NO_FAILURE = "no node ends by a failure of its own";

  public static final String ENDS = "a run ends";
  public static final String CLIENTS_GET_ON = "every client gets on after the last fault";
  public static final String QUORUMS_END = "every quorum read and write ends";
  public static final String QUORUMS_GET_ON = "every key can be read from a quorum in the end";
  public static final String OPERATORS_GET_ON = "an operator is answered in the end";
  public static final String NODES_LEAVE =
      "a node that is told to leave hands all over and has left";
  public static final String FEEDS =
      "readers of changes are told every commit once, in order, when it is durable (rule 29)";
  public static final String FEEDS_CONFIRMED =
      "that there are no changes is told only of all that there was (rule 29)";
  public static final String FEEDS_KEPT =
      "the ledger is kept for readers of changes as long as was said (rule 29)";
  public static final String FEEDS_GET_ON =
      "readers of changes come to the end of the ledger (rule 29)";
  public static final String FEEDS_LOST =
      "readers of changes are told that some are gone only where they are (rule 29)";
  public static final String EXPIRED_BELOW_THE_FLOOR =
      "an outcome expires only below the floor (rule 7)";
  public static final String LEASES_HOLD =
      "a snapshot can be read for as long as its lease is renewed (rule 14)";
  public static final String ENTRIES_FIT =
      "an entry of several records is no longer than the ledger takes (rule 7)";
  public static final String ROOM_IS_WHOLE = "what is under way no more takes no room of a node";
  public static final String OVERLAY =
      "nodes find each key by their links, in however large a tree (rule 20)";
  public static final String BALANCE_RESTS = "balance comes to rest (rule 21)";
  public static final String LEADERS_REPLACED =
      "a leader that is frozen is replaced, though its session lives (rule 6)";
  public static final String REQUESTS_DONE = "what an operator asks for is done";
  public static final String STAYS_PUT = "a range stays where an operator has put it";
  public static final String COPIES_STAY =
      "while a node is drained each range has its copies (rule 19)";
  public static final String DRAINED_STANDS_BACK =
      "a node that was drained does not lead where others are there";
  public static final String REFUSES_A_SHORT_LEDGER =
      "a node ends that has more than the ledger has (rule 6)";
  public static final String TRANSACTIONS_END = "every transaction ends";
  public static final String CAN_BE_READ = "everything can be read in the end";
  public static final String REPLIED = "every request has exactly one reply";

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
              OPERATORS_GET_ON,
              ROOM_IS_WHOLE,
              BALANCE_RESTS,
              LEADERS_REPLACED,
              REQUESTS_DONE,
              FEEDS_GET_ON,
              DRAINED_STANDS_BACK,
              NODES_LEAVE));

  private Promises() {}

  /** Whether a promise is about getting on, rather than about right answers. */
  public static boolean isProgress(String rule) {
    return PROGRESS.contains(rule);
  }
}
