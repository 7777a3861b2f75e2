package org.ecstore.bench.ycsb;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workload, which chooses keys, operations and values, against a store. */
public final class YcsbLoad implements Load {
  private static final String TABLE = "usertable";

  private final Target target;
  private final CoreWorkload workload;
  private final Properties properties;
  private final long records;

  /**
   * A workload on so many records.
   *
   * @param distribution of the keys asked for: {@code zipfian} or {@code uniform}
   */
  public YcsbLoad(Target target, YcsbWorkload kind, long records, String distribution) {
    this(target, kind, records, YcsbWorkload.RECORD_BYTES, distribution);
  }

  /**
   * As above.
   *
   * @param recordBytes of each record, in tens
   */
  public YcsbLoad(
      Target target, YcsbWorkload kind, long records, int recordBytes, String distribution) {
    this.target = target;
    this.records = records;
    this.properties = kind.properties(records, recordBytes, distribution);
    // YCSB's own measurements, which it takes at any rate, are made with the workload.
    Measurements.setProperties(properties);
    this.workload = new CoreWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalStateException("YCSB does not take the workload " + kind, e);
    }
  }

  @Override
  public Client client(int number, int clients) throws DBException, WorkloadException {
    BenchDb store = target.client();
    CountingDb counting = new CountingDb(store, YcsbWorkload.FIELDS);
    Object state = workload.initThread(properties, number, clients);
    return new Client() {
      @Override
      public LoadOutcome next() {
        workload.doTransaction(counting, state);
        return counting.taken();
      }

      @Override
      public void close() {
        store.cleanup();
      }
    };
  }

  /** Keys are {@code user} and a hashed number: as many begin with each digit. */
  public static List<Bytes> splitHints() {
    Bytes table = Tuple.of(TABLE).encode();
    return Stream.of("user2", "user4", "user6", "user8")
        .map(key -> Tuple.of(key).encode(table))
        .toList();
  }

  /** The records, as a load of inserts that ends when all are there. */
  public Inserts inserts() {
    return new Inserts();
  }

  /** Inserts each record once. */
  public final class Inserts {
    private final AtomicLong left = new AtomicLong(records);

    private Inserts() {}

    /** Inserts records until none is left; to be called by several threads. */
    public void run(Runnable inserted) throws DBException, WorkloadException {
      BenchDb store = target.client();
      try {
        Object state = workload.initThread(properties, 0, 1);
        while (left.getAndDecrement() > 0) {
          if (!workload.doInsert(store, state)) {
            throw new IllegalStateException("a record cannot be inserted into " + target.name());
          }
          inserted.run();
        }
      } finally {
        store.cleanup();
      }
    }
  }
}
