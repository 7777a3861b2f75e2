package org.ecstore.tools.torture.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.MicroOp;

/** Transfers between a few accounts, and reads of all of them at one snapshot. */
final class BankWorkload implements Workload {
  private static final int ACCOUNTS = 12;
  private static final long OPENING_BALANCE = 100;
  private static final int AMOUNT_MAX = 5;

  @Override
  public List<List<MicroOp>> opening() {
    long[] balances = new long[ACCOUNTS];
    Arrays.fill(balances, OPENING_BALANCE);
    return List.of(List.of(new MicroOp.Open(Elements.of(balances))));
  }

  @Override
  public List<MicroOp> next(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      return List.of(new MicroOp.ReadBalances(null));
    }
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    return List.of(new MicroOp.Transfer(from, to, 1 + random.nextInt(AMOUNT_MAX)));
  }

  @Override
  public List<MicroOp> run(Transaction tx, List<MicroOp> steps) throws DeclinedException {
    List<MicroOp> seen = new ArrayList<>(steps.size());
    for (MicroOp step : steps) {
      switch (step) {
        case MicroOp.Open(var balances) -> {
          for (int i = 0; i < balances.size(); i++) {
            put(tx, i, balances.at(i));
          }
          seen.add(step);
        }
        case MicroOp.Transfer(int from, int to, long amount) -> {
          long source = get(tx, from);
          if (source < amount) {
            throw new DeclinedException("the balance is too low");
          }
          long target = get(tx, to);
          put(tx, from, source - amount);
          put(tx, to, target + amount);
          seen.add(step);
        }
        case MicroOp.ReadBalances _ -> seen.add(read(tx, step));
        case MicroOp.Append _, MicroOp.ReadList _, MicroOp.Write _, MicroOp.ReadValue _ ->
            throw new IllegalArgumentException("not a step on accounts: " + step);
      }
    }
    return seen;
  }

  @Override
  public MicroOp read(Snapshot snapshot, MicroOp step) {
    if (step instanceof MicroOp.ReadBalances) {
      return new MicroOp.ReadBalances(balances(snapshot));
    }
    throw new IllegalArgumentException("not a step that reads accounts: " + step);
  }

  private static void put(Transaction tx, long account, long balance) {
    tx.put(TABLE, Workload.place(account), Long.toString(balance));
  }

  /** An account that is not there, which must not be, is taken for an empty one: it shows. */
  private static long get(Transaction tx, long account) {
    return tx.get(TABLE, Workload.place(account)).map(Long::parseLong).orElse(0L);
  }

  private static Elements balances(Snapshot snapshot) {
    List<Tuple> places = LongStream.range(0, ACCOUNTS).mapToObj(Workload::place).toList();
    Map<Tuple, String> found = snapshot.getAll(TABLE, places);
    return Elements.of(
        places.stream()
            .mapToLong(place -> Long.parseLong(found.getOrDefault(place, "0")))
            .toArray());
  }

  @Override
  public List<List<MicroOp>> readAll() {
    return List.of(List.of(new MicroOp.ReadBalances(null)));
  }
}
