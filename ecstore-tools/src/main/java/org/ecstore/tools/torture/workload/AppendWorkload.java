package org.ecstore.tools.torture.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.MicroOp;

/** Transactions of one to four steps that append to lists or read them. */
final class AppendWorkload implements Workload {
  private static final int APPENDS_MAX = 48;
  private static final int FINAL_READS = 32;
  private static final Pattern COMMA = Pattern.compile(",");

  private final KeyPool keys = new KeyPool(APPENDS_MAX);

  @Override
  public List<MicroOp> next(SplittableRandom random) {
    return keys.steps(random, MicroOp.Append::new, key -> new MicroOp.ReadList(key, null));
  }

  @Override
  public List<MicroOp> run(Transaction tx, List<MicroOp> steps) {
    List<MicroOp> seen = new ArrayList<>(steps.size());
    for (MicroOp step : steps) {
      if (step instanceof MicroOp.Append(long key, long element)) {
        Tuple place = Workload.place(key);
        String before = tx.get(TABLE, place).map(list -> list + ",").orElse("");
        tx.put(TABLE, place, before + element);
        seen.add(step);
      } else {
        seen.add(read(tx, step));
      }
    }
    return seen;
  }

  @Override
  public MicroOp read(Snapshot snapshot, MicroOp step) {
    if (step instanceof MicroOp.ReadList(long key, var _)) {
      return new MicroOp.ReadList(key, list(snapshot, key));
    }
    throw new IllegalArgumentException("not a step on lists: " + step);
  }

  private static Elements list(Snapshot snapshot, long key) {
    return snapshot
        .get(TABLE, Workload.place(key))
        .map(text -> Elements.of(COMMA.splitAsStream(text).mapToLong(Long::parseLong).toArray()))
        .orElse(Elements.NONE);
  }

  @Override
  public List<List<MicroOp>> readAll() {
    return Workload.reads(keys.used(), FINAL_READS, key -> new MicroOp.ReadList(key, null));
  }
}
