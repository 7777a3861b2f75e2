package org.ecstore.verify.check;

import java.util.Optional;
import java.util.stream.IntStream;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.Elements;
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
    Optional<Elements> opened = opened(history);
    if (history.attempts().stream().noneMatch(attempt -> showsAWrite(attempt, opened))) {
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

  /** What the accounts of a bank began with. */
  private static Optional<Elements> opened(History history) {
    return history.attempts().stream()
        .flatMap(attempt -> attempt.value().stream())
        .filter(MicroOp.Open.class::isInstance)
        .map(op -> ((MicroOp.Open) op).balances())
        .findFirst();
  }

  /**
   * Reads of a store that takes no writes are right, and see nothing; those of a bank see what it
   * was opened with, or empty accounts.
   */
  private static boolean showsAWrite(Attempt attempt, Optional<Elements> opened) {
    return attempt.isOk() && attempt.value().stream().anyMatch(op -> showsAWrite(op, opened));
  }

  private static boolean showsAWrite(MicroOp op, Optional<Elements> opened) {
    return switch (op) {
      case MicroOp.Append _, MicroOp.Write _, MicroOp.Transfer _ -> true;
      case MicroOp.ReadList read -> read.seen() != null && read.seen().size() > 0;
      case MicroOp.ReadValue read -> read.seen() != null;
      case MicroOp.ReadBalances read ->
          read.seen() != null && hasSome(read.seen()) && !Optional.of(read.seen()).equals(opened);
      case MicroOp.Open _ -> false;
    };
  }

  private static boolean hasSome(Elements balances) {
    return IntStream.range(0, balances.size()).anyMatch(account -> balances.at(account) != 0);
  }

  private static void checkVersions(
      History history, Promise promise, Versions versions, Findings findings) {
    PositionCheck.checkVersions(history, promise, versions, findings);
    Dependencies.check(history, promise, versions, findings);
  }
}
