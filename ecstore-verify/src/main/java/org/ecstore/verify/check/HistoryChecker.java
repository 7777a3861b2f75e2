package org.ecstore.verify.check;

import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.History;

/**
 * Says whether a history keeps what was promised. What clients read and wrote is enough to find a
 * cycle; the positions they were told are held against it too.
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /** The verdict on a history. */
  public static Report check(History history, Promise promise) {
    Findings findings = new Findings();
    if (history.attempts().stream().noneMatch(Attempt::isOk)) {
      findings.undecided("nothing was committed");
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

  private static void checkVersions(
      History history, Promise promise, Versions versions, Findings findings) {
    PositionCheck.checkVersions(history, promise, versions, findings);
    Dependencies.check(history, promise, versions, findings);
  }
}
