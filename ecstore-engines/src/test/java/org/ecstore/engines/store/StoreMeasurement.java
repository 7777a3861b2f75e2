package org.ecstore.engines.store;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * A quick measurement of a store, one call at a time and with several readers. Not a test.
 * Arguments: the class of a {@link StoreChild.Opening}, what it is told, records, bytes of a value.
 */
public final class StoreMeasurement {
  private static final int BATCH = 500;
  private static final int READERS = 8;

  private final PrintStream out = new PrintStream(System.out, true);
  private final OrderedStore store;
  private final int records;
  private final int valueBytes;
  private final SplittableRandom random = new SplittableRandom(1);

  private StoreMeasurement(OrderedStore store, int records, int valueBytes) {
    this.store = store;
    this.records = records;
    this.valueBytes = valueBytes;
  }

  public static void main(String[] arguments) throws Exception {
    OrderedStore store =
        Class.forName(arguments[0])
            .asSubclass(StoreChild.Opening.class)
            .getDeclaredConstructor()
            .newInstance()
            .open(arguments[1]);
    try (store) {
      new StoreMeasurement(store, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]))
          .run();
    }
  }

  private void run() throws InterruptedException {
    store.clear(KeyRange.ALL);
    store.sync();
    measure("rows loaded", records, this::load);
    store.sync();
    measure("rows written over, 500 a call", records / 2, this::writeOver);
    measure("calls of one row and a sync", 300, this::writeOne);
    measure("reads of one row", 20_000, () -> read(20_000));
    measure("reads of one row, 8 readers", 8 * 10_000, this::readMany);
    measure("scans of 100 rows", 1_000, () -> scan(false));
    measure("scans of 100 rows, backwards", 1_000, () -> scan(true));
    measure("sizes of all", 20, () -> sizes(20));
    measure("middles of all", 20, () -> middles(20));
  }

  private void measure(String what, int count, Measured work) throws InterruptedException {
    long begin = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.printf(Locale.ROOT, "%-32s %,10.0f/s%n", what, count / seconds);
  }

  private interface Measured {
    void run() throws InterruptedException;
  }

  private static Bytes key(int record) {
    return Bytes.utf8(String.format(Locale.ROOT, "user%012d", record));
  }

  private Row row(int record, long version) {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    return new Row(key(record), new Position(version), Bytes.wrap(value));
  }

  private void load() {
    for (int i = 0; i < records; i += BATCH) {
      List<Row> rows = new ArrayList<>();
      for (int j = i; j < Math.min(records, i + BATCH); j++) {
        rows.add(row(j, 1));
      }
      store.load(rows);
    }
  }

  private void writeOver() {
    for (int i = 0; i < records / 2; i += BATCH) {
      List<Row> rows = new ArrayList<>();
      random.ints(BATCH, 0, records).sorted().distinct().forEach(j -> rows.add(row(j, 2)));
      store.write(new StoreBatch(rows, List.of(), List.of()));
    }
    store.sync();
  }

  private void writeOne() {
    for (int i = 0; i < 300; i++) {
      store.write(new StoreBatch(List.of(row(i, 3)), List.of(), List.of()));
      store.sync();
    }
  }

  private void read(int count) {
    SplittableRandom own = random.split();
    for (int i = 0; i < count; i++) {
      store.get(List.of(key(own.nextInt(records))), Integer.MAX_VALUE);
    }
  }

  private void readMany() throws InterruptedException {
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      SplittableRandom own = random.split();
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < 10_000; j++) {
                      store.get(List.of(key(own.nextInt(records))), Integer.MAX_VALUE);
                    }
                  }));
    }
    for (Thread reader : readers) {
      reader.join();
    }
  }

  private void scan(boolean reverse) {
    for (int i = 0; i < 1_000; i++) {
      Bytes key = key(random.nextInt(records / 2) + (reverse ? records / 2 : 0));
      store.scan(
          reverse ? KeyRange.of(Bytes.EMPTY, key) : KeyRange.from(key),
          new ScanBounds(reverse, 100, 1 << 20, false));
    }
  }

  private void sizes(int count) {
    for (int i = 0; i < count; i++) {
      store.size(KeyRange.from(key(i)));
    }
  }

  private void middles(int count) {
    for (int i = 0; i < count; i++) {
      store.middle(KeyRange.from(key(i)));
    }
  }
}
