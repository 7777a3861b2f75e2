package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.QuorumHistory.Read;
import org.ecstore.sim.history.QuorumHistory.Write;
import org.ecstore.wire.client.Quorum;
import org.ecstore.wire.client.Row;

/**
 * Rule 13: a quorum read is the key as of some position; where the quorums meet, it sees every
 * write that W copies were said to have, or a newer one, and never goes back behind an earlier
 * quorum read.
 */
public final class QuorumChecker {
  private final LedgerModel model;
  private final List<Finding> findings = new ArrayList<>();

  private QuorumChecker(LedgerModel model) {
    this.model = model;
  }

  /** What is wrong; empty if nothing is. */
  public static List<Finding> check(QuorumHistory history, LedgerModel model) {
    QuorumChecker checker = new QuorumChecker(model);
    for (Read read : history.reads()) {
      checker.checkValue(read);
      for (Write write : history.writes()) {
        if (write.key().equals(read.key())
            && write.toldNanos() < read.invokedNanos()
            && meet(write.quorum(), read.quorum())) {
          checker.checkSees(read, write);
        }
      }
      for (Read earlier : history.reads()) {
        if (earlier.key().equals(read.key())
            && earlier.completedNanos() < read.invokedNanos()
            && earlier.quorum().isStrict()
            && meet(earlier.quorum(), read.quorum())) {
          checker.checkNotBehind(read, earlier);
        }
      }
    }
    return checker.findings;
  }

  private static boolean meet(Quorum writer, Quorum reader) {
    return writer.n() == reader.n() && writer.w() + reader.r() > writer.n();
  }

  private void found(String rule, String detail) {
    findings.add(new Finding(rule, detail));
  }

  private void checkValue(Read read) {
    Optional<Row> expected = model.read(read.key(), read.at());
    if (!expected.equals(read.row())) {
      found("a quorum read is the key as of its position (rule 13)", read + ", is " + expected);
    }
  }

  /** The first position after which what was read is no longer so. */
  private long lastTrueAt(Read read) {
    long next = model.versionBetween(read.key(), read.at(), Long.MAX_VALUE);
    return next == 0 ? Long.MAX_VALUE : next - 1;
  }

  private void checkSees(Read read, Write write) {
    if (lastTrueAt(read) < write.number()) {
      found("a quorum read sees what a quorum has (rule 13)", read + ", but " + write);
    }
  }

  private void checkNotBehind(Read read, Read earlier) {
    if (lastTrueAt(read) < model.lastChange(earlier.key(), earlier.at())) {
      found("quorum reads never go back (rule 13)", read + ", but " + earlier);
    }
  }
}
