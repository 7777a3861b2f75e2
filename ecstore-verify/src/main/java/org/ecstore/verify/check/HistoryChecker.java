package org.ecstore.verify.check;

import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.MicroOp;

/**
 * Says whether a history keeps what was promised. What clients read and wrote is enough to find a
 * cycle; the positions they were told are held against it too.
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /** The verdict on a history. */
  public static Report check(History history, Promise promise) {
    Findings findings = new Findings();
    if (history.attempts().stream().noneMatch(HistoryChecker::showsAWrite)) {
      findings.undecided("no write was committed");
    }
    PositionCheck.checkNumbers(history, promise, findings);
    switch (history.kind()) {
      case APPEND -> checkVersions(history, promise, ListVersions.of(history, findings), findings);
      case REGISTER ->
          checkVersions(history, promise, RegisterVersions.of(history, findings), findings);
      case BANK -> BankCheck.check(history, findings);
    }
    return findings.report();
  }

  /** Reads of a store that takes no writes are right, and see nothing. */
  private static boolean showsAWrite(Attempt attempt) {
    return attempt.isOk() && attempt.value().stream().anyMatch(op -> op.writes() || sees(op));
  }

  private static boolean sees(MicroOp op) {
    return switch (op) {
      case MicroOp.ReadList read -> read.seen() != null && read.seen().size() > 0;
      case MicroOp.ReadValue read -> read.seen() != null;
      case MicroOp.ReadBalances read -> read.seen() != null && read.seen().size() > 0;
      case MicroOp.Append _, MicroOp.Write _, MicroOp.Open _, MicroOp.Transfer _ -> false;
    };
  }

  private static void checkVersions(
      History history, Promise promise, Versions versions, Findings findings) {
    PositionCheck.checkVersions(history, promise, versions, findings);
    Dependencies.check(history, promise, versions, findings);
  }
}
