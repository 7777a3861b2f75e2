package org.ecstore.bench.micro;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.txn.commit.IntentTable;
import org.ecstore.txn.commit.TransactionIntents;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A transaction of two reads, two writes and a scan that meets the marks of others on its range,
 * places its own and takes them away (rules 2, 3).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ValidationBenchmark {
  private static final int KEYS = 1 << 24;

  /** Other transactions with marks on the range. */
  @Param({"1", "100", "10000"})
  public int open;

  private final SplittableRandom random = new SplittableRandom(1);
  private IntentTable table = new IntentTable();
  private long serial;

  /** Others, with keys that this one does not touch. */
  @Setup
  public void prepare() {
    table = new IntentTable();
    for (int i = 0; i < open; i++) {
      table.place(
          transaction(
              List.of(key(1), key(1)), List.of(KeyRange.single(key(1))), List.of(key(1), key(1))),
          Position.ZERO,
          Optional.empty());
    }
  }

  private Bytes key(int kind) {
    int index = random.nextInt(KEYS);
    return Bytes.of((index >>> 16) & 0xff, (index >>> 8) & 0xff, index & 0xff, kind);
  }

  private TransactionIntents transaction(
      List<Bytes> reads, List<KeyRange> scanned, List<Bytes> writes) {
    return new TransactionIntents(
        new TxnId(1, ++serial),
        new NodeId(1),
        1,
        ReadPoint.ZERO,
        Isolation.SERIALIZABLE,
        reads,
        scanned,
        writes,
        List.of(),
        Position.ZERO);
  }

  @Benchmark
  public boolean validate() {
    List<Bytes> reads = List.of(key(2), key(2));
    List<KeyRange> scanned = List.of(KeyRange.single(key(2)));
    List<Bytes> writes = List.of(key(2), key(2));
    TransactionIntents mine = transaction(reads, scanned, writes);
    boolean isFree = table.place(mine, Position.ZERO, Optional.empty()).isEmpty();
    table.remove(mine);
    return isFree;
  }
}
