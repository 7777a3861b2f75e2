package org.ecstore.server.torture.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.server.torture.history.Attempt;
import org.ecstore.server.torture.history.Elements;
import org.ecstore.server.torture.history.History;
import org.ecstore.server.torture.history.MicroOp;

/**
 * Checks accounts: in every snapshot the total is the same and no balance is negative, and each
 * balance is what the transfers at or below the snapshot make it; transfers of unknown outcome may
 * have happened or not.
 */
final class BankCheck {
  /** How many sets of unknown transfers are tried to explain a balance. */
  private static final int TRIES_MAX = 1 << 18;

  private final Findings findings;
  private final List<Attempt> committed = new ArrayList<>();
  private final List<Attempt> unknown = new ArrayList<>();
  private final List<Attempt> reads = new ArrayList<>();
  private long notExplained;

  private BankCheck(Findings findings) {
    this.findings = findings;
  }

  static void check(History history, Findings findings) {
    BankCheck check = new BankCheck(findings);
    for (Attempt attempt : history.attempts()) {
      check.sort(attempt);
    }
    check.replay();
  }

  private void sort(Attempt attempt) {
    if (attempt.writes()) {
      if (!attempt.isOk() && attempt.mayHaveHappened()) {
        unknown.add(attempt);
      } else if (attempt.isOk() && attempt.number().isPresent()) {
        committed.add(attempt);
      }
    } else if (attempt.isOk() && attempt.snapshot().isPresent()) {
      reads.add(attempt);
    }
  }

  private void replay() {
    committed.sort(Comparator.comparingLong(attempt -> attempt.number().orElseThrow()));
    reads.sort(Comparator.comparingLong(attempt -> attempt.snapshot().orElseThrow()));
    Optional<long[]> balances = Optional.empty();
    int applied = 0;
    for (Attempt read : reads) {
      long snapshot = read.snapshot().orElseThrow();
      while (applied < committed.size()
          && committed.get(applied).number().orElseThrow() <= snapshot) {
        balances = apply(balances, committed.get(applied++));
      }
      for (MicroOp op : read.value()) {
        if (balances.isPresent() && op instanceof MicroOp.ReadBalances(var seen) && seen != null) {
          check(balances.get(), seen, read);
        }
      }
    }
    if (applied < committed.size()) {
      findings.undecided("nobody read the balances after " + committed.get(applied));
    }
    if (notExplained > 0) {
      findings.undecided(
          notExplained + " reads cannot be held against " + unknown.size() + " unknown transfers");
    }
  }

  private static Optional<long[]> apply(Optional<long[]> balances, Attempt attempt) {
    Optional<long[]> after = balances;
    for (MicroOp op : attempt.value()) {
      if (op instanceof MicroOp.Open(var opened)) {
        after = Optional.of(numbers(opened));
      } else if (op instanceof MicroOp.Transfer transfer && after.isPresent()) {
        move(after.get(), transfer, 1);
      }
    }
    return after;
  }

  private static long[] numbers(Elements elements) {
    long[] numbers = new long[elements.size()];
    Arrays.setAll(numbers, elements::at);
    return numbers;
  }

  private static void move(long[] balances, MicroOp.Transfer transfer, int times) {
    if (transfer.from() < balances.length && transfer.to() < balances.length) {
      balances[transfer.from()] -= times * transfer.amount();
      balances[transfer.to()] += times * transfer.amount();
    }
  }

  private void check(long[] expected, Elements seen, Attempt read) {
    long total = Arrays.stream(expected).sum();
    if (seen.size() != expected.length || seen.sum() != total) {
      findings.found(
          "wrong-total", "the total is " + seen.sum() + ", not " + total + ", for " + read);
      return;
    }
    long[] missing = new long[expected.length];
    for (int i = 0; i < missing.length; i++) {
      missing[i] = seen.at(i) - expected[i];
      if (seen.at(i) < 0) {
        findings.found("negative-balance", "account " + i + " is negative for " + read);
      }
    }
    List<MicroOp.Transfer> possible = new ArrayList<>();
    for (Attempt attempt : unknown) {
      if (attempt.invoked() < read.completed()) {
        for (MicroOp op : attempt.value()) {
          if (op instanceof MicroOp.Transfer transfer) {
            possible.add(transfer);
          }
        }
      }
    }
    int[] tries = {TRIES_MAX};
    if (!explained(missing, possible, 0, tries)) {
      if (tries[0] <= 0) {
        notExplained++;
        return;
      }
      findings.found(
          "wrong-balances",
          "the transfers at or below the snapshot make "
              + Elements.of(expected)
              + ", and no set of "
              + possible.size()
              + " unknown ones makes up for the difference: "
              + read);
    }
  }

  /** Whether some of the transfers from an index on make up for what is missing. */
  private static boolean explained(
      long[] missing, List<MicroOp.Transfer> possible, int from, int[] tries) {
    if (Arrays.stream(missing).allMatch(each -> each == 0)) {
      return true;
    }
    if (from == possible.size() || tries[0]-- <= 0) {
      return false;
    }
    move(missing, possible.get(from), -1);
    boolean with = explained(missing, possible, from + 1, tries);
    move(missing, possible.get(from), 1);
    return with || explained(missing, possible, from + 1, tries);
  }
}
