package org.ecstore.bench.ycsb;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import site.ycsb.DBException;
import site.ycsb.Utils;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workload, which chooses keys, operations and values, against a store. */
public final class YcsbLoad implements Load {
  private static final String TABLE = "usertable";

  /** Inserts that failed leave so many keys in a row without a record, at the most. */
  private static final int HOLE_MAX = 16;

  /** A store that says of more that they are there says so of all: one that keeps nothing. */
  private static final long INSERTED_MAX = 1L << 40;

  private final Target target;
  private final YcsbWorkload kind;
  private final Properties properties;
  private final long records;
  private final CoreWorkload loading;

  /** With the records that are there when it begins. Guarded by this. */
  private Optional<CoreWorkload> running = Optional.empty();

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
    this.kind = kind;
    this.records = records;
    this.properties = kind.properties(records, recordBytes, distribution);
    this.loading = workload(kind, properties);
  }

  private static CoreWorkload workload(YcsbWorkload kind, Properties properties) {
    // YCSB's own measurements, which it takes at any rate, are made with the workload.
    Measurements.setProperties(properties);
    CoreWorkload workload = new CoreWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalStateException("YCSB does not take the workload " + kind, e);
    }
    return workload;
  }

  /** YCSB inserts from {@code recordcount} on, whatever runs before this one have inserted. */
  private synchronized CoreWorkload running(BenchDb store) {
    if (running.isEmpty()) {
      long inserted = kind.isInserting() ? inserted(store) : 0;
      properties.setProperty("recordcount", Long.toString(records + inserted));
      running = Optional.of(inserted == 0 ? loading : workload(kind, properties));
    }
    return running.get();
  }

  /** How many records are behind those that were loaded, with keys that have none between them. */
  private long inserted(BenchDb store) {
    if (!isOneThere(store, records)) {
      return 0;
    }
    long there = 0;
    long free = 1;
    while (isOneThere(store, records + free)) {
      there = free;
      free *= 2;
      if (free > INSERTED_MAX) {
        return 0;
      }
    }
    while (free - there > 1) {
      long middle = (there + free) / 2;
      if (isOneThere(store, records + middle)) {
        there = middle;
      } else {
        free = middle;
      }
    }
    return free;
  }

  /** Whether a record has a key of that number, or of one of the next. */
  private static boolean isOneThere(BenchDb store, long number) {
    return LongStream.range(number, number + HOLE_MAX)
        .anyMatch(
            each -> store.read(TABLE, "user" + Utils.hash(each), null, new HashMap<>()).isOk());
  }

  @Override
  public Client client(int number, int clients) throws DBException, WorkloadException {
    BenchDb store = target.client();
    CountingDb counting = new CountingDb(store, YcsbWorkload.FIELDS);
    CoreWorkload workload = running(store);
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
        Object state = loading.initThread(properties, 0, 1);
        while (left.getAndDecrement() > 0) {
          if (!loading.doInsert(store, state)) {
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
