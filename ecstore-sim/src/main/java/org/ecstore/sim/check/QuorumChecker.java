package org.ecstore.sim.check;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.Epoch;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.QuorumHistory.Read;
import org.ecstore.sim.history.QuorumHistory.Write;

/**
 * Rule 13: a quorum read is the key as of some position; where the quorums meet, it sees every
 * write that W copies were said to have, or a newer one, and never goes back behind an earlier
 * quorum read.
 *
 * <p>An answer that says that it may be stale may come from copies whose epoch is over, and who
 * have not heard of it (decision 0047). What such a read misses of another client's is counted, and
 * is no finding; of its own client's, which tells what it has seen, it misses nothing. Any other
 * answer misses nothing at all.
 */
public final class QuorumChecker {
  private final LedgerModel model;
  private final Consumer<String> happened;
  private final List<Finding> findings = new ArrayList<>();

  private QuorumChecker(LedgerModel model, Consumer<String> happened) {
    this.model = model;
    this.happened = happened;
  }

  /** What is wrong; empty if nothing is. */
  public static List<Finding> check(
      QuorumHistory history, LedgerModel model, Consumer<String> happened) {
    QuorumChecker checker = new QuorumChecker(model, happened);
    Map<Bytes, List<Read>> reads = history.reads().stream().collect(groupingBy(Read::key));
    Map<Bytes, List<Write>> writes = history.writes().stream().collect(groupingBy(Write::key));
    for (Read read : history.reads()) {
      checker.checkValue(read);
      checker.checkAgainst(
          read,
          writes.getOrDefault(read.key(), List.of()),
          reads.getOrDefault(read.key(), List.of()));
    }
    return checker.findings;
  }

  /** A read, against the writes and the reads of its key. */
  private void checkAgainst(Read read, List<Write> writes, List<Read> reads) {
    long lastTrueAt = lastTrueAt(read);
    for (Write write : writes) {
      if (write.toldNanos() < read.invokedNanos() && meet(write.quorum(), read.quorum())) {
        checkSees(read, lastTrueAt, write);
      }
    }
    for (Read earlier : reads) {
      if (earlier.completedNanos() < read.invokedNanos()
          && earlier.quorum().isStrict()
          && meet(earlier.quorum(), read.quorum())) {
        checkNotBehind(read, lastTrueAt, earlier);
      }
    }
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

  private void checkSees(Read read, long lastTrueAt, Write write) {
    if (lastTrueAt < write.number() && !isExcused(read, write.client(), write.ledgerEnd())) {
      found("a quorum read sees what a quorum has (rule 13)", read + ", but " + write);
    }
  }

  /**
   * Whether the read says that it may be stale, another client was told, and by then the epoch of
   * the copies that answered the read was over. A copy counts once it is closed at the record of
   * its epoch; so what was read as of a position before the record is of an earlier epoch.
   */
  private boolean isExcused(Read read, int told, long ledgerEnd) {
    boolean excused =
        read.mayBeStale()
            && read.client() != told
            && !isSameEpoch(read.key(), read.at(), ledgerEnd);
    if (excused) {
      happened.accept("copies taken out answer a quorum of another client");
    }
    return excused;
  }

  private boolean isSameEpoch(Bytes key, long at, long later) {
    return epochAt(key, at).equals(epochAt(key, later));
  }

  private Optional<Epoch> epochAt(Bytes key, long position) {
    return model.mapAt(position).rangeOf(key).map(RangeDescriptor::epoch);
  }

  private void checkNotBehind(Read read, long lastTrueAt, Read earlier) {
    if (lastTrueAt < model.lastChange(earlier.key(), earlier.at())
        && !isExcused(read, earlier.client(), earlier.ledgerEnd())) {
      found("quorum reads never go back (rule 13)", read + ", but " + earlier);
    }
  }
}
