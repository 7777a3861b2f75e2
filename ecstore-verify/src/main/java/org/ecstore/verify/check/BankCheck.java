package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.MicroOp;

/**
 * Checks accounts: before they are opened all are empty; then in every snapshot the total is the
 * same and no balance is negative, and each balance is what the transfers at or below the snapshot
 * make it. A transfer of unknown outcome may have been made or not, but at one position for all
 * reads: one below which no read sees it, and from which on every read does ({@link
 * UnknownTransfers}).
 */
final class BankCheck {
  private final Findings findings;
  private final List<Attempt> openings = new ArrayList<>();
  private final List<Attempt> committed = new ArrayList<>();
  private final List<Attempt> unknown = new ArrayList<>();
  private final List<Attempt> reads = new ArrayList<>();

  /** The highest position that was known once the line with an index was written. */
  private final TreeMap<Long, Long> known = new TreeMap<>();

  private long notExplained;

  private BankCheck(Findings findings) {
    this.findings = findings;
  }

  static void check(History history, Findings findings) {
    BankCheck check = new BankCheck(findings);
    for (Attempt attempt : history.attempts()) {
      check.sort(attempt);
    }
    check.findKnown(history.attempts());
    check.committed.sort(Comparator.comparingLong(BankCheck::number));
    check.reads.sort(Comparator.comparingLong(read -> read.snapshot().orElseThrow()));
    check.check();
  }

  private void sort(Attempt attempt) {
    if (!attempt.mayHaveHappened()) {
      return;
    }
    if (attempt.value().stream().anyMatch(MicroOp.Open.class::isInstance)) {
      openings.add(attempt);
    } else if (attempt.writes()) {
      if (!attempt.isOk()) {
        unknown.add(attempt);
      } else if (attempt.number().isPresent()) {
        committed.add(attempt);
      }
    } else if (attempt.isOk() && attempt.snapshot().isPresent()) {
      reads.add(attempt);
    }
  }

  private void findKnown(List<Attempt> attempts) {
    for (Attempt attempt : attempts) {
      LongStream.concat(attempt.snapshot().stream(), attempt.number().stream())
          .max()
          .ifPresent(position -> known.merge(attempt.completed(), position, Math::max));
    }
    long highest = -1;
    for (Map.Entry<Long, Long> entry : known.entrySet()) {
      highest = Math.max(highest, entry.getValue());
      entry.setValue(highest);
    }
  }

  private static long number(Attempt attempt) {
    return attempt.number().orElseThrow();
  }

  private void check() {
    boolean whole = openings.stream().allMatch(each -> each.isOk() && each.number().isPresent());
    if (!whole || openings.size() > 1) {
      findings.undecided("what the accounts began with is not known: " + openings);
    } else if (openings.isEmpty()) {
      reads.forEach(this::checkEmpty);
      if (!committed.isEmpty()) {
        findings.undecided("no attempt opened the accounts of " + committed.getFirst());
      }
    } else {
      replay(openings.getFirst());
    }
  }

  private static List<Elements> seen(Attempt read) {
    List<Elements> seen = new ArrayList<>();
    for (MicroOp op : read.value()) {
      if (op instanceof MicroOp.ReadBalances(var balances) && balances != null) {
        seen.add(balances);
      }
    }
    return seen;
  }

  private void checkEmpty(Attempt read) {
    for (Elements balances : seen(read)) {
      for (int i = 0; i < balances.size(); i++) {
        if (balances.at(i) != 0) {
          findings.found(
              "balance-before-opening", "account " + i + " is not empty yet for " + read);
          break;
        }
      }
    }
  }

  private void replay(Attempt opening) {
    long[] balances = opened(opening);
    UnknownTransfers transfers = transfers(opening, balances.length);
    int applied = 0;
    while (applied < committed.size() && number(committed.get(applied)) < number(opening)) {
      findings.found("transfer-before-opening", "from empty accounts: " + committed.get(applied++));
    }
    for (Attempt read : reads) {
      long snapshot = read.snapshot().orElseThrow();
      if (snapshot < number(opening)) {
        checkEmpty(read);
        continue;
      }
      while (applied < committed.size() && number(committed.get(applied)) <= snapshot) {
        apply(balances, committed.get(applied++));
      }
      for (Elements seen : seen(read)) {
        check(balances, seen, read, transfers);
      }
    }
    boolean read = !reads.isEmpty() && reads.getLast().snapshot().orElseThrow() >= number(opening);
    if (applied < committed.size() || !read) {
      findings.undecided(
          "no attempt read the balances after " + (read ? committed.get(applied) : opening));
    }
    if (notExplained > 0) {
      findings.undecided(
          notExplained
              + " reads cannot be held against "
              + transfers.count()
              + " unknown transfers: there are too many ways");
    }
  }

  private static long[] opened(Attempt opening) {
    for (MicroOp op : opening.value()) {
      if (op instanceof MicroOp.Open(var balances)) {
        long[] numbers = new long[balances.size()];
        Arrays.setAll(numbers, balances::at);
        return numbers;
      }
    }
    throw new IllegalArgumentException("no opening: " + opening);
  }

  /** Whatever was known when a transfer began is below its commit number. */
  private UnknownTransfers transfers(Attempt opening, int accounts) {
    List<UnknownTransfers.Unknown> transfers = new ArrayList<>();
    for (Attempt attempt : unknown) {
      Map.Entry<Long, Long> before = known.lowerEntry(attempt.invoked());
      long above = Math.max(number(opening), before == null ? -1 : before.getValue());
      long from = Math.max(above, attempt.snapshot().orElse(-1));
      for (MicroOp op : attempt.value()) {
        if (op instanceof MicroOp.Transfer transfer) {
          transfers.add(new UnknownTransfers.Unknown(transfer, from));
        }
      }
    }
    long[] numbers = committed.stream().mapToLong(BankCheck::number).toArray();
    return new UnknownTransfers(accounts, number(opening), numbers, transfers);
  }

  private static void apply(long[] balances, Attempt attempt) {
    for (MicroOp op : attempt.value()) {
      if (op instanceof MicroOp.Transfer(int from, int to, long amount)
          && from < balances.length
          && to < balances.length) {
        balances[from] -= amount;
        balances[to] += amount;
      }
    }
  }

  private void check(long[] expected, Elements seen, Attempt read, UnknownTransfers transfers) {
    long total = Arrays.stream(expected).sum();
    if (seen.size() != expected.length || seen.sum() != total) {
      findings.found(
          "wrong-total", "the total is " + seen.sum() + ", not " + total + ", for " + read);
      return;
    }
    long[] difference = new long[expected.length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = seen.at(i) - expected[i];
      if (seen.at(i) < 0) {
        findings.found("negative-balance", "account " + i + " is negative for " + read);
      }
    }
    switch (transfers.explain(difference, read.snapshot().orElseThrow())) {
      case POSSIBLE -> {}
      case UNDECIDED -> notExplained++;
      case IMPOSSIBLE ->
          findings.found(
              "wrong-balances",
              "the transfers at or below the snapshot make "
                  + Elements.of(expected)
                  + ", and no set of "
                  + transfers.count()
                  + " unknown ones, with all that reads at lower positions have seen of them, makes"
                  + " up for the difference: "
                  + read);
    }
  }
}
