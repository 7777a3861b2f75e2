package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Holdings;
import org.junit.jupiter.api.Test;

/**
 * A store that has room for nothing more, and does what deletes: what goes ahead of a call that it
 * refuses, and what does not (rules W4, W6, decision 0108).
 */
class FullStoreTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId OTHER = new NodeId(2);
  private static final Bytes MIDDLE = Bytes.utf8("m");
  private static final KeyRange LOW = KeyRange.of(Bytes.EMPTY, MIDDLE);
  private static final KeyRange HIGH = KeyRange.from(MIDDLE);
  private static final String OF_ALL = "copy/1";
  private static final String OF_LOW = "copy/2";
  private static final String OF_HIGH = "copy/3";
  private static final int ROWS = 4;
  private static final int STEPS = 60;
  private static final int CRASHES = 8;

  /** Against rule W4: a clear is not held up for what is deleted before it. */
  private static EngineWriter clearsAtOnce(NodeContext context) {
    return new EngineWriter(context) {
      @Override
      protected boolean mustSync(boolean deletedSince) {
        return false;
      }
    };
  }

  /** Against rules W4 and W6: something goes ahead of what was called before for its keys. */
  private static EngineWriter outOfOrder(NodeContext context) {
    return new EngineWriter(context) {
      @Override
      protected boolean isAbout(KeyRange before, KeyRange keys) {
        return false;
      }
    };
  }

  /** As it was: nothing goes ahead. */
  private static EngineWriter inOrder(NodeContext context) {
    return new EngineWriter(context) {
      @Override
      protected boolean goesAhead() {
        return false;
      }
    };
  }

  /** Rows to load, of which it is known whether they are wanted. */
  private static final class Wanted implements EngineWriter.Loader {
    private boolean wanted = true;
    private int loaded;
    private int refused;

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void loaded() {
      loaded++;
    }

    @Override
    public void refused() {
      refused++;
    }
  }

  private static Row row(String key) {
    return new Row(Bytes.utf8(key), new Position(1), Bytes.utf8("a value of some length"));
  }

  private static RangeDescriptor range(long id, KeyRange keys, long epoch, NodeId... secondaries) {
    return new RangeDescriptor(
        new RangeId(id), keys, new Epoch(epoch), OTHER, 1, List.of(secondaries));
  }

  private static MapChange change(long version, List<Long> retired, RangeDescriptor... ranges) {
    return new MapChange(
        new MapVersion(version),
        retired.stream().map(RangeId::new).toList(),
        List.of(ranges),
        "test");
  }

  /** A node that has been started again, with secondaries' copies of some ranges, and no room. */
  private static LoneNode full(
      Function<NodeContext, EngineWriter> writers, RangeDescriptor... ranges) {
    LoneNode node = new LoneNode(SELF, writers);
    for (int i = 0; i < ROWS; i++) {
      node.leave(row("a" + i));
      node.leave(row("n" + i));
    }
    for (RangeDescriptor range : ranges) {
      node.leave(LoneNode.note(range.id(), range.keys(), 1));
    }
    node.copies.load(node.stored().metadata());
    node.context.incarnation(2);
    node.ledgerView.onMapChange(node.copies::reconcile);
    tell(node, change(1, List.of(), ranges));
    node.run();
    node.fillUp();
    return node;
  }

  private static void tell(LoneNode node, MapChange change) {
    node.ledger.add(new LedgerRecord.EpochChange(change));
    node.hear(OTHER, change);
  }

  private static LoneNode withTwoRanges(Function<NodeContext, EngineWriter> writers) {
    return full(writers, range(2, LOW, 1, SELF), range(3, HIGH, 1, SELF));
  }

  /** What is noted at a start, for which there is no room. */
  private static void noteRefused(LoneNode node) {
    node.writer.apply(List.of(), List.of(Holdings.incarnationEntry(2)), () -> {});
    node.run();
    assertTrue(node.writer.trouble().isPresent());
  }

  private static void lowIsGivenUp(LoneNode node) {
    tell(node, change(2, List.of(2L), range(4, LOW, 2)));
  }

  private static Set<String> entries(MemoryStore store) {
    Set<String> names = new TreeSet<>();
    store.metadata().forEach(entry -> names.add(entry.name().toUtf8()));
    return names;
  }

  private static int rows(MemoryStore store, KeyRange keys) {
    return store.look(keys).size();
  }

  @Test
  void whatIsGivenUpMakesRoomForWhatWasRefused() {
    LoneNode node = withTwoRanges(EngineWriter::new);
    noteRefused(node);
    lowIsGivenUp(node);
    node.passTime();
    assertEquals(Optional.empty(), node.writer.trouble());
    assertEquals(0, rows(node.stored(), LOW));
    assertEquals(ROWS, rows(node.stored(), HIGH));
    assertEquals(Set.of(OF_HIGH, "incarnation"), entries(node.stored()));
  }

  @Test
  void aWriterThatLetsNothingGoAheadWaitsForEver() {
    LoneNode node = withTwoRanges(FullStoreTest::inOrder);
    noteRefused(node);
    lowIsGivenUp(node);
    for (int i = 0; i < 10; i++) {
      node.passTime();
    }
    assertTrue(node.writer.trouble().isPresent());
    assertEquals(ROWS, rows(node.stored(), LOW));
  }

  /** A disk that takes nothing at all: what waits is done in its order once there is room. */
  @Test
  void whereDeletionsAreRefusedTooAllWaits() {
    LoneNode node = withTwoRanges(EngineWriter::new);
    node.full(true);
    noteRefused(node);
    lowIsGivenUp(node);
    for (int i = 0; i < 10; i++) {
      node.passTime();
    }
    assertEquals(ROWS, rows(node.stored(), LOW));
    assertEquals(Set.of(OF_LOW, OF_HIGH), entries(node.stored()));
    node.full(false);
    node.makeRoom();
    node.passTime();
    assertEquals(Optional.empty(), node.writer.trouble());
    assertEquals(0, rows(node.stored(), LOW));
    assertEquals(Set.of(OF_HIGH, "incarnation"), entries(node.stored()));
  }

  /** As when it is full amid its work: what it has it writes down again and again. */
  @Test
  void anEntryThatWaitsIsNotInTheWayOfItsOwnDeletion() {
    LoneNode node = withTwoRanges(EngineWriter::new);
    node.writer.apply(
        List.of(),
        List.of(
            LoneNode.note(new RangeId(2), LOW, 7),
            LoneNode.note(new RangeId(3), HIGH, 7),
            Holdings.writtenEntry(new Position(7))),
        () -> {});
    node.run();
    lowIsGivenUp(node);
    node.passTime();
    assertEquals(Optional.empty(), node.writer.trouble());
    assertEquals(0, rows(node.stored(), LOW));
    assertEquals(Set.of(OF_HIGH, "written"), entries(node.stored()));
  }

  @Test
  void writesThatWaitAreNotThereAfterAClearThatWentAhead() {
    LoneNode node = withTwoRanges(EngineWriter::new);
    noteRefused(node);
    int[] readable = {0};
    node.writer.apply(
        List.of(
            new VersionedWrite(Bytes.utf8("b"), new Position(5), Optional.of(Bytes.EMPTY)),
            new VersionedWrite(Bytes.utf8("o"), new Position(5), Optional.of(Bytes.EMPTY))),
        List.of(),
        () -> readable[0]++);
    assertEquals(2, node.writer.waitingWrites());
    lowIsGivenUp(node);
    node.passTime();
    assertEquals(1, readable[0]);
    assertEquals(0, node.writer.waitingWrites());
    assertEquals(List.of(), node.look(LOW, new Position(9)));
    assertEquals(ROWS + 1, node.look(HIGH, new Position(9)).size());
  }

  /** Rows are loaded, and then their keys are cleared; what is there once there is room again. */
  private static int leftOfALoad(Function<NodeContext, EngineWriter> writers) {
    LoneNode node = withTwoRanges(writers);
    node.writer.load(List.of(row("c"), row("d")), new Wanted());
    node.run();
    node.writer.clear(LOW, () -> {});
    node.passTime();
    node.passTime();
    node.makeRoom();
    node.passTime();
    assertEquals(Optional.empty(), node.writer.trouble());
    return rows(node.stored(), LOW);
  }

  @Test
  void aClearDoesNotGoAheadOfRowsOfItsKeys() {
    assertEquals(0, leftOfALoad(EngineWriter::new));
    assertNotEquals(0, leftOfALoad(FullStoreTest::outOfOrder));
  }

  @Test
  void rowsThatAreNotWantedAnyMoreLeaveTheQueue() {
    LoneNode node = withTwoRanges(EngineWriter::new);
    Wanted rows = new Wanted();
    node.writer.load(List.of(row("c"), row("d")), rows);
    node.run();
    node.passTime();
    assertEquals(2, rows.refused);
    rows.wanted = false;
    node.writer.clear(LOW, () -> {});
    node.passTime();
    assertEquals(1, rows.loaded);
    assertEquals(Optional.empty(), node.writer.trouble());
    assertEquals(0, rows(node.stored(), LOW));
  }

  /** How many crashes, each after other steps, leave what is wrong. */
  private static int crashes(
      Function<NodeContext, EngineWriter> writers,
      Function<Function<NodeContext, EngineWriter>, LoneNode> begun,
      Consumer<LoneNode> goesOn,
      Predicate<MemoryStore> isWrong) {
    int wrong = 0;
    for (int steps = 0; steps < STEPS; steps++) {
      for (int seed = 0; seed < CRASHES; seed++) {
        LoneNode node = begun.apply(writers);
        goesOn.accept(node);
        node.endWaits();
        for (int i = 0; i < steps; i++) {
          node.step();
        }
        wrong += isWrong.test(node.crashed(new SplittableRandom(seed))) ? 1 : 0;
      }
    }
    return wrong;
  }

  private static int crashesAmidTheClear(Function<NodeContext, EngineWriter> writers) {
    return crashes(
        writers,
        with -> {
          LoneNode node = withTwoRanges(with);
          noteRefused(node);
          return node;
        },
        FullStoreTest::lowIsGivenUp,
        left -> entries(left).contains(OF_LOW) && rows(left, LOW) < ROWS);
  }

  @Test
  void noCrashLeavesAnEntryOfRowsThatAreCleared() {
    assertEquals(0, crashesAmidTheClear(EngineWriter::new));
    assertTrue(crashesAmidTheClear(FullStoreTest::clearsAtOnce) > 0);
  }

  private static LoneNode withOneRange(Function<NodeContext, EngineWriter> writers) {
    return full(writers, range(1, KeyRange.ALL, 1, SELF));
  }

  /** There is one entry, and none of the parts can be noted. */
  private static void split(LoneNode node) {
    tell(node, change(2, List.of(1L), range(2, LOW, 2, SELF), range(3, HIGH, 2, SELF)));
  }

  private static void lowPartIsGivenUp(LoneNode node) {
    tell(node, change(3, List.of(2L), range(4, LOW, 3)));
  }

  private static void highPartIsGivenUp(LoneNode node) {
    tell(node, change(4, List.of(3L), range(5, HIGH, 4)));
  }

  private static boolean isTorn(MemoryStore left) {
    Set<String> entries = entries(left);
    return !entries.contains(OF_ALL) && !entries.contains(OF_HIGH);
  }

  @Test
  void anEntryThatStandsForItsPartsIsNeitherDeletedNorIsWhatItSpeaksOf() {
    LoneNode node = withOneRange(EngineWriter::new);
    split(node);
    node.run();
    assertTrue(node.writer.trouble().isPresent());
    lowPartIsGivenUp(node);
    node.passTime();
    node.passTime();
    assertEquals(Set.of(OF_ALL), entries(node.stored()));
    assertEquals(2 * ROWS, rows(node.stored(), KeyRange.ALL));
    highPartIsGivenUp(node);
    node.passTime();
    assertEquals(Optional.empty(), node.writer.trouble());
    assertEquals(Set.of(), entries(node.stored()));
    assertEquals(0, rows(node.stored(), KeyRange.ALL));
  }

  @Test
  void noCrashLeavesAPartWithoutAnEntry() {
    assertEquals(0, crashesAmidTheSplit(EngineWriter::new));
    assertTrue(crashesAmidTheSplit(FullStoreTest::outOfOrder) > 0);
  }

  private static int crashesAmidTheSplit(Function<NodeContext, EngineWriter> writers) {
    return crashes(
        writers, FullStoreTest::withOneRange, FullStoreTest::split, FullStoreTest::isTorn);
  }
}
