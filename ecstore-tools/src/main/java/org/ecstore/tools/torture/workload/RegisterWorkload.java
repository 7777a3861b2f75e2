package org.ecstore.tools.torture.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.verify.history.MicroOp;

/** Transactions of one to four steps that write values, mostly blindly, or read them. */
final class RegisterWorkload implements Workload {
  private static final int WRITES_MAX = 128;
  private static final int FINAL_READS = 64;

  private final KeyPool keys = new KeyPool(WRITES_MAX);

  @Override
  public List<MicroOp> next(SplittableRandom random) {
    return keys.steps(random, MicroOp.Write::new, key -> new MicroOp.ReadValue(key, null));
  }

  @Override
  public List<MicroOp> run(Transaction tx, List<MicroOp> steps) {
    List<MicroOp> seen = new ArrayList<>(steps.size());
    for (MicroOp step : steps) {
      if (step instanceof MicroOp.Write(long key, long value)) {
        tx.put(TABLE, Workload.place(key), Long.toString(value));
        seen.add(step);
      } else {
        seen.add(read(tx, step));
      }
    }
    return seen;
  }

  @Override
  public MicroOp read(Snapshot snapshot, MicroOp step) {
    if (step instanceof MicroOp.ReadValue(long key, var _)) {
      return new MicroOp.ReadValue(
          key, snapshot.get(TABLE, Workload.place(key)).map(Long::valueOf).orElse(null));
    }
    throw new IllegalArgumentException("not a step on registers: " + step);
  }

  @Override
  public List<List<MicroOp>> readAll() {
    return Workload.reads(keys.used(), FINAL_READS, key -> new MicroOp.ReadValue(key, null));
  }
}
