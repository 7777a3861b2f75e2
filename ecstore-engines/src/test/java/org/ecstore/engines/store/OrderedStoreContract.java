package org.ecstore.engines.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every promise of {@link OrderedStore}. A store's test extends this and opens its store on an
 * empty place. What it cannot be made to do (crash, as a process or a machine does) it leaves out.
 */
public abstract class OrderedStoreContract {
  private static final int KEY_BYTES_MAX = 4096;
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final ScanBounds FORWARD = new ScanBounds(false, NO_LIMIT, NO_LIMIT, false);
  private static final ScanBounds BACKWARD = new ScanBounds(true, NO_LIMIT, NO_LIMIT, false);

  /** Keys that an escape, a terminator, a collation or a signed comparison would get wrong. */
  private static final List<Bytes> HARD_KEYS =
      List.of(
          Bytes.EMPTY,
          Bytes.of(0),
          Bytes.of(0, 0),
          Bytes.of(0, 0, 1),
          Bytes.of(0, 0xff),
          Bytes.of(0, 1),
          Bytes.of(1),
          Bytes.of(1, 0),
          Bytes.of(1, 0x7f),
          Bytes.of(1, 0x80),
          Bytes.of(1, 0xff),
          Bytes.utf8(" "),
          Bytes.utf8("%"),
          Bytes.utf8("'"),
          Bytes.utf8("A"),
          Bytes.utf8("A "),
          Bytes.utf8("\\"),
          Bytes.utf8("_"),
          Bytes.utf8("a"),
          Bytes.utf8("a "),
          Bytes.utf8("\u00e4"),
          Bytes.of(0x7f, 0xff),
          Bytes.of(0x80),
          Bytes.of(0xff),
          Bytes.of(0xff, 0),
          Bytes.of(0xff, 0xff),
          Bytes.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));

  private OrderedStore store;

  /** Opens the store of this test, which is empty at first and outlives what was opened on it. */
  protected abstract OrderedStore open();

  /** Whether a crash takes anything; a store that keeps each call is closed instead. */
  protected boolean crashes() {
    return true;
  }

  /** How many calls a random history has: fewer where each takes long. */
  protected int steps() {
    return 600;
  }

  /** Ends a store as a crash does; it may then be opened again. */
  protected void crash(OrderedStore crashing, RandomGenerator random) {
    throw new UnsupportedOperationException("it keeps each call");
  }

  /** All calls so far have just been made durable. */
  protected void synced(OrderedStore open) {}

  @BeforeEach
  final void openStore() {
    store = open();
    synced(store);
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  private static Row row(Bytes key, long version, Bytes value) {
    return new Row(key, new Position(version), value);
  }

  private static Row row(String key, long version, String value) {
    return row(Bytes.utf8(key), version, Bytes.utf8(value));
  }

  private static StoreBatch puts(List<Row> rows) {
    return new StoreBatch(rows, List.of(), List.of());
  }

  private static StoreBatch puts(Row... rows) {
    return puts(List.of(rows));
  }

  private static StoreBatch deletes(Bytes... keys) {
    return new StoreBatch(List.of(), List.of(keys), List.of());
  }

  private static MetadataEntry entry(String name, String value) {
    return new MetadataEntry(Bytes.utf8(name), Optional.of(Bytes.utf8(value)));
  }

  private static StoreBatch notes(MetadataEntry... entries) {
    return new StoreBatch(List.of(), List.of(), List.of(entries));
  }

  private List<Row> all() {
    EngineResult.Rows rows = store.scan(KeyRange.ALL, FORWARD);
    assertTrue(rows.complete());
    return rows.rows();
  }

  /** The rows of an interval by both directions, which must agree. */
  private List<Row> rows(KeyRange interval) {
    EngineResult.Rows forward = store.scan(interval, FORWARD);
    EngineResult.Rows backward = store.scan(interval, BACKWARD);
    assertTrue(forward.complete() && backward.complete());
    assertEquals(forward.rows(), backward.rows().reversed());
    return forward.rows();
  }

  /** Keys of all lengths up to the greatest, which begin alike. */
  private static List<Bytes> longKeys() {
    List<Bytes> keys = new ArrayList<>();
    for (int length : new int[] {255, 256, 767, 768, 1024, 3070, 3071, 3072, 3073, 4095, 4096}) {
      for (int fill : new int[] {0, 'a', 0xff}) {
        for (int end : new int[] {0, 1, 'b', 0xfe, 0xff}) {
          byte[] key = new byte[length];
          Arrays.fill(key, (byte) fill);
          key[length - 1] = (byte) end;
          keys.add(Bytes.wrap(key));
        }
      }
    }
    assertTrue(keys.stream().anyMatch(key -> key.length() == KEY_BYTES_MAX));
    return new ArrayList<>(new TreeSet<>(keys));
  }

  private List<Row> putShuffled(List<Bytes> keys, long version) {
    List<Row> sorted = new ArrayList<>();
    for (Bytes key : new TreeSet<>(keys)) {
      sorted.add(row(key, version, key.slice(Math.max(0, key.length() - 9), key.length())));
    }
    List<Row> shuffled = new ArrayList<>(sorted);
    Collections.shuffle(shuffled, new Random(version));
    store.write(puts(shuffled));
    return sorted;
  }

  // Rows.

  @Test
  public void aRowIsItsKeyVersionAndValue() {
    store.write(puts(row("a", 5, "five"), row("b", 0, ""), row("c", Long.MAX_VALUE, "last")));
    assertEquals(
        List.of(
            Optional.of(row("c", Long.MAX_VALUE, "last")),
            Optional.empty(),
            Optional.of(row("a", 5, "five")),
            Optional.of(row("b", 0, "")),
            Optional.of(row("a", 5, "five"))),
        store.get(
            List.of(
                Bytes.utf8("c"),
                Bytes.utf8("x"),
                Bytes.utf8("a"),
                Bytes.utf8("b"),
                Bytes.utf8("a")),
            NO_LIMIT));
    assertEquals(List.of(), store.get(List.of(), 1));
  }

  @Test
  public void aPutTakesThePlaceOfTheRowThatIsThereWhateverItsVersion() {
    store.write(puts(row("a", 5, "five")));
    store.write(puts(row("a", 9, "a longer value than before")));
    assertEquals(List.of(row("a", 9, "a longer value than before")), all());
    store.write(puts(row("a", 3, "")));
    assertEquals(List.of(row("a", 3, "")), all());
  }

  @Test
  public void aBatchPutsAndDeletesAndItsDeletesMayBeOfNothing() {
    store.write(puts(row("a", 1, "a"), row("b", 1, "b"), row("c", 1, "c")));
    store.write(
        new StoreBatch(
            List.of(row("d", 2, "d"), row("a", 2, "a2")),
            List.of(Bytes.utf8("b"), Bytes.utf8("x")),
            List.of(entry("n", "1"))));
    assertEquals(List.of(row("a", 2, "a2"), row("c", 1, "c"), row("d", 2, "d")), all());
    assertEquals(List.of(entry("n", "1")), store.metadata());
    store.write(new StoreBatch(List.of(), List.of(), List.of()));
    assertEquals(3, all().size());
  }

  @Test
  public void keysKeepTheirOrderAsUnsignedBytesAndStayApart() {
    List<Row> rows = putShuffled(HARD_KEYS, 3);
    assertEquals(rows, rows(KeyRange.ALL));
    for (Row row : rows) {
      assertEquals(
          List.of(Optional.of(row)), store.get(List.of(row.key()), NO_LIMIT), row::toString);
      assertEquals(List.of(row), rows(KeyRange.single(row.key())));
    }
    for (Bytes key : HARD_KEYS) {
      store.write(deletes(key));
      assertEquals(List.of(Optional.empty()), store.get(List.of(key), NO_LIMIT));
    }
    assertEquals(List.of(), all());
  }

  @Test
  public void longKeysThatBeginAlikeStayApart() {
    List<Row> rows = putShuffled(longKeys(), 3);
    assertEquals(rows, rows(KeyRange.ALL));
    for (int i = 0; i < rows.size(); i += 7) {
      Bytes key = rows.get(i).key();
      assertEquals(List.of(Optional.of(rows.get(i))), store.get(List.of(key), NO_LIMIT));
      assertEquals(rows.subList(i, rows.size()), rows(KeyRange.from(key)));
    }
    store.write(puts(row(rows.getLast().key(), 4, Bytes.utf8("again"))));
    store.write(deletes(rows.getFirst().key()));
    assertEquals(rows.size() - 1, all().size());
    assertEquals(new Position(4), all().getLast().version());
  }

  @Test
  public void scansOfLongKeysGoOnWhereTheyStoppedInBothDirections() {
    List<Row> rows = putShuffled(longKeys(), 3);
    for (int records : new int[] {1, 3, 64}) {
      assertEquals(rows, inParts(false, new ScanBounds(false, records, NO_LIMIT, false)));
      assertEquals(rows.reversed(), inParts(true, new ScanBounds(true, records, NO_LIMIT, false)));
    }
  }

  @Test
  public void valuesMayBeEmptyAndAMebibyteLong() {
    byte[] array = new byte[1 << 20];
    new Random(1).nextBytes(array);
    List<Row> rows =
        List.of(
            row(Bytes.utf8("a"), 1, Bytes.EMPTY),
            row(Bytes.utf8("b"), 2, Bytes.copyOf(array)),
            row(Bytes.utf8("c"), 3, Bytes.of(0)),
            row(Bytes.utf8("d"), 4, Bytes.copyOf(array)));
    store.write(puts(rows));
    assertEquals(rows, rows(KeyRange.ALL));
    assertEquals(List.of(Optional.of(rows.get(1))), store.get(List.of(Bytes.utf8("b")), NO_LIMIT));
    store.write(puts(row("b", 5, "short")));
    assertEquals(List.of(row("b", 5, "short")), rows(KeyRange.single(Bytes.utf8("b"))));
  }

  // Limits and bounds.

  @Test
  public void getsStopAfterTheRowWithWhichTheirBytesReachTheLimit() {
    store.write(puts(row("a", 1, "xxxx"), row("c", 1, "xxxx"), row("d", 1, "xxxx")));
    List<Bytes> keys = new ArrayList<>();
    for (String key : List.of("a", "b", "c", "d", "a")) {
      keys.add(Bytes.utf8(key));
    }
    assertEquals(1, store.get(keys, 1).size());
    assertEquals(1, store.get(keys, 5).size());
    assertEquals(3, store.get(keys, 6).size());
    assertEquals(3, store.get(keys, 10).size());
    assertEquals(5, store.get(keys, 20).size());
  }

  private List<Row> inParts(boolean reverse, ScanBounds bounds) {
    List<Row> found = new ArrayList<>();
    Optional<KeyRange> rest = Optional.of(KeyRange.ALL);
    while (rest.isPresent()) {
      EngineResult.Rows piece = store.scan(rest.get(), bounds);
      found.addAll(piece.rows());
      if (piece.complete()) {
        break;
      }
      checkLimits(piece.rows(), bounds);
      Bytes last = piece.rows().getLast().key();
      rest =
          !reverse
              ? Optional.of(KeyRange.from(last.successor()))
              : last.length() == 0 ? Optional.empty() : Optional.of(KeyRange.of(Bytes.EMPTY, last));
    }
    return found;
  }

  private static void checkLimits(List<Row> rows, ScanBounds bounds) {
    long bytes = rows.stream().mapToLong(row -> row.key().length() + row.value().length()).sum();
    Row last = rows.getLast();
    long before = bytes - last.key().length() - last.value().length();
    assertTrue(rows.size() <= bounds.recordsMax() && before < bounds.bytesMax());
    assertTrue(rows.size() == bounds.recordsMax() || bytes >= bounds.bytesMax());
  }

  @Test
  public void scansStopAtTheRowThatReachesALimit() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(row("k" + (char) ('a' + i), 1, "x".repeat(i * 7 % 50)));
    }
    store.write(puts(rows));
    for (int limit : new int[] {1, 2, 3, 10, 19, 20, 21, 51, 52, 53, 100, 400, 1000}) {
      assertEquals(rows, inParts(false, new ScanBounds(false, limit, NO_LIMIT, false)));
      assertEquals(rows, inParts(false, new ScanBounds(false, NO_LIMIT, limit, false)));
      assertEquals(rows.reversed(), inParts(true, new ScanBounds(true, limit, NO_LIMIT, false)));
      assertEquals(rows.reversed(), inParts(true, new ScanBounds(true, NO_LIMIT, limit, false)));
    }
  }

  @Test
  public void scansOfKeysOnlyLeaveValuesEmptyAndCountNoneOfTheirBytes() {
    store.write(puts(row("a", 5, "xxxxx"), row("b", 6, ""), row("c", 7, "xxxxx")));
    List<Row> keys = List.of(row("a", 5, ""), row("b", 6, ""), row("c", 7, ""));
    for (boolean reverse : new boolean[] {false, true}) {
      List<Row> expected = reverse ? keys.reversed() : keys;
      assertEquals(
          new EngineResult.Rows(expected, true),
          store.scan(KeyRange.ALL, new ScanBounds(reverse, NO_LIMIT, NO_LIMIT, true)));
      assertEquals(
          expected.subList(0, 2),
          store.scan(KeyRange.ALL, new ScanBounds(reverse, NO_LIMIT, 2, true)).rows());
    }
  }

  @Test
  public void scansKeepToTheirHalfOpenInterval() {
    List<Row> rows = putShuffled(HARD_KEYS, 3);
    for (int from = 0; from < rows.size(); from++) {
      for (int to = from + 1; to < rows.size(); to++) {
        assertEquals(
            rows.subList(from, to), rows(KeyRange.of(rows.get(from).key(), rows.get(to).key())));
      }
      assertEquals(rows.subList(from, rows.size()), rows(KeyRange.from(rows.get(from).key())));
    }
    assertEquals(List.of(), rows(KeyRange.of(Bytes.utf8("b"), Bytes.utf8("c"))));
  }

  @Test
  public void clearTakesWhatIsInItsBoundsAndNothingElse() {
    TreeSet<Bytes> keys = new TreeSet<>(HARD_KEYS);
    keys.addAll(longKeys().subList(0, 20));
    List<Bytes> sorted = new ArrayList<>(keys);
    for (int from = 0; from < sorted.size(); from += 4) {
      for (int to = from + 1; to < sorted.size(); to += 5) {
        List<Row> rows = putShuffled(sorted, 3);
        store.clear(KeyRange.of(sorted.get(from), sorted.get(to)));
        List<Row> left = new ArrayList<>(rows.subList(0, from));
        left.addAll(rows.subList(to, rows.size()));
        assertEquals(left, rows(KeyRange.ALL));
      }
    }
    store.write(notes(entry("n", "stays")));
    store.clear(KeyRange.ALL);
    assertEquals(List.of(), all());
    assertEquals(List.of(entry("n", "stays")), store.metadata());
  }

  @Test
  public void clearOfManyLeavesNone() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      rows.add(row("k" + (100_000 + i), 1, "v"));
    }
    store.load(rows);
    store.clear(KeyRange.of(Bytes.utf8("k101000"), Bytes.utf8("k108000")));
    assertEquals(2_000, all().size());
    assertEquals(rows.subList(0, 1_000), all().subList(0, 1_000));
  }

  @Test
  public void loadedRowsAreRows() {
    List<Row> before = List.of(row("a", 1, "1"), row("z", 1, "1"));
    store.write(puts(before));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      rows.add(row("k" + (10_000 + i), i, "value " + i));
    }
    store.load(rows.subList(0, 2_000));
    store.load(rows.subList(2_000, 3_000));
    assertEquals(rows, rows(KeyRange.of(Bytes.utf8("b"), Bytes.utf8("y"))));
    assertEquals(3_002, all().size());
  }

  // Metadata.

  @Test
  public void metadataEntriesAreInTheOrderOfTheirNamesAndNoRows() {
    assertEquals(List.of(), store.metadata());
    List<MetadataEntry> entries = new ArrayList<>();
    for (Bytes key : new TreeSet<>(HARD_KEYS)) {
      entries.add(new MetadataEntry(key, Optional.of(key)));
    }
    List<MetadataEntry> shuffled = new ArrayList<>(entries);
    Collections.shuffle(shuffled, new Random(3));
    store.write(new StoreBatch(List.of(), List.of(), shuffled));
    assertEquals(entries, store.metadata());
    assertEquals(List.of(), all());
    List<MetadataEntry> gone = new ArrayList<>();
    for (Bytes key : HARD_KEYS) {
      gone.add(new MetadataEntry(key, Optional.empty()));
    }
    store.write(new StoreBatch(List.of(), List.of(), gone));
    assertEquals(List.of(), store.metadata());
  }

  @Test
  public void theLaterEntryOfANamePrevails() {
    for (int i = 1; i <= 20; i++) {
      store.write(notes(entry("n", "" + i), entry("m" + i % 3, "" + i)));
    }
    assertEquals(
        List.of(entry("m0", "18"), entry("m1", "19"), entry("m2", "20"), entry("n", "20")),
        store.metadata());
  }

  @Test
  public void ofTwoEntriesWithOneNameInABatchTheLaterPrevails() {
    MetadataEntry gone = new MetadataEntry(Bytes.utf8("n"), Optional.empty());
    store.write(notes(entry("n", "1"), entry("n", "2")));
    assertEquals(List.of(entry("n", "2")), store.metadata());
    store.write(notes(gone, entry("n", "3")));
    assertEquals(List.of(entry("n", "3")), store.metadata());
    store.write(notes(entry("n", "4"), gone));
    assertEquals(List.of(), store.metadata());
  }

  // Estimates.

  @Test
  public void theSizeOfFewIsTheirNumberAndAboutTheirBytes() {
    assertEquals(new EngineResult.Size(0, 0), store.size(KeyRange.ALL));
    store.write(puts(row("a", 1, "123"), row("b", 1, ""), row("c", 1, "1234567")));
    EngineResult.Size size = store.size(KeyRange.ALL);
    assertEquals(3, size.records());
    assertTrue(size.bytes() >= 3 && size.bytes() <= 10 * 13, size::toString);
    assertEquals(1, store.size(KeyRange.single(Bytes.utf8("b"))).records());
  }

  @Test
  public void theSizeAndTheMiddleOfManyAreAboutRight() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      rows.add(row("k" + (100_000 + i), 1, "0123456789"));
    }
    for (int i = 0; i < rows.size(); i += 3_000) {
      store.load(rows.subList(i, i + 3_000));
    }
    store.sync();
    checkSize(KeyRange.ALL, 30_000);
    KeyRange third = KeyRange.of(Bytes.utf8("k110000"), Bytes.utf8("k120000"));
    checkSize(third, 10_000);
    checkMiddle(KeyRange.ALL, 30_000, 100_000);
    checkMiddle(third, 10_000, 110_000);
  }

  private void checkSize(KeyRange interval, long records) {
    EngineResult.Size size = store.size(interval);
    assertTrue(size.records() > records / 2 && size.records() < records * 2, size::toString);
    assertTrue(size.bytes() > records * 17 / 3 && size.bytes() < records * 17 * 3, size::toString);
  }

  private void checkMiddle(KeyRange interval, int records, int first) {
    String middle = store.middle(interval).orElseThrow().toUtf8();
    int number = Integer.parseInt(middle.substring(1)) - first;
    assertTrue(number > records / 4 && number < records * 3 / 4, middle);
  }

  @Test
  public void aMiddleLeavesNeitherHalfEmpty() {
    assertEquals(Optional.empty(), store.middle(KeyRange.ALL));
    store.write(puts(row("b", 1, "x")));
    assertEquals(Optional.empty(), store.middle(KeyRange.ALL));
    store.write(puts(row("d", 1, "x")));
    Bytes middle = store.middle(KeyRange.ALL).orElseThrow();
    assertTrue(Bytes.utf8("b").compareTo(middle) < 0 && middle.compareTo(Bytes.utf8("d")) <= 0);
    assertEquals(Optional.empty(), store.middle(KeyRange.of(Bytes.utf8("b"), Bytes.utf8("d"))));
  }

  @Test
  public void theProfileHasAName() {
    assertFalse(store.profile().kind().isEmpty());
  }

  // What is kept.

  @Test
  public void whatIsThereStaysAfterClosing() {
    store.write(
        new StoreBatch(List.of(row("a", 5, "five")), List.of(), List.of(entry("n", "note"))));
    store.close();
    store = open();
    assertEquals(List.of(row("a", 5, "five")), all());
    assertEquals(List.of(entry("n", "note")), store.metadata());
    store.clear(KeyRange.ALL);
    store.close();
    store = open();
    assertEquals(List.of(), all());
  }

  /** All changes of a random history, and what each state of them was. */
  private static final class Model {
    final NavigableMap<Bytes, Row> rows = new TreeMap<>();
    final NavigableMap<Bytes, Bytes> metadata = new TreeMap<>();

    /** By key: what it was after each call since the last sync, and before them under zero. */
    final Map<Bytes, NavigableMap<Long, Optional<Row>>> since = new TreeMap<>();

    /** Calls ever made: the number of the last one. */
    long calls;

    void write(StoreBatch batch) {
      calls++;
      batch.puts().forEach(row -> set(row.key(), Optional.of(row)));
      batch.deletes().forEach(key -> set(key, Optional.empty()));
      for (MetadataEntry entry : batch.metadata()) {
        metadata.put(entry.name(), entry.value().orElseThrow());
      }
    }

    void clear(KeyRange interval) {
      calls++;
      for (Bytes key : List.copyOf(rows.keySet())) {
        if (interval.contains(key)) {
          set(key, Optional.empty());
        }
      }
    }

    private void set(Bytes key, Optional<Row> after) {
      since
          .computeIfAbsent(
              key, first -> new TreeMap<>(Map.of(0L, Optional.ofNullable(rows.get(key)))))
          .put(calls, after);
      after.ifPresentOrElse(row -> rows.put(key, row), () -> rows.remove(key));
    }

    void synced() {
      since.clear();
    }

    /** Whether a crash may have left a row so, if all calls up to one are known to be kept. */
    boolean mayBe(Bytes key, Optional<Row> found, long kept) {
      NavigableMap<Long, Optional<Row>> states = since.get(key);
      if (states == null) {
        return found.equals(Optional.ofNullable(rows.get(key)));
      }
      return states.tailMap(states.floorKey(kept), true).containsValue(found);
    }
  }

  private static Bytes key(RandomGenerator random) {
    if (random.nextInt(8) == 0) {
      return HARD_KEYS.get(random.nextInt(HARD_KEYS.size()));
    }
    return Bytes.utf8("k" + random.nextInt(60));
  }

  private static KeyRange interval(RandomGenerator random) {
    Bytes a = key(random);
    Bytes b = key(random);
    int order = a.compareTo(b);
    return random.nextInt(6) == 0
        ? KeyRange.from(a)
        : order == 0 ? KeyRange.single(a) : order < 0 ? KeyRange.of(a, b) : KeyRange.of(b, a);
  }

  private static StoreBatch batch(RandomGenerator random, long number) {
    NavigableMap<Bytes, Boolean> keys = new TreeMap<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      keys.put(key(random), random.nextInt(3) > 0);
    }
    List<Row> puts = new ArrayList<>();
    List<Bytes> deletes = new ArrayList<>();
    keys.forEach(
        (key, isPut) -> {
          if (isPut) {
            puts.add(row(key, number, Bytes.utf8("x".repeat(random.nextInt(40)) + number)));
          } else {
            deletes.add(key);
          }
        });
    boolean noted = random.nextInt(3) == 0;
    return new StoreBatch(
        puts,
        deletes,
        noted
            ? List.of(entry("call", "0"), entry("twin", "" + number), entry("call", "" + number))
            : List.of());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  public void oneCallAtATimeAgreesWithTheModel(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    Model model = new Model();
    for (int step = 1; step <= steps(); step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 -> {
          StoreBatch batch = batch(random, step);
          store.write(batch);
          model.write(batch);
        }
        case 5 -> {
          if (random.nextInt(4) == 0) {
            KeyRange interval = interval(random);
            store.clear(interval);
            model.clear(interval);
          }
        }
        case 6 -> store.sync();
        case 7 -> {
          if (random.nextInt(10) == 0) {
            store.close();
            store = open();
          }
        }
        case 8 -> {
          List<Bytes> keys = List.of(key(random), key(random), key(random));
          List<Optional<Row>> expected =
              keys.stream().map(key -> Optional.ofNullable(model.rows.get(key))).toList();
          assertEquals(expected, store.get(keys, NO_LIMIT));
        }
        default -> {
          KeyRange interval = interval(random);
          List<Row> expected =
              model.rows.values().stream().filter(row -> interval.contains(row.key())).toList();
          assertEquals(expected, rows(interval));
        }
      }
    }
    assertEquals(List.copyOf(model.rows.values()), rows(KeyRange.ALL));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  public void aCrashKeepsWhatWasSyncedAndNoEntryWithoutWhatCameBeforeIt(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    Model model = new Model();
    int lost = 0;
    int lives = crashes() ? 10 : 2;
    for (int life = 0; life < lives; life++) {
      for (int call = random.nextInt(50); call > 0; call--) {
        if (random.nextInt(12) == 0) {
          store.sync();
          synced(store);
          model.synced();
        } else if (random.nextInt(12) == 0) {
          KeyRange interval = interval(random);
          store.clear(interval);
          model.clear(interval);
        } else {
          StoreBatch batch = batch(random, model.calls + 1);
          store.write(batch);
          model.write(batch);
        }
      }
      if (crashes()) {
        crash(store, random);
      } else {
        store.close();
      }
      store = open();
      synced(store);
      lost += checkCrashed(model);
      model.rows.clear();
      all().forEach(row -> model.rows.put(row.key(), row));
      model.synced();
      store.sync();
      synced(store);
    }
    assertEquals(crashes(), lost > 0, "crashes that take nothing show nothing");
  }

  /** Returns how many rows are not what they were. */
  private int checkCrashed(Model model) {
    List<Long> noted =
        store.metadata().stream()
            .map(entry -> Long.valueOf(entry.value().orElseThrow().toUtf8()))
            .distinct()
            .toList();
    assertTrue(noted.size() <= 1, () -> "the metadata of a call came apart: " + noted);
    long kept = noted.isEmpty() ? 0 : noted.getFirst();
    Map<Bytes, Row> found = new TreeMap<>();
    all().forEach(row -> found.put(row.key(), row));
    TreeSet<Bytes> keys = new TreeSet<>(found.keySet());
    keys.addAll(model.rows.keySet());
    keys.addAll(model.since.keySet());
    int lost = 0;
    for (Bytes key : keys) {
      Optional<Row> row = Optional.ofNullable(found.get(key));
      assertTrue(
          model.mayBe(key, row, kept),
          () -> key + " is " + row + " after the first " + kept + " of " + model.calls);
      lost += row.equals(Optional.ofNullable(model.rows.get(key))) ? 0 : 1;
    }
    return lost;
  }

  // Reads beside changes.

  private static final int BESIDE_KEYS = 60;
  private static final int BESIDE_ROUNDS = 150;

  private static Row besideRow(int key, long version) {
    return row("k" + (100 + key), version, ("v" + version + " ").repeat((int) (version % 20) + 1));
  }

  /** Even keys are always there, odd ones are put and deleted by turns. */
  private static StoreBatch besideBatch(long version) {
    List<Row> puts = new ArrayList<>();
    List<Bytes> deletes = new ArrayList<>();
    for (int key = 0; key < BESIDE_KEYS; key++) {
      Row row = besideRow(key, version);
      if (key % 2 == 1 && version % 2 == 1) {
        deletes.add(row.key());
      } else {
        puts.add(row);
      }
    }
    return new StoreBatch(puts, deletes, List.of());
  }

  @Test
  public void readsBesideChangesSeeOfEachKeyTheRowBeforeOrAfter()
      throws InterruptedException, ExecutionException {
    store.write(besideBatch(0));
    AtomicBoolean over = new AtomicBoolean();
    List<FutureTask<Integer>> readers =
        List.of(
            new FutureTask<>(() -> readBeside(over, FORWARD)),
            new FutureTask<>(() -> readBeside(over, BACKWARD)),
            new FutureTask<>(() -> getBeside(over)));
    readers.forEach(reader -> Thread.ofPlatform().daemon().start(reader));
    try {
      for (long version = 1; version <= BESIDE_ROUNDS; version++) {
        store.write(besideBatch(version));
        if (version % 10 == 0) {
          store.sync();
        }
      }
    } finally {
      over.set(true);
    }
    for (FutureTask<Integer> reader : readers) {
      assertTrue(reader.get() > 0);
    }
  }

  private int readBeside(AtomicBoolean over, ScanBounds bounds) {
    Map<Bytes, Long> newest = new TreeMap<>();
    int reads = 0;
    for (boolean last = false; !last; reads++) {
      last = over.get();
      List<Row> rows = store.scan(KeyRange.ALL, bounds).rows();
      List<Bytes> keys = rows.stream().map(Row::key).toList();
      List<Bytes> sorted = new ArrayList<>(new TreeSet<>(keys));
      assertEquals(bounds.reverse() ? sorted.reversed() : sorted, keys);
      rows.forEach(row -> checkBeside(row, newest));
      assertEquals(
          BESIDE_KEYS / 2,
          rows.stream().filter(row -> numberOf(row) % 2 == 0).count(),
          "no key is missing that is always there");
    }
    return reads;
  }

  private int getBeside(AtomicBoolean over) {
    Map<Bytes, Long> newest = new TreeMap<>();
    List<Bytes> keys = new ArrayList<>();
    for (int key = 0; key < BESIDE_KEYS; key++) {
      keys.add(besideRow(key, 0).key());
    }
    int reads = 0;
    for (boolean last = false; !last; reads++) {
      last = over.get();
      List<Optional<Row>> rows = store.get(keys, NO_LIMIT);
      for (int key = 0; key < BESIDE_KEYS; key++) {
        assertTrue(rows.get(key).isPresent() || key % 2 == 1);
        rows.get(key).ifPresent(row -> checkBeside(row, newest));
      }
    }
    return reads;
  }

  private static int numberOf(Row row) {
    return Integer.parseInt(row.key().toUtf8().substring(1)) - 100;
  }

  private static void checkBeside(Row row, Map<Bytes, Long> newest) {
    long version = row.version().value();
    assertEquals(besideRow(numberOf(row), version), row);
    Long before = newest.put(row.key(), version);
    assertTrue(before == null || before <= version, () -> row.key() + " went back from " + before);
  }

  /** The greatest keys come and go, one below them stays: a read of the last row always has one. */
  @ParameterizedTest
  @ValueSource(ints = {8, KEY_BYTES_MAX})
  public void theLastRowIsFoundBesideDeletesOfGreaterOnes(int length) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      byte[] key = new byte[length];
      Arrays.fill(key, (byte) ('a' + i));
      rows.add(row(Bytes.wrap(key), 1, Bytes.utf8("value")));
    }
    store.write(puts(rows));
    List<Row> greater = rows.subList(1, rows.size());
    AtomicBoolean over = new AtomicBoolean();
    List<FutureTask<Integer>> readers =
        Stream.of(new ScanBounds(true, 1, NO_LIMIT, false), BACKWARD, FORWARD)
            .map(bounds -> new FutureTask<>(() -> readSome(over, bounds)))
            .toList();
    readers.forEach(reader -> Thread.ofPlatform().daemon().start(reader));
    try {
      for (int round = 0; round < BESIDE_ROUNDS; round++) {
        store.write(new StoreBatch(List.of(), greater.stream().map(Row::key).toList(), List.of()));
        store.write(puts(greater));
      }
    } finally {
      over.set(true);
    }
    for (FutureTask<Integer> reader : readers) {
      assertTrue(reader.get() > 0);
    }
  }

  private int readSome(AtomicBoolean over, ScanBounds bounds) {
    int reads = 0;
    for (boolean last = false; !last; reads++) {
      last = over.get();
      int read = reads;
      assertTrue(
          !store.scan(KeyRange.ALL, bounds).rows().isEmpty(),
          () -> "read " + read + " has no row, and one was there all the time");
    }
    return reads;
  }
}
