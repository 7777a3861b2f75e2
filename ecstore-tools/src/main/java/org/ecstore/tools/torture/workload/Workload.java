package org.ecstore.tools.torture.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.ecstore.client.Codec;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.verify.history.MicroOp;

/** What clients do. Safe for use by several threads. */
public interface Workload {
  /** How many parts the keys are spread over; consecutive keys are far apart. */
  int BUCKETS = 64;

  /** Where all of it is kept. */
  Table<String> TABLE = Table.of("torture", Codec.utf8());

  /** The transactions that make what is there at the beginning: none, of most. */
  default List<List<MicroOp>> opening() {
    return List.of();
  }

  /** Another transaction. */
  List<MicroOp> next(SplittableRandom random);

  /** Runs a transaction, and returns its steps with what they saw. */
  List<MicroOp> run(Transaction tx, List<MicroOp> steps) throws DeclinedException;

  /** Runs steps that only read, and returns them with what they saw. */
  default List<MicroOp> read(Snapshot snapshot, List<MicroOp> steps) {
    return steps.stream().map(step -> read(snapshot, step)).toList();
  }

  /** A step that only reads, with what it saw. */
  MicroOp read(Snapshot snapshot, MicroOp step);

  /** The transactions that read every key that was ever used. */
  List<List<MicroOp>> readAll();

  /** The workload of a kind. */
  static Workload of(WorkloadKind kind) {
    return switch (kind) {
      case APPEND -> new AppendWorkload();
      case REGISTER -> new RegisterWorkload();
      case BANK -> new BankWorkload();
    };
  }

  /** Where a key is kept. */
  static Tuple place(long key) {
    return Tuple.of(Math.floorMod(key * 37, (long) BUCKETS), key);
  }

  /** Keys that cut the buckets apart. */
  static List<Bytes> splitHints() {
    Bytes table = TABLE.keys().start();
    return LongStream.range(1, BUCKETS).mapToObj(bucket -> Tuple.of(bucket).encode(table)).toList();
  }

  /** Reads of keys from zero on, some in a transaction. */
  static List<List<MicroOp>> reads(
      long keys, int each, java.util.function.LongFunction<MicroOp> read) {
    List<List<MicroOp>> transactions = new ArrayList<>();
    for (long from = 0; from < keys; from += each) {
      transactions.add(LongStream.range(from, Math.min(keys, from + each)).mapToObj(read).toList());
    }
    return transactions;
  }
}
