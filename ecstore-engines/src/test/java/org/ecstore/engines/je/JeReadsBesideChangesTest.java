package org.ecstore.engines.je;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a read of Berkeley DB sees of a prune, a clear or a batch that goes on between two moves of
 * its cursor. Each is tried at every such place, and by turns of single steps drawn from a seed.
 */
@Timeout(120)
final class JeReadsBesideChangesTest {
  private static final int SEEDS = 400;

  @TempDir private Path directory;
  private final Turns turns = new Turns();
  private JeStore store;

  @BeforeEach
  void open() {
    store = JeStore.open(directory, JeTesting.SETTINGS, turns::step);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static VersionedWrite put(String key, long version) {
    Bytes value = Bytes.utf8(key + version);
    return new VersionedWrite(Bytes.utf8(key), new Position(version), Optional.of(value));
  }

  private static VersionedWrite tombstone(String key, long version) {
    return new VersionedWrite(Bytes.utf8(key), new Position(version), Optional.empty());
  }

  private void write(List<VersionedWrite> writes) {
    store.apply(List.of(new EngineBatch(writes, List.of())));
  }

  private void begin(List<VersionedWrite> writes) {
    store.clear(KeyRange.ALL);
    write(writes);
  }

  private void prune(long floor) {
    Optional<KeyRange> rest = Optional.of(KeyRange.ALL);
    while (rest.isPresent()) {
      rest = store.prune(rest.get(), new Position(floor), new Position(floor)).rest();
    }
  }

  private List<String> scan(KeyRange interval, long at, boolean reverse) {
    ScanSpec spec =
        new ScanSpec(
            interval, new Position(at), reverse, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    return store.reads().scan(spec).rows().stream().map(JeReadsBesideChangesTest::text).toList();
  }

  private static String text(Row row) {
    return row.key().toUtf8() + row.version().value() + "=" + row.value().toUtf8();
  }

  /** Has the whole change between every two steps of the read, and looks at each answer. */
  private <T> void atEveryStep(
      List<VersionedWrite> before, Supplier<T> read, Runnable change, Consumer<T> check) {
    boolean reached = true;
    for (int step = 0; reached; step++) {
      begin(before);
      int[] left = {step};
      T answer = turns.run(read, change, () -> left[0]-- == 0);
      reached = left[0] < 0;
      check.accept(answer);
    }
  }

  /** Has read and change go on by turns, drawn from many seeds. */
  private <T> void byTurns(
      List<VersionedWrite> before, Supplier<T> read, Runnable change, Consumer<T> check) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      begin(before);
      RandomGenerator random = new SplittableRandom(seed);
      int share = 1 + random.nextInt(4);
      check.accept(turns.run(read, change, () -> random.nextInt(share) == 0));
    }
  }

  private <T> void inEveryWay(
      List<VersionedWrite> before, Supplier<T> read, Runnable change, Consumer<T> check) {
    atEveryStep(before, read, change, check);
    byTurns(before, read, change, check);
  }

  private static final List<VersionedWrite> DELETED_AND_REPLACED =
      List.of(
          put("a", 1),
          put("b", 1),
          tombstone("b", 2),
          put("c", 1),
          put("c", 2),
          put("d", 1),
          tombstone("d", 3),
          put("d", 9),
          put("e", 4),
          put("f", 1),
          tombstone("f", 2));

  @Test
  void aReverseScanBesideAPruneReturnsNoDeletedRow() {
    inEveryWay(
        DELETED_AND_REPLACED,
        () -> scan(KeyRange.ALL, 5, true),
        () -> prune(5),
        rows -> assertEquals(List.of("e4=e4", "c2=c2", "a1=a1"), rows));
  }

  @Test
  void aForwardScanBesideAPruneReturnsNoDeletedRow() {
    inEveryWay(
        DELETED_AND_REPLACED,
        () -> scan(KeyRange.ALL, 5, false),
        () -> prune(5),
        rows -> assertEquals(List.of("a1=a1", "c2=c2", "e4=e4"), rows));
  }

  @Test
  void readsBesideAPruneSeeTheNewestVersion() {
    List<Bytes> keys = List.of(Bytes.utf8("b"), Bytes.utf8("c"), Bytes.utf8("f"));
    inEveryWay(
        DELETED_AND_REPLACED,
        () -> store.reads().read(keys, new Position(5), Integer.MAX_VALUE).rows(),
        () -> prune(5),
        rows ->
            assertEquals(
                List.of("", "c2=c2", ""),
                rows.stream()
                    .map(row -> row.map(JeReadsBesideChangesTest::text).orElse(""))
                    .toList()));
  }

  @Test
  void aQuestionForNewerVersionsBesideAPruneFindsThem() {
    inEveryWay(
        DELETED_AND_REPLACED,
        () -> store.reads().newest(List.of(), List.of(KeyRange.ALL), new Position(5)).first(),
        () -> prune(5),
        first -> assertEquals(new Position(9), first.orElseThrow().version()));
    inEveryWay(
        DELETED_AND_REPLACED,
        () -> store.reads().newest(List.of(), List.of(KeyRange.ALL), new Position(9)).first(),
        () -> prune(9),
        first -> assertEquals(Optional.empty(), first));
  }

  @Test
  void aReverseScanGoesOnBelowKeysThatArePrunedAway() {
    List<VersionedWrite> before = new ArrayList<>();
    before.add(put("a", 1));
    for (int version = 1; version <= 20; version++) {
      before.add(put("b", version));
    }
    before.add(tombstone("b", 21));
    for (KeyRange interval : List.of(KeyRange.ALL, KeyRange.of(Bytes.EMPTY, Bytes.utf8("x")))) {
      inEveryWay(
          before,
          () -> scan(interval, 30, true),
          () -> prune(30),
          rows -> assertEquals(List.of("a1=a1"), rows));
    }
  }

  @Test
  void aReverseScanStaysBelowItsEndBesideABatch() {
    KeyRange interval = KeyRange.of(Bytes.EMPTY, Bytes.utf8("m"));
    List<VersionedWrite> beyond = List.of(put("m", 3), put("n", 3), put("z", 3));
    for (List<VersionedWrite> more : List.of(List.of(put("p", 1)), List.<VersionedWrite>of())) {
      List<VersionedWrite> before = new ArrayList<>(more);
      before.add(put("b", 2));
      before.add(put("k", 1));
      inEveryWay(
          before,
          () -> scan(interval, 5, true),
          () -> write(beyond),
          rows -> assertEquals(List.of("k1=k1", "b2=b2"), rows));
    }
  }

  @Test
  void scansBesideABatchReturnEachKeyOnceAndTheOldVersionOrTheNew() {
    List<VersionedWrite> before = new ArrayList<>(List.of(put("a", 1), put("c", 1)));
    for (int version = 1; version <= 12; version++) {
      before.add(put("b", version));
    }
    List<VersionedWrite> batch =
        List.of(put("a", 13), put("b", 13), tombstone("c", 13), put("d", 13));
    for (boolean reverse : new boolean[] {false, true}) {
      inEveryWay(
          before,
          () -> scan(KeyRange.ALL, 12, reverse),
          () -> write(batch),
          rows ->
              assertEquals(List.of("a1=a1", "b12=b12", "c1=c1"), reverse ? rows.reversed() : rows));
      inEveryWay(
          before,
          () -> scan(KeyRange.ALL, 13, reverse),
          () -> write(batch),
          rows ->
              assertTrue(
                  String.join(" ", reverse ? rows.reversed() : rows)
                      .matches("(a1=a1|a13=a13) (b12=b12|b13=b13)( c1=c1)?( d13=d13)?"),
                  rows::toString));
    }
  }

  @Test
  void scansBesideAClearAreExactOutsideOfIt() {
    List<VersionedWrite> before = new ArrayList<>(List.of(put("a", 1), put("b", 1), put("k", 2)));
    for (int version = 3; version <= 14; version++) {
      before.add(put("m", version));
    }
    before.add(tombstone("n", 3));
    before.add(put("z", 9));
    KeyRange cleared = KeyRange.from(Bytes.utf8("m"));
    for (boolean reverse : new boolean[] {false, true}) {
      inEveryWay(
          before,
          () -> scan(KeyRange.ALL, 5, reverse),
          () -> store.clear(cleared),
          rows ->
              assertTrue(
                  String.join(" ", reverse ? rows.reversed() : rows)
                      .matches("a1=a1 b1=b1 k2=k2( m[3-5]=m[3-5])?"),
                  rows::toString));
      inEveryWay(
          before,
          () -> scan(KeyRange.ALL, 2, reverse),
          () -> store.clear(cleared),
          rows ->
              assertEquals(List.of("a1=a1", "b1=b1", "k2=k2"), reverse ? rows.reversed() : rows));
    }
  }

  @Test
  void theMiddleOfManyKeysThatAreClearedMeanwhileIsOneOfThem() {
    int keys = 10_010;
    List<VersionedWrite> before = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      Bytes key = Bytes.of(i >> 8, i);
      before.add(new VersionedWrite(key, new Position(1), Optional.of(Bytes.EMPTY)));
    }
    for (int at : new int[] {10_000, 10_001, 10_002, 10_005, 10_012}) {
      begin(before);
      int[] left = {at};
      EngineResult.Middle middle =
          turns.run(
              () -> store.reads().middle(KeyRange.ALL),
              () -> store.clear(KeyRange.ALL),
              () -> left[0]-- == 0);
      Bytes key = middle.key().orElseThrow();
      assertTrue(key.compareTo(Bytes.of(0, 0)) > 0, key::toString);
    }
  }

  @Test
  void theSizeOfManyKeysCountsTheRestIfSomeAreClearedMeanwhile() {
    List<VersionedWrite> before = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Bytes key = Bytes.of(i >> 8, i);
      before.add(new VersionedWrite(key, new Position(1), Optional.of(Bytes.EMPTY)));
    }
    for (int at = 32; at < 42; at++) {
      begin(before);
      int[] left = {at};
      EngineResult.Size size =
          turns.run(
              () -> store.reads().size(KeyRange.ALL),
              () -> store.clear(KeyRange.from(Bytes.of(900 >> 8, 900 & 0xff))),
              () -> left[0]-- == 0);
      assertTrue(size.records() >= 800 && size.records() <= 3_200, size::toString);
    }
  }
}
