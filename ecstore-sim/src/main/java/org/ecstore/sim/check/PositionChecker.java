package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimHistory.Attempt;
import org.ecstore.sim.history.SimHistory.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Compares what clients saw with what the ledger says, position by position: every read is the
 * newest version at or below its snapshot; what was acknowledged is in the ledger under its number
 * and what was refused is not; nothing came between snapshot and commit that the isolation forbids;
 * snapshots are as fresh as was asked.
 */
public final class PositionChecker {
  private final LedgerModel model;
  private final OptionalDouble slowest;
  private final List<Finding> findings = new ArrayList<>();

  private PositionChecker(LedgerModel model, OptionalDouble slowest) {
    this.model = model;
    this.slowest = slowest;
  }

  /** What is wrong with a history of machines whose clocks are right; empty if nothing is. */
  public static List<Finding> check(SimHistory history, LedgerModel model) {
    return check(history, model, OptionalDouble.of(1));
  }

  /**
   * What is wrong with a history; empty if nothing is.
   *
   * @param slowest how long a second of the slowest clock takes, in seconds; empty if clocks stood
   *     still, so that bounds measured on them say nothing
   */
  public static List<Finding> check(SimHistory history, LedgerModel model, OptionalDouble slowest) {
    PositionChecker checker = new PositionChecker(model, slowest);
    for (Attempt attempt : history.attempts()) {
      checker.checkReads(attempt);
      checker.checkOutcome(attempt);
      checker.checkExpired(attempt);
      checker.checkValidation(attempt);
      checker.checkCatalog(attempt);
    }
    checker.checkNumbers(history);
    checker.checkFreshness(history);
    return checker.findings;
  }

  private void found(String rule, String detail) {
    findings.add(new Finding(rule, detail));
  }

  private void checkReads(Attempt attempt) {
    long snapshot = attempt.point().position().value();
    if (snapshot > model.end()) {
      found("a snapshot is durable", attempt + " reads above " + model.end());
    }
    for (SimHistory.KeyRead read : attempt.keyReads()) {
      Optional<Row> expected = model.read(read.key(), snapshot);
      if (!expected.equals(read.row())) {
        found(
            "a read is the newest version at or below its snapshot",
            attempt
                + " read "
                + read.key()
                + " as "
                + show(read.row())
                + ", should be "
                + show(expected));
      }
    }
    for (SimHistory.IntervalRead read : attempt.intervalReads()) {
      List<Row> expected = model.scan(read.covered(), snapshot);
      if (!expected.equals(read.rows())) {
        found(
            "a scan is all rows as of its snapshot",
            attempt
                + " scanned "
                + read.covered()
                + " as "
                + showAll(read.rows())
                + ", should be "
                + showAll(expected));
      }
    }
  }

  private static String show(Optional<Row> row) {
    return row.map(found -> found.value() + " of " + found.version()).orElse("absent");
  }

  private static String showAll(List<Row> rows) {
    return rows.stream().map(row -> row.key() + " of " + row.version()).toList().toString();
  }

  private void checkOutcome(Attempt attempt) {
    LedgerModel.Decision decision = model.decision(attempt.txn());
    switch (attempt.outcome()) {
      case COMMITTED -> {
        if (decision == null || !decision.committed()) {
          found("every acknowledged commit is in the ledger", attempt + ", but " + decision);
        } else {
          checkCommitted(attempt, decision);
        }
      }
      case ABORTED, READ_ONLY -> {
        if (decision != null && decision.committed()) {
          found("what was not committed is not in the ledger", attempt + ", but " + decision);
        }
      }
      case UNKNOWN -> {}
    }
  }

  /**
   * Rule 7, of those whose clients were told that their outcomes are forgotten: F is that of a
   * checkpoint, and what is numbered at or above it is not forgotten, nor recorded any more.
   */
  private void checkExpired(Attempt attempt) {
    if (attempt.floor() == 0) {
      return;
    }
    if (!model.outcomeFloors().contains(attempt.floor())) {
      found(
          "the outcome floor is that of a checkpoint (rule 7)",
          "%s was told %d, the checkpoints say %d and %d"
              .formatted(
                  attempt,
                  attempt.floor(),
                  model.outcomeFloors().lower(attempt.floor()),
                  model.outcomeFloors().higher(attempt.floor())));
    }
    LedgerModel.Decision decision = model.decision(attempt.txn());
    if (decision != null && decision.number() >= attempt.floor()) {
      found(
          "no outcome at or above the floor expires (rule 7)",
          "%s was told %d, but %s".formatted(attempt, attempt.floor(), decision));
    }
  }

  private void checkCommitted(Attempt attempt, LedgerModel.Decision decision) {
    if (decision.number() != attempt.number()) {
      found("a commit has one number", attempt + ", in the ledger " + decision.number());
    }
    if (attempt.number() <= attempt.point().position().value()) {
      found("a commit number is above its snapshot", attempt.toString());
    }
    Map<Bytes, Mutation> asked = new TreeMap<>();
    attempt.writes().forEach(write -> asked.put(write.key(), write.mutation()));
    Map<Bytes, Mutation> recorded = new TreeMap<>();
    if (decision.record() instanceof LedgerRecord.Commit commit) {
      commit.writes().forEach(write -> recorded.put(write.key(), write.mutation()));
    }
    if (!asked.equals(recorded)) {
      found("a commit writes what was asked", attempt + ": " + asked + " but " + recorded);
    }
  }

  /** Rule 3, of every transaction that the ledger says is committed. */
  private void checkValidation(Attempt attempt) {
    LedgerModel.Decision decision = model.decision(attempt.txn());
    if (decision == null || !decision.committed()) {
      return;
    }
    long above = attempt.point().position().value();
    long below = decision.number();
    if (attempt.isolation() == Isolation.SNAPSHOT) {
      for (KeyWrite write : attempt.writes()) {
        // An operation loses no update, whatever came between (rule 28).
        if (!write.mutation().isOperation()) {
          checkUnchanged(attempt, write.key(), above, below, "no lost update under SNAPSHOT");
        }
      }
      return;
    }
    for (SimHistory.KeyRead read : attempt.keyReads()) {
      checkUnchanged(attempt, read.key(), above, below, "reads hold until the commit");
    }
    for (SimHistory.IntervalRead read : attempt.intervalReads()) {
      @Nullable Bytes changed = model.keyChangedBetween(read.covered(), above, below);
      if (changed != null) {
        found(
            "scanned intervals hold until the commit (no phantoms)",
            attempt
                + " scanned "
                + read.covered()
                + ", but "
                + changed
                + " has changed at "
                + model.versionBetween(changed, above, below));
      }
    }
  }

  /** Rule 27, of every transaction that the ledger says is committed. */
  private void checkCatalog(Attempt attempt) {
    LedgerModel.Decision decision = model.decision(attempt.txn());
    if (decision == null || !(decision.record() instanceof LedgerRecord.Commit commit)) {
      return;
    }
    long newest = model.catalogBefore(decision.number());
    if (attempt.catalog().version() != newest) {
      found(
          "a commit is made under the newest version of the catalog (rule 27)",
          attempt + " names " + attempt.catalog() + ", but " + newest + " was the newest");
    }
    if (attempt.catalog().begins() != commit.catalogVersion()) {
      found(
          "a commit begins the version of the catalog that was asked (rule 27)",
          attempt + " asks " + attempt.catalog() + ", the ledger says " + commit.catalogVersion());
    }
  }

  private void checkUnchanged(Attempt attempt, Bytes key, long above, long below, String rule) {
    long version = model.versionBetween(key, above, below);
    if (version != 0) {
      found(rule, attempt + ", but " + key + " has a version " + version);
    }
  }

  private void checkNumbers(SimHistory history) {
    Map<Long, Attempt> byNumber = new HashMap<>();
    for (Attempt attempt : history.attempts()) {
      if (attempt.outcome() == Outcome.COMMITTED) {
        Attempt other = byNumber.put(attempt.number(), attempt);
        if (other != null) {
          found("a commit number is given once", attempt + " and " + other);
        }
      }
    }
  }

  private void checkFreshness(SimHistory history) {
    TreeMap<Long, Long> newestBy = new TreeMap<>();
    List<Attempt> byEnd = new ArrayList<>(history.attempts());
    byEnd.sort((a, b) -> Long.compare(a.completedNanos(), b.completedNanos()));
    long newest = 0;
    for (Attempt attempt : byEnd) {
      if (attempt.outcome() != Outcome.UNKNOWN) {
        newest = Math.max(newest, Math.max(attempt.number(), attempt.point().position().value()));
        newestBy.put(attempt.completedNanos(), newest);
      }
    }
    Map<Integer, Long> sessions = new HashMap<>();
    List<Attempt> byBegin = new ArrayList<>(history.attempts());
    byBegin.sort((a, b) -> Long.compare(a.invokedNanos(), b.invokedNanos()));
    for (Attempt attempt : byBegin) {
      long own = sessions.getOrDefault(attempt.client(), 0L);
      checkLevel(attempt, newestBy, own);
      long snapshot = attempt.point().position().value();
      long number = attempt.outcome() == Outcome.COMMITTED ? attempt.number() : 0;
      sessions.put(attempt.client(), Math.max(own, Math.max(snapshot, number)));
    }
  }

  /**
   * Rule 9.
   *
   * @param newestBy by when a position was known to a client at the latest
   * @param own what the session had seen
   */
  private void checkLevel(Attempt attempt, TreeMap<Long, Long> newestBy, long own) {
    long snapshot = attempt.point().position().value();
    switch (attempt.level().kind()) {
      case LOCAL -> {}
      case SESSION -> checkSession(attempt, own);
      case BOUNDED -> {
        checkSession(attempt, own);
        long lagNanos = (long) (attempt.level().lagMillis() * 1_000_000L * slowest.orElse(0));
        Map.Entry<Long, Long> known = newestBy.lowerEntry(attempt.invokedNanos() - lagNanos);
        if (slowest.isPresent() && known != null && snapshot < known.getValue()) {
          found(
              "a bounded snapshot is no older than its lag (rule 9)",
              attempt + ", but " + known.getValue() + " was known at " + known.getKey());
        }
      }
      case STRONG -> {
        checkSession(attempt, own);
        Map.Entry<Long, Long> known = newestBy.lowerEntry(attempt.invokedNanos());
        if (known != null && snapshot < known.getValue()) {
          found(
              "a strong snapshot is at or after everything acknowledged before (rule 9)",
              attempt + ", but " + known.getValue() + " was known at " + known.getKey());
        }
      }
    }
  }

  private void checkSession(Attempt attempt, long own) {
    if (attempt.point().position().value() < own) {
      found("a session never goes back (rule 9)", attempt + ", but it had seen " + own);
    }
  }
}
