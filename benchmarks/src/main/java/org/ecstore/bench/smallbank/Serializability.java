package org.ecstore.bench.smallbank;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.bench.smallbank.Done.Access;
import org.ecstore.verify.check.Graph;

/**
 * Judges a history by its serialization graph (Adya, Liskov and O'Neil, Generalized Isolation Level
 * Definitions, ICDE 2000): who wrote what others read (wr), wrote over what others wrote (ww), or
 * over what they read (rw). The versions of an account tell all of it exactly; a cycle is an
 * anomaly.
 */
final class Serializability {
  /** Why a transaction comes before another. */
  private enum Why {
    READ_WHAT_IT_WROTE,
    WROTE_OVER_WHAT_IT_READ
  }

  /** A version of an account. */
  private record Version(long account, long number) {}

  private final List<Done> done;
  private final Map<Version, Integer> writers = new HashMap<>();
  private final Graph<Why> graph = new Graph<>();
  private final long expectedOfUnsettled;
  private final long lostUpdates;

  private Serializability(BankHistory history, TreeMap<Long, BankAccount> accounts) {
    Set<Long> seen = new HashSet<>();
    accounts.values().forEach(account -> seen.add(account.writer()));
    List<Done> all = new ArrayList<>(history.kept());
    all.forEach(each -> each.accesses().forEach(access -> seen.add(access.seen().writer())));
    // A transaction that writes an account has read what was there: a commit is seen by the next,
    // or at the end. Among those unsettled one may be seen only by another.
    long delta = 0;
    List<Done> open = new ArrayList<>(history.unsettled());
    for (boolean more = true; more; ) {
      more = false;
      for (Done each : List.copyOf(open)) {
        if (seen.contains(each.id())) {
          open.remove(each);
          all.add(each);
          delta += each.delta();
          each.accesses().forEach(access -> seen.add(access.seen().writer()));
          more = true;
        }
      }
    }
    expectedOfUnsettled = delta;
    done = List.copyOf(all);
    lostUpdates = findWriters();
    findEdges();
  }

  /**
   * Judges.
   *
   * @param before what all accounts held at the beginning
   * @param accounts as they are at the end
   */
  static BankVerdict of(BankHistory history, long before, TreeMap<Long, BankAccount> accounts) {
    return new Serializability(history, accounts).verdict(history, before, accounts);
  }

  private long findWriters() {
    long lost = 0;
    for (int i = 0; i < done.size(); i++) {
      for (Access access : done.get(i).accesses()) {
        if (access.wrote()) {
          Version version = new Version(access.account(), access.written().version());
          lost += writers.putIfAbsent(version, i) == null ? 0 : 1;
        }
      }
    }
    return lost;
  }

  private void findEdges() {
    done.forEach(_ -> graph.addNode());
    for (int i = 0; i < done.size(); i++) {
      for (Access access : done.get(i).accesses()) {
        long number = access.seen().version();
        Integer wrote = writers.get(new Version(access.account(), number));
        if (wrote != null) {
          // wr, and ww if it wrote it too.
          graph.addEdge(wrote, i, Why.READ_WHAT_IT_WROTE);
        }
        Integer overwrote = writers.get(new Version(access.account(), number + 1));
        if (overwrote != null) {
          graph.addEdge(i, overwrote, Why.WROTE_OVER_WHAT_IT_READ);
        }
      }
    }
  }

  private BankVerdict verdict(
      BankHistory history, long before, TreeMap<Long, BankAccount> accounts) {
    int[] group = graph.components();
    int[] sizes = new int[done.size()];
    for (int each : group) {
      sizes[each]++;
    }
    long anomalies = 0;
    long inAnomalies = 0;
    for (int size : sizes) {
      anomalies += size > 1 ? 1 : 0;
      inAnomalies += size > 1 ? size : 0;
    }
    long missing = 0;
    for (int i = 0; i < done.size(); i++) {
      missing += sizes[group[i]] > 1 && isPenaltyMissing(i, group) ? 1 : 0;
    }
    boolean decided = history.isWhole() || history.unsettled().isEmpty();
    return new BankVerdict(
        done.size(),
        history.isWhole(),
        decided
            ? OptionalLong.of(before + history.delta() + expectedOfUnsettled)
            : OptionalLong.empty(),
        Bank.total(accounts),
        lostUpdates,
        anomalies,
        inAnomalies,
        missing);
  }

  private boolean isPenaltyMissing(int at, int[] group) {
    Done check = done.get(at);
    if (check.procedure() != Procedure.WRITE_CHECK || check.penalty()) {
      return false;
    }
    Access savings = check.accesses().getFirst();
    Access checking = check.accesses().getLast();
    Integer next = writers.get(new Version(savings.account(), savings.seen().version() + 1));
    if (next == null
        || group[next] != group[at]
        || done.get(next).procedure() != Procedure.TRANSACT_SAVINGS) {
      return false;
    }
    long left = done.get(next).accesses().getFirst().written().balance();
    return left + checking.seen().balance() < check.amount();
  }
}
