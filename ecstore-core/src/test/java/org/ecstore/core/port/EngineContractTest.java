package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.Folding;
import org.ecstore.aggregate.Measure;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every promise of {@link Engine}, but for those that need random histories ({@link
 * EngineHistoryContractTest}). An adapter's test extends both and opens its engine on an empty
 * store.
 */
public abstract class EngineContractTest {
  /** Keys that an escape, a terminator or a signed comparison would get wrong. */
  static final List<Bytes> HARD_KEYS =
      List.of(
          Bytes.EMPTY,
          Bytes.of(0),
          Bytes.of(0, 0),
          Bytes.of(0, 0, 0),
          Bytes.of(0, 0, 1),
          Bytes.of(0, 0xff),
          Bytes.of(0, 0xff, 0),
          Bytes.of(0, 0xff, 0xff),
          Bytes.of(0, 1),
          Bytes.of(0, 1, 0),
          Bytes.of(1),
          Bytes.of(1, 0),
          Bytes.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
          Bytes.of(1, 0, 0xff),
          Bytes.of(1, 0x7f),
          Bytes.of(1, 0x80),
          Bytes.of(1, 0xff),
          Bytes.of(0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
          Bytes.of(0x80),
          Bytes.of(0xff),
          Bytes.of(0xff, 0),
          Bytes.of(0xff, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
          Bytes.of(0xff, 0xff),
          Bytes.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));

  private EngineDriver driver;

  /** Opens an engine on the store of this test, which outlives it and is empty at first. */
  protected abstract Engine open(Consumer<Event> sink);

  /** Closes an engine in the orderly way. */
  protected abstract void close(Engine engine);

  /** Lets an engine without threads of its own complete one call. */
  protected void advance() {}

  /** The driver of the engine. */
  protected final EngineDriver driver() {
    return driver;
  }

  /** Begins a case; what runs one by itself calls it. */
  @BeforeEach
  public final void openEngine() {
    driver = new EngineDriver(this::open, this::advance);
  }

  @AfterEach
  final void closeEngine() {
    close(driver.engine());
  }

  static VersionedWrite put(Bytes key, long version, Bytes value) {
    return new VersionedWrite(key, new Position(version), Optional.of(value));
  }

  static VersionedWrite put(String key, long version, String value) {
    return put(Bytes.utf8(key), version, Bytes.utf8(value));
  }

  static VersionedWrite tombstone(String key, long version) {
    return new VersionedWrite(Bytes.utf8(key), new Position(version), Optional.empty());
  }

  static KeyRange range(String start, String end) {
    return KeyRange.of(Bytes.utf8(start), Bytes.utf8(end));
  }

  static EngineBatch batch(VersionedWrite... writes) {
    return new EngineBatch(List.of(writes), List.of());
  }

  static ScanSpec spec(KeyRange interval, long at, boolean reverse, int records, int bytes) {
    return new ScanSpec(interval, new Position(at), reverse, records, bytes, false);
  }

  static List<String> keys(List<Row> rows) {
    return rows.stream().map(row -> row.key().toUtf8()).toList();
  }

  private List<String> scanKeys(KeyRange interval, long at, boolean reverse) {
    return keys(driver.scanAll(interval, new Position(at), reverse, false));
  }

  private void putHardKeys(long version) {
    List<VersionedWrite> writes =
        new ArrayList<>(HARD_KEYS.stream().map(key -> put(key, version, key)).toList());
    Collections.shuffle(writes, new Random(version));
    driver.apply(new EngineBatch(writes, List.of()));
  }

  // Reads.

  @Test
  public void readsTheNewestVersionAtOrBelowThePosition() {
    driver.put("a", 5, "five");
    driver.put("a", 9, "nine");
    assertEquals(Optional.empty(), driver.read("a", 4));
    assertEquals(Optional.of("five"), driver.read("a", 5));
    assertEquals(Optional.of("five"), driver.read("a", 8));
    assertEquals(Optional.of("nine"), driver.read("a", 9));
    assertEquals(Optional.of("nine"), driver.read("a", Long.MAX_VALUE));
  }

  @Test
  public void rowsCarryKeyAndVersion() {
    driver.put("a", 5, "five");
    assertEquals(
        List.of(Optional.of(new Row(Bytes.utf8("a"), new Position(5), Bytes.utf8("five")))),
        driver.read(List.of(Bytes.utf8("a")), new Position(7)));
  }

  @Test
  public void theLeastAndTheGreatestPositionAreVersionsToo() {
    driver.put("a", 0, "least");
    driver.put("a", Long.MAX_VALUE, "greatest");
    assertEquals(Optional.of("least"), driver.read("a", 0));
    assertEquals(Optional.of("least"), driver.read("a", Long.MAX_VALUE - 1));
    assertEquals(Optional.of("greatest"), driver.read("a", Long.MAX_VALUE));
  }

  @Test
  public void aTombstoneReadsAsAbsentAndHidesNothingBelowIt() {
    driver.put("a", 5, "five");
    driver.delete("a", 7);
    driver.put("a", 9, "nine");
    assertEquals(Optional.of("five"), driver.read("a", 6));
    assertEquals(Optional.empty(), driver.read("a", 7));
    assertEquals(Optional.empty(), driver.read("a", 8));
    assertEquals(Optional.of("nine"), driver.read("a", 9));
  }

  @Test
  public void anEmptyValueIsNotATombstone() {
    driver.put("a", 5, "");
    assertEquals(Optional.of(""), driver.read("a", 5));
    assertEquals(List.of("a"), scanKeys(KeyRange.ALL, 5, false));
  }

  @Test
  public void answersOneElementAKeyInTheOrderAsked() {
    driver.write(put("a", 1, "1"), put("b", 2, "2"), put("c", 3, "3"));
    List<Bytes> asked =
        List.of(
            Bytes.utf8("c"), Bytes.utf8("x"), Bytes.utf8("a"), Bytes.utf8("c"), Bytes.utf8("b"));
    assertEquals(
        List.of("3", "-", "1", "3", "2"),
        driver.read(asked, new Position(3)).stream()
            .map(row -> row.map(Row::value).map(Bytes::toUtf8).orElse("-"))
            .toList());
    assertEquals(Optional.empty(), driver.read(asked, new Position(1)).get(4));
    assertEquals(List.of(), driver.read(List.of(), new Position(3)));
  }

  @Test
  public void keysWithZerosAndPrefixesOfEachOtherStayApart() {
    putHardKeys(3);
    for (Bytes key : HARD_KEYS) {
      Bytes other = key.concat(Bytes.of(0, 0));
      List<Optional<Row>> rows = driver.read(List.of(key, key.concat(key)), new Position(3));
      assertEquals(Optional.of(new Row(key, new Position(3), key)), rows.getFirst());
      if (!HARD_KEYS.contains(other)) {
        assertEquals(Optional.empty(), driver.read(List.of(other), new Position(3)).getFirst());
      }
    }
  }

  @Test
  public void valuesMayBeAMebibyteLong() {
    byte[] array = new byte[1 << 20];
    new Random(1).nextBytes(array);
    Bytes value = Bytes.copyOf(array);
    driver.write(put(Bytes.utf8("a"), 1, value), put("b", 1, "small"));
    assertEquals(
        value, driver.read(List.of(Bytes.utf8("a")), new Position(1)).getFirst().get().value());
    assertEquals(
        value, driver.scanAll(KeyRange.ALL, new Position(1), true, false).getLast().value());
  }

  @Test
  public void aKeyMayHaveManyVersions() {
    int count = 3000;
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      writes.add(put("k", 2L * i, "v" + i));
    }
    writes.add(put("j", 1, "before"));
    writes.add(put("l", 1, "after"));
    Collections.shuffle(writes, new Random(7));
    driver.apply(new EngineBatch(writes, List.of()));
    for (int i = 1; i <= count; i += 97) {
      for (long at : new long[] {2L * i, 2L * i + 1}) {
        assertEquals(Optional.of("v" + i), driver.read("k", at));
        for (boolean reverse : new boolean[] {false, true}) {
          List<Row> rows = driver.scanAll(KeyRange.ALL, new Position(at), reverse, false);
          assertEquals(3, rows.size());
          assertEquals(
              new Row(Bytes.utf8("k"), new Position(2L * i), Bytes.utf8("v" + i)), rows.get(1));
        }
      }
    }
    assertEquals(List.of("l", "j"), scanKeys(KeyRange.ALL, 1, true));
  }

  // Scans.

  @Test
  public void scansGoInKeyOrderAndInItsReverse() {
    putHardKeys(3);
    List<Bytes> sorted = new ArrayList<>(new TreeSet<>(HARD_KEYS));
    List<Row> forward = driver.scanAll(KeyRange.ALL, new Position(3), false, false);
    assertEquals(sorted, forward.stream().map(Row::key).toList());
    assertEquals(sorted, forward.stream().map(Row::value).toList());
    assertEquals(
        sorted.reversed(),
        driver.scanAll(KeyRange.ALL, new Position(3), true, false).stream().map(Row::key).toList());
  }

  @Test
  public void scansKeepToTheirHalfOpenInterval() {
    putHardKeys(3);
    List<Bytes> sorted = new ArrayList<>(new TreeSet<>(HARD_KEYS));
    for (int from = 0; from < sorted.size(); from++) {
      for (int to = from + 1; to <= sorted.size(); to++) {
        KeyRange interval =
            to == sorted.size()
                ? KeyRange.from(sorted.get(from))
                : KeyRange.of(sorted.get(from), sorted.get(to));
        List<Bytes> expected = sorted.subList(from, to);
        assertEquals(
            expected,
            driver.scanAll(interval, new Position(9), false, true).stream().map(Row::key).toList());
        assertEquals(
            expected.reversed(),
            driver.scanAll(interval, new Position(9), true, true).stream().map(Row::key).toList());
      }
    }
  }

  @Test
  public void scansShowOneSnapshot() {
    driver.write(put("a", 1, "a1"), put("b", 1, "b1"), put("c", 1, "c1"));
    driver.write(put("a", 5, "a5"), tombstone("b", 5), put("d", 5, "d5"));
    for (boolean reverse : new boolean[] {false, true}) {
      assertEquals(List.of(), scanKeys(KeyRange.ALL, 0, reverse));
      List<String> old = List.of("a", "b", "c");
      List<String> current = List.of("a", "c", "d");
      assertEquals(reverse ? old.reversed() : old, scanKeys(KeyRange.ALL, 4, reverse));
      assertEquals(reverse ? current.reversed() : current, scanKeys(KeyRange.ALL, 5, reverse));
    }
    assertEquals(
        List.of("a5", "c1", "d5"),
        driver.scanAll(KeyRange.ALL, new Position(6), false, false).stream()
            .map(row -> row.value().toUtf8())
            .toList());
  }

  @Test
  public void aScanOfNothingIsComplete() {
    assertEquals(
        new EngineResult.Rows(List.of(), true), driver.scan(spec(KeyRange.ALL, 9, false, 1, 1)));
    driver.delete("b", 2);
    for (boolean reverse : new boolean[] {false, true}) {
      assertEquals(
          new EngineResult.Rows(List.of(), true),
          driver.scan(spec(KeyRange.ALL, 9, reverse, 1, 1)));
      assertEquals(
          new EngineResult.Rows(List.of(), true),
          driver.scan(spec(range("c", "d"), 9, reverse, 1, 1)));
    }
  }

  /**
   * What is found of rows is of those that the scan would have given, and says how far these go.
   */
  @Test
  public void scansMayBeOfGroups() {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Bytes key = Tuple.of(i < 4 ? "a" : "b", i).encode();
      writes.add(new VersionedWrite(key, new Position(5), Optional.of(Bytes.utf8("x"))));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    Aggregate sum = new Aggregate(0, 0, 1, List.of(), List.of(new Measure(Measure.Kind.SUM, 1)));
    Folding whole = new Folding(sum);
    KeyRange rest = KeyRange.ALL;
    for (int piece = 0; piece < 2; piece++) {
      EngineResult.Rows rows =
          driver.scan(
              new ScanSpec(rest, new Position(9), false, 6, 1 << 20, true, Optional.of(sum)));
      rows.rows().forEach(whole::addRow);
      Bytes last = rows.aggregatedThrough().orElseThrow();
      assertEquals(Tuple.of("b", piece == 0 ? 5 : 9), Tuple.decode(last));
      assertEquals(piece == 1, rows.complete());
      rest = KeyRange.from(last.successor());
    }
    assertEquals(
        "{(\"a\")=6, (\"b\")=39}",
        whole.groups().entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue().sum(0).orElseThrow())
            .collect(Collectors.joining(", ", "{", "}")));
    Aggregate none = new Aggregate(0, 0, 0, List.of(), List.of(new Measure(Measure.Kind.SUM, 0)));
    EngineResult.Rows asTheyAre =
        driver.scan(
            new ScanSpec(
                KeyRange.ALL, new Position(9), false, 100, 1 << 20, true, Optional.of(none)));
    assertEquals(Optional.empty(), asTheyAre.aggregatedThrough());
    assertEquals(10, asTheyAre.rows().size());
  }

  @Test
  public void scansStopAtTheRecordLimitAndGoOnFromThere() {
    for (int i = 0; i < 20; i++) {
      driver.write(put("k" + (char) ('a' + i), 1, "x"), tombstone("k" + (char) ('a' + i) + "0", 1));
    }
    for (boolean reverse : new boolean[] {false, true}) {
      for (int limit = 1; limit <= 21; limit++) {
        assertEquals(
            scanKeys(KeyRange.ALL, 1, reverse), keys(scanInParts(reverse, limit, 1 << 20)));
      }
    }
  }

  @Test
  public void scansStopAtTheRowThatReachesTheByteLimit() {
    for (int i = 0; i < 20; i++) {
      driver.put("k" + (char) ('a' + i), 1, "x".repeat(i * 7 % 50));
    }
    for (boolean reverse : new boolean[] {false, true}) {
      for (int limit : new int[] {1, 2, 3, 10, 51, 52, 53, 100, 400, 1000}) {
        assertEquals(scanKeys(KeyRange.ALL, 1, reverse), keys(scanInParts(reverse, 1000, limit)));
      }
    }
  }

  private List<Row> scanInParts(boolean reverse, int recordsMax, int bytesMax) {
    List<Row> all = new ArrayList<>();
    Optional<KeyRange> rest = Optional.of(KeyRange.ALL);
    while (rest.isPresent()) {
      EngineResult.Rows piece = driver.scan(spec(rest.get(), 1, reverse, recordsMax, bytesMax));
      all.addAll(piece.rows());
      if (piece.complete()) {
        break;
      }
      List<Row> rows = piece.rows();
      int bytes = rows.stream().mapToInt(row -> row.key().length() + row.value().length()).sum();
      Row last = rows.getLast();
      int before = bytes - last.key().length() - last.value().length();
      assertTrue(rows.size() <= recordsMax && before < bytesMax, "stops at the limit");
      assertTrue(rows.size() == recordsMax || bytes >= bytesMax, "stops only at the limit");
      rest =
          !reverse
              ? Optional.of(KeyRange.from(last.key().successor()))
              : last.key().length() == 0
                  ? Optional.empty()
                  : Optional.of(KeyRange.of(Bytes.EMPTY, last.key()));
    }
    return all;
  }

  @Test
  public void readsStopAfterTheRowWithWhichTheirBytesReachTheLimit() {
    driver.put("a", 1, "xxxx");
    driver.put("c", 1, "xxxx");
    driver.put("d", 1, "xxxx");
    List<Bytes> keys = Stream.of("a", "b", "c", "d", "a").map(Bytes::utf8).toList();
    assertEquals(1, driver.read(keys, new Position(1), 1).size());
    assertEquals(1, driver.read(keys, new Position(1), 5).size());
    assertEquals(3, driver.read(keys, new Position(1), 6).size());
    assertEquals(3, driver.read(keys, new Position(1), 10).size());
    assertEquals(5, driver.read(keys, new Position(1), 20).size());
    assertEquals(5, driver.read(keys, new Position(1), 21).size());
  }

  @Test
  public void scansOfKeysOnlyLeaveValuesEmpty() {
    driver.write(put("a", 1, "a1"), put("b", 2, "b2"), tombstone("c", 2), put("d", 9, "d9"));
    List<Row> expected =
        List.of(
            new Row(Bytes.utf8("a"), new Position(1), Bytes.EMPTY),
            new Row(Bytes.utf8("b"), new Position(2), Bytes.EMPTY));
    assertEquals(expected, driver.scanAll(KeyRange.ALL, new Position(3), false, true));
    assertEquals(expected.reversed(), driver.scanAll(KeyRange.ALL, new Position(3), true, true));
  }

  // Newest.

  private Optional<EngineResult.KeyVersion> newest(
      List<String> keys, List<KeyRange> intervals, long above) {
    return driver.newest(keys.stream().map(Bytes::utf8).toList(), intervals, new Position(above));
  }

  @Test
  public void aVersionAboveThePositionIsNewer() {
    driver.write(put("a", 5, "x"), put("ab", 9, "x"), put("b", 2, "x"));
    Bytes a = Bytes.utf8("a");
    assertEquals(
        Optional.of(new EngineResult.KeyVersion(a, KeyRange.single(a), new Position(5))),
        newest(List.of("b", "a"), List.of(), 4));
    assertEquals(Optional.empty(), newest(List.of("b", "a", "c", ""), List.of(), 5));
    assertEquals(Optional.empty(), newest(List.of(), List.of(), 0));
  }

  @Test
  public void aVersionAboveThePositionInAnIntervalIsNewer() {
    driver.write(put("a", 5, "x"), put("b", 2, "x"), put("b", 7, "x"), put("d", 9, "x"));
    KeyRange interval = range("aa", "d");
    assertEquals(
        Optional.of(new EngineResult.KeyVersion(Bytes.utf8("b"), interval, new Position(7))),
        newest(List.of("a"), List.of(range("x", "z"), interval), 6));
    assertEquals(Optional.empty(), newest(List.of("a", "c"), List.of(interval), 7));
    assertEquals(Bytes.utf8("d"), newest(List.of(), List.of(KeyRange.ALL), 8).get().key());
    assertEquals(Bytes.utf8("a"), newest(List.of("a"), List.of(KeyRange.ALL), 4).get().key());
  }

  @Test
  public void aTombstoneAboveThePositionIsNewer() {
    driver.put("a", 2, "x");
    driver.delete("a", 6);
    assertEquals(new Position(6), newest(List.of("a"), List.of(), 5).get().version());
    assertEquals(new Position(6), newest(List.of(), List.of(range("a", "b")), 5).get().version());
    assertEquals(Optional.empty(), newest(List.of("a"), List.of(KeyRange.ALL), 6));
  }

  @Test
  public void newestTellsHardKeysApart() {
    putHardKeys(3);
    for (Bytes key : HARD_KEYS) {
      driver.write(put(key, 5, Bytes.EMPTY));
      for (Bytes other : HARD_KEYS) {
        Optional<Bytes> found =
            driver.newest(List.of(other), List.of(), new Position(4)).map(v -> v.key());
        assertEquals(other.equals(key) ? Optional.of(key) : Optional.empty(), found);
      }
      driver.clear(KeyRange.single(key));
    }
  }

  // Batches.

  @Test
  public void batchesCompleteInTheOrderOfTheirSubmission() {
    List<Long> tokens = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      if (i % 50 == 0) {
        long token = driver.nextToken();
        driver.engine().clear(token, KeyRange.ALL);
        tokens.add(token);
      }
      tokens.add(driver.submit(batch(put("k" + i % 3, i, "v" + i))));
    }
    driver.await(tokens.getLast());
    assertEquals(tokens, driver.arrivals());
    assertEquals(Optional.of("v200"), driver.read("k2", 1000));
    assertEquals(Optional.empty(), driver.read("k0", 199));
  }

  @Test
  public void laterBatchesPrevailInNotes() {
    long last = 0;
    for (int i = 1; i <= 100; i++) {
      last =
          driver.submit(
              new EngineBatch(
                  List.of(put("k", i, "v" + i)),
                  List.of(
                      new MetadataEntry(Bytes.utf8("closed"), Optional.of(Bytes.utf8("" + i))),
                      new MetadataEntry(
                          Bytes.utf8("odd"),
                          i % 2 == 1 ? Optional.of(Bytes.EMPTY) : Optional.empty()))));
    }
    driver.await(last);
    assertEquals(
        List.of(new MetadataEntry(Bytes.utf8("closed"), Optional.of(Bytes.utf8("100")))),
        driver.metadata());
  }

  @Test
  public void notesAreNotData() {
    assertEquals(List.of(), driver.metadata());
    List<MetadataEntry> metadata =
        HARD_KEYS.stream().sorted().map(key -> new MetadataEntry(key, Optional.of(key))).toList();
    List<MetadataEntry> shuffled = new ArrayList<>(metadata);
    Collections.shuffle(shuffled, new Random(3));
    driver.apply(new EngineBatch(List.of(), shuffled));
    assertEquals(metadata, driver.metadata());
    assertEquals(List.of(), scanKeys(KeyRange.ALL, 9, false));
    driver.clear(KeyRange.ALL);
    assertEquals(metadata, driver.metadata());
    driver.apply(
        new EngineBatch(
            List.of(),
            HARD_KEYS.stream().map(key -> new MetadataEntry(key, Optional.empty())).toList()));
    assertEquals(List.of(), driver.metadata());
  }

  @Test
  public void anEmptyBatchIsABatch() {
    driver.apply(new EngineBatch(List.of(), List.of()));
    assertEquals(List.of(), scanKeys(KeyRange.ALL, 9, false));
  }

  @Test
  public void applyingTheSameWriteTwiceLeavesOneVersion() {
    EngineBatch both = batch(put("a", 5, "five"), tombstone("b", 5), put("a", 3, "three"));
    driver.apply(both);
    driver.put("a", 9, "nine");
    driver.apply(both);
    driver.apply(both);
    assertEquals(Optional.of("three"), driver.read("a", 4));
    assertEquals(Optional.of("five"), driver.read("a", 8));
    assertEquals(Optional.of("nine"), driver.read("a", 9));
    assertEquals(List.of("a"), scanKeys(KeyRange.ALL, 5, true));
    driver.fold(KeyRange.ALL, 9, 9);
    assertEquals(Optional.of("nine"), driver.read("a", 9));
    assertEquals(List.of("a"), scanKeys(KeyRange.ALL, 9, true));
  }

  private static VersionedWrite add(String key, long version, long amount) {
    return operation(key, version, AtomicOp.ADD, new WireWriter().i64(amount).toBytes());
  }

  private static VersionedWrite append(String key, long version, String element) {
    Bytes operand = new WireWriter().bytes(Bytes.utf8(element)).toBytes();
    return operation(key, version, AtomicOp.APPEND_IF_ABSENT, operand);
  }

  private static VersionedWrite operation(String key, long version, AtomicOp op, Bytes operand) {
    return new VersionedWrite(
        Bytes.utf8(key), new Position(version), new Mutation.Operation(op, operand));
  }

  private long number(String key, long at) {
    Bytes value = driver.read(List.of(Bytes.utf8(key)), new Position(at)).getFirst().get().value();
    return new WireReader(value).i64();
  }

  private String list(String key, long at) {
    Bytes value = driver.read(List.of(Bytes.utf8(key)), new Position(at)).getFirst().get().value();
    StringBuilder list = new StringBuilder();
    for (WireReader in = new WireReader(value); in.remaining() > 0; ) {
      list.append(in.bytes().toUtf8());
    }
    return list.toString();
  }

  /** Rule 28: each sees what the versions below it have left, in whatever order they came. */
  @Test
  public void operationsApplyInTheOrderOfTheirVersions() {
    driver.write(add("n", 50, 1), append("l", 50, "e"));
    driver.write(add("n", 20, 10), append("l", 20, "b"));
    driver.write(tombstone("n", 30), append("l", 30, "c"));
    driver.write(add("n", 40, 100), append("l", 40, "b"));
    driver.write(add("n", 10, 1_000), append("l", 10, "a"));
    for (long folded : new long[] {0, 10, 25, 30, 45, 60}) {
      driver.fold(KeyRange.ALL, folded, folded);
      assertEquals(101, number("n", 60));
      assertEquals("abce", list("l", 60));
      if (folded <= 20) {
        assertEquals(1_010, number("n", 20));
        assertEquals("ab", list("l", 20));
        assertEquals(Optional.empty(), driver.read("n", 30));
      }
      if (folded <= 45) {
        assertEquals(100, number("n", 45));
        assertEquals("abc", list("l", 45));
      }
    }
    driver.write(add("n", 70, 5), append("l", 70, "a"), append("m", 70, "x"));
    assertEquals(106, number("n", 70));
    assertEquals("abce", list("l", 70));
    assertEquals(List.of("l", "m", "n"), scanKeys(KeyRange.ALL, 70, false));
    driver.fold(KeyRange.ALL, 70, 70);
    assertEquals(106, number("n", 70));
  }

  /** Rule 28: what the store's row is made of stays to be read where it was folded ahead. */
  @Test
  public void aFoldAheadOfItsReadersLeavesOperationsWhatTheyWorkOn() {
    driver.write(add("a", 1, 1), append("l", 1, "a"));
    driver.fold(KeyRange.ALL, 2, 2);
    driver.write(add("a", 4, 10), append("l", 4, "b"), add("new", 4, 7));
    driver.write(add("a", 6, 100), append("l", 6, "c"), add("new", 6, 7));
    for (long through : new long[] {5, 7, 9}) {
      driver.fold(KeyRange.ALL, 2, through);
      assertEquals(1, number("a", 3));
      assertEquals(Optional.empty(), driver.read("new", 3));
      assertEquals(11, number("a", 5));
      assertEquals(7, number("new", 5));
      assertEquals("ab", list("l", 5));
      assertEquals(111, number("a", 8));
      assertEquals(14, number("new", 8));
      assertEquals("abc", list("l", 8));
    }
    driver.fold(KeyRange.ALL, 5, 9);
    assertEquals(11, number("a", 5));
    assertEquals("ab", list("l", 5));
    driver.write(add("a", 10, 1_000), append("l", 10, "d"));
    driver.fold(KeyRange.ALL, 9, 9);
    assertEquals(111, number("a", 9));
    assertEquals(1_111, number("a", 10));
    assertEquals("abcd", list("l", 10));
  }

  @Test
  public void versionsMayArriveInAnyOrder() {
    for (long version : new long[] {50, 10, 40, 20, 30}) {
      driver.put("a", version, "v" + version);
    }
    for (long at = 0; at < 60; at++) {
      assertEquals(
          at < 10 ? Optional.empty() : Optional.of("v" + Math.min(50, at / 10 * 10)),
          driver.read("a", at));
    }
    assertEquals(new Position(50), newest(List.of("a"), List.of(), 45).get().version());
  }

  @Test
  public void whatIsThereStaysAfterClosing() {
    driver.apply(
        new EngineBatch(
            List.of(put("a", 5, "five"), tombstone("b", 5)),
            List.of(new MetadataEntry(Bytes.utf8("n"), Optional.of(Bytes.utf8("note"))))));
    driver.sync();
    driver.fold(KeyRange.ALL, Long.MAX_VALUE, Long.MAX_VALUE);
    close(driver.engine());
    driver.replace(open(driver));
    assertEquals(Optional.of("five"), driver.read("a", 5));
    assertEquals(Optional.empty(), driver.read("b", 5));
    assertEquals(
        List.of(new MetadataEntry(Bytes.utf8("n"), Optional.of(Bytes.utf8("note")))),
        driver.metadata());
  }

  @Test
  public void theSizeOfMuchIsCountedByIntervals() {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < 5_500; i++) {
      Bytes key = Bytes.utf8("k" + (10_000 + i));
      writes.add(new VersionedWrite(key, new Position(3), Optional.of(Bytes.utf8("0123456789"))));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    assertEquals(new EngineResult.Size(5_500, 5_500 * 16), driver.size(KeyRange.ALL));
    assertEquals(
        new EngineResult.Size(3_210, 3_210 * 16),
        driver.size(KeyRange.of(Bytes.utf8("k11000"), Bytes.utf8("k14210"))));
    assertEquals(new EngineResult.Size(0, 0), driver.size(KeyRange.from(Bytes.utf8("l"))));
  }

  // Clear, middle.

  @Test
  public void clearTakesEveryVersionInItsIntervalAndNothingElse() {
    List<Bytes> sorted = new ArrayList<>(new TreeSet<>(HARD_KEYS));
    for (int from = 0; from < sorted.size(); from += 3) {
      for (int to = from + 1; to < sorted.size(); to += 2) {
        putHardKeys(3);
        putHardKeys(4);
        driver.clear(KeyRange.of(sorted.get(from), sorted.get(to)));
        List<Bytes> left = new ArrayList<>(sorted.subList(0, from));
        left.addAll(sorted.subList(to, sorted.size()));
        for (long at : new long[] {3, 4}) {
          assertEquals(
              left,
              driver.scanAll(KeyRange.ALL, new Position(at), false, true).stream()
                  .map(Row::key)
                  .toList());
        }
      }
    }
    driver.clear(KeyRange.ALL);
    assertEquals(Optional.empty(), driver.newest(List.of(), List.of(KeyRange.ALL), Position.ZERO));
  }

  @Test
  public void clearOfMuchLeavesNothing() {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 1; i <= 5000; i++) {
      writes.add(put("many", i, ""));
      writes.add(put("k" + i, 1, ""));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    driver.clear(range("k", "n"));
    assertEquals(Optional.empty(), newest(List.of(), List.of(KeyRange.ALL), 0));
  }

  @Test
  public void clearTakesItsPlaceBetweenBatches() {
    driver.submit(batch(put("a", 1, "1"), put("b", 1, "1")));
    driver.engine().clear(driver.nextToken(), range("a", "b"));
    driver.await(driver.submit(batch(put("a", 2, "2"), put("b", 2, "2"))));
    assertEquals(List.of("b"), scanKeys(KeyRange.ALL, 1, false));
    assertEquals(List.of("a", "b"), scanKeys(KeyRange.ALL, 2, false));
  }

  @Test
  public void middleLeavesNeitherHalfEmpty() {
    assertEquals(Optional.empty(), driver.middle(KeyRange.ALL));
    driver.put("b", 1, "x");
    driver.put("b", 2, "x");
    assertEquals(Optional.empty(), driver.middle(KeyRange.ALL));
    driver.put("d", 2, "x");
    Bytes middle = driver.middle(KeyRange.ALL).get();
    assertTrue(Bytes.utf8("b").compareTo(middle) < 0 && middle.compareTo(Bytes.utf8("d")) <= 0);
    assertEquals(Optional.empty(), driver.middle(range("b", "d")));
    driver.delete("b", 3);
    assertEquals(Optional.empty(), driver.middle(KeyRange.ALL), "a deleted key is not live");
  }

  @Test
  public void middleHalvesTheLiveDataOfItsInterval() {
    List<VersionedWrite> writes = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 3000; i++) {
      String key = String.format(java.util.Locale.ROOT, "k%04d", i);
      writes.add(put(key, 1, "0123456789"));
      if (i < 1000 && random.nextInt(10) > 0) {
        writes.add(tombstone(key, 2));
      }
    }
    driver.apply(new EngineBatch(writes, List.of()));
    for (KeyRange interval : List.of(KeyRange.ALL, range("k0500", "k2500"), range("k1", "k2"))) {
      List<Row> live = driver.scanAll(interval, new Position(2), false, true);
      Bytes middle = driver.middle(interval).get();
      long below = live.stream().filter(row -> row.key().compareTo(middle) < 0).count();
      assertTrue(
          below >= live.size() / 4 && below <= live.size() * 3 / 4,
          () -> below + " of " + live.size() + " below " + middle);
    }
  }

  @Test
  public void theProfileHasAName() {
    assertFalse(driver.engine().profile().kind().isEmpty());
  }
}
