package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.verify.history.MicroOp;

/**
 * Which transfers of unknown outcome can have been made by now, as reads at growing positions show
 * it: one that was made at or below a position stays made. Kept are all possibilities, each as how
 * many of the transfers that do the same were made; of these it does not matter which.
 *
 * <p>Of what explains a read only the least is kept: a transfer that was made for nothing, as far
 * as this read shows, may as well never have been made. The search is bounded; where the bounds are
 * reached it may find that something is possible, never that it is not.
 */
final class UnknownTransfers {
  /** What became of a read. */
  enum Answer {
    POSSIBLE,
    IMPOSSIBLE,
    /** Not within the bounds of the search. */
    UNDECIDED
  }

  /** How many sets of transfers are tried for a read. */
  private static final int TRIES_MAX = 1 << 18;

  /** And for all reads together. */
  private static final int ALL_TRIES_MAX = 1 << 27;

  /** How many possibilities are kept. */
  private static final int KEPT_MAX = 256;

  /** Most likely few were made between two reads; then whatever is left of the tries is used. */
  private static final long[] SIZES = {1, 2, 3, Long.MAX_VALUE};

  /**
   * Transfers that do the same, each with the position above which it was made if it was.
   *
   * @param amount what the higher account gets of the lower one; negative the other way
   */
  private record Alike(int low, int high, long amount, List<Long> above) {
    /** How many can have been made at or below a position. */
    int most(long position) {
      int count = 0;
      while (count < above.size() && above.get(count) < position) {
        count++;
      }
      return count;
    }

    void move(long[] balances, long times) {
      balances[high] += times * amount;
      balances[low] -= times * amount;
    }
  }

  private final int accounts;
  private final long[] numbers;
  private final List<Alike> kinds;
  private final long opened;

  /** The possibilities at the position of the last read that could be explained. */
  private List<int[]> possible;

  private long position;

  /** Whether there are no other possibilities. */
  private boolean complete = true;

  /** What the last read that could be explained has shown. */
  private long[] shown;

  private int triesLeft = ALL_TRIES_MAX;
  private int tries;
  private boolean outOfTries;

  /** A transfer of unknown outcome: if it was made, then above a position. */
  record Unknown(MicroOp.Transfer transfer, long above) {}

  /**
   * Nothing is made yet.
   *
   * @param opened the position of the opening
   * @param numbers of all known commits, ascending: nothing else was made there
   */
  UnknownTransfers(int accounts, long opened, long[] numbers, List<Unknown> unknown) {
    this.accounts = accounts;
    this.opened = opened;
    this.position = opened;
    this.numbers = numbers.clone();
    this.kinds = kinds(accounts, unknown);
    this.possible = List.of(new int[kinds.size()]);
    this.shown = new long[accounts];
  }

  /** In order of accounts, so that the first accounts are settled early in the search. */
  private static List<Alike> kinds(int accounts, List<Unknown> unknown) {
    Map<List<Long>, List<Long>> above = new TreeMap<>(UnknownTransfers::compare);
    for (Unknown each : unknown) {
      MicroOp.Transfer transfer = each.transfer();
      boolean moves = transfer.from() != transfer.to() && transfer.amount() != 0;
      if (moves && transfer.from() < accounts && transfer.to() < accounts) {
        List<Long> key =
            List.of(
                (long) Math.min(transfer.from(), transfer.to()),
                (long) Math.max(transfer.from(), transfer.to()),
                transfer.from() < transfer.to() ? transfer.amount() : -transfer.amount());
        above.computeIfAbsent(key, _ -> new ArrayList<>()).add(each.above());
      }
    }
    List<Alike> kinds = new ArrayList<>();
    above.forEach(
        (key, bounds) ->
            kinds.add(
                new Alike(
                    Math.toIntExact(key.get(0)),
                    Math.toIntExact(key.get(1)),
                    key.get(2),
                    bounds.stream().sorted().toList())));
    return kinds;
  }

  private static int compare(List<Long> a, List<Long> b) {
    for (int i = 0; i < a.size(); i++) {
      int byField = Long.compare(a.get(i), b.get(i));
      if (byField != 0) {
        return byField;
      }
    }
    return 0;
  }

  /** How many there are. */
  int count() {
    return kinds.stream().mapToInt(kind -> kind.above().size()).sum();
  }

  /**
   * Whether unknown transfers can make up for a difference that a read saw. If they cannot, the
   * read counts no further.
   *
   * @param difference of balances seen to what the known transfers make
   * @param at where it read; never less than before
   */
  Answer explain(long[] difference, long at) {
    if (Arrays.equals(difference, shown)) {
      position = at;
      return Answer.POSSIBLE;
    }
    Found next = search(possible, difference, at, free(position, at));
    if (next.states().isEmpty() && complete && next.all()) {
      return Answer.IMPOSSIBLE;
    }
    if (!next.states().isEmpty()) {
      complete &= next.all();
      explained(next, difference, at);
      return Answer.POSSIBLE;
    }
    // What earlier reads have left is not all there is: on its own the read may still be wrong.
    Found alone = search(List.of(new int[kinds.size()]), difference, at, free(opened, at));
    if (alone.states().isEmpty()) {
      return alone.all() ? Answer.IMPOSSIBLE : Answer.UNDECIDED;
    }
    complete = false;
    explained(alone, difference, at);
    return Answer.UNDECIDED;
  }

  private void explained(Found by, long[] difference, long at) {
    possible = by.states();
    shown = difference.clone();
    position = at;
  }

  /** How many positions above one, and at or below another, are of no known commit. */
  private long free(long above, long through) {
    return through - above - (notAbove(through) - notAbove(above));
  }

  private int notAbove(long limit) {
    int found = Arrays.binarySearch(numbers, limit);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Possibilities, and whether they are all. */
  private record Found(List<int[]> states, boolean all) {}

  private Found search(List<int[]> from, long[] difference, long at, long free) {
    List<int[]> found = new ArrayList<>();
    int[] most = kinds.stream().mapToInt(kind -> kind.most(at)).toArray();
    for (long size : SIZES) {
      int given = Math.min(TRIES_MAX, triesLeft);
      tries = given;
      outOfTries = false;
      for (int[] state : from) {
        long[] missing = difference.clone();
        for (int i = 0; i < state.length; i++) {
          kinds.get(i).move(missing, -state[i]);
        }
        new Extension(state.clone(), missing, most, found).extend(0, Math.min(size, free));
      }
      triesLeft -= given - tries;
    }
    return new Found(found, !outOfTries && found.size() < KEPT_MAX);
  }

  /** Adds transfers to one possibility until nothing is missing. */
  private final class Extension {
    private final int[] state;
    private final long[] missing;
    private final int[] most;
    private final List<int[]> found;

    /** By how much those from a kind on can raise and lower each account. */
    private final long[][] raise;

    private final long[][] lower;

    Extension(int[] state, long[] missing, int[] most, List<int[]> found) {
      this.state = state;
      this.missing = missing;
      this.most = most;
      this.found = found;
      this.raise = new long[kinds.size() + 1][accounts];
      this.lower = new long[kinds.size() + 1][accounts];
      for (int i = kinds.size() - 1; i >= 0; i--) {
        raise[i] = raise[i + 1].clone();
        lower[i] = lower[i + 1].clone();
        Alike kind = kinds.get(i);
        long sum = kind.amount() * Math.max(0, most[i] - state[i]);
        (sum > 0 ? raise : lower)[i][kind.high()] += Math.abs(sum);
        (sum > 0 ? lower : raise)[i][kind.low()] += Math.abs(sum);
      }
    }

    void extend(int kind, long left) {
      if (tries <= 0 || found.size() >= KEPT_MAX) {
        outOfTries = true;
        return;
      }
      tries--;
      if (Arrays.stream(missing).allMatch(each -> each == 0)) {
        keep();
        return;
      }
      if (left <= 0 || !canBeReached(kind)) {
        return;
      }
      int had = state[kind];
      long more = Math.min(left, most[kind] - had);
      extend(kind + 1, left);
      for (int i = 1; i <= more; i++) {
        kinds.get(kind).move(missing, -1);
        state[kind]++;
        extend(kind + 1, left - i);
      }
      kinds.get(kind).move(missing, state[kind] - had);
      state[kind] = had;
    }

    private boolean canBeReached(int kind) {
      for (int i = 0; i < accounts; i++) {
        if (missing[i] > raise[kind][i] || -missing[i] > lower[kind][i]) {
          return false;
        }
      }
      return true;
    }

    /** One in which more of nothing was made leaves as much to what follows. */
    private void keep() {
      for (int[] other : found) {
        boolean less = true;
        for (int i = 0; less && i < state.length; i++) {
          less = other[i] <= state[i];
        }
        if (less) {
          return;
        }
      }
      found.add(state.clone());
    }
  }
}
