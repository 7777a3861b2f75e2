package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a copy that is in no map yet reads of the ledger (decision 0131). */
class BuiltCopyReadsOnTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId SOURCE = new NodeId(2);
  private static final RangeId RANGE = new RangeId(1);
  private static final Epoch EPOCH = new Epoch(1);
  private static final Position STAMP = new Position(1);

  private static final int CHUNK = 10;
  private static final int COMMITS = 5 * CHUNK;

  /** One commit has two parts: the last of the first chunk, and the first of the second. */
  private static final long PARTED = STAMP.value() + CHUNK;

  private static final Position END = new Position(STAMP.value() + COMMITS + 1);
  private static final Bytes VALUE = Bytes.utf8("v");
  private static final long ASK_NANOS = 1_000;
  private static final int ASKS = 5;

  private final LoneNode node = new LoneNode(SELF);
  private final List<CopyBuilder.Result> built = new ArrayList<>();
  private final CopyBuilder builder =
      new CopyBuilder(node.context, node.copies, node.writer, new CopyBuilder.Timing(ASK_NANOS, 1));

  private static CopyBuilder.Plan plan(long id) {
    return new CopyBuilder.Plan(new RangeId(id), KeyRange.ALL, SOURCE, RANGE, EPOCH);
  }

  /** All rows of the source as of its first position have come, and more is committed since. */
  @BeforeEach
  void isFilled() {
    RangeDescriptor range = new RangeDescriptor(RANGE, KeyRange.ALL, EPOCH, SOURCE, 1, List.of());
    MapChange map = new MapChange(new MapVersion(1), List.of(), List.of(range), "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.context.incarnation(1);
    node.ledgerView.onMapChange(node.copies::reconcile);
    for (int i = 0; i < COMMITS; i++) {
      long at = node.end().value() + 1;
      Bytes value = at == PARTED ? Bytes.wrap(new byte[RecordParts.RECORD_BYTES_MAX]) : VALUE;
      node.ledger.add(LoneNode.commit(SOURCE, Bytes.utf8("key " + at), value, at));
    }
    assertEquals(END, node.end());
    node.learn(SOURCE, map);
    builder.build(plan(5), built::add);
    node.run();
    node.context.replied(
        SOURCE,
        new CopyChunk(
            (1L << 32) + 1, STAMP, List.of(new Row(Bytes.utf8("a"), STAMP, VALUE)), true));
    node.context.flush();
  }

  private Copy copy() {
    return node.copies.all().getFirst();
  }

  private void asksPass(int asks) {
    for (int i = 0; i < asks; i++) {
      node.nanos += ASK_NANOS;
      node.passTime();
    }
  }

  @Test
  void whatWasCommittedMeanwhileIsReadBeforeItIsThere() {
    node.run();
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), built);
    assertEquals(Copy.State.BUILT, copy().state());
    assertEquals(END, copy().closed());
    assertEquals(STAMP, copy().folded(), "a restart goes on from there");
    assertFalse(builder.building());
  }

  /**
   * None of it is folded before the map names it, and other copies need room too. Of a record that
   * has come in part the copy has nothing: the next reading begins above what it is closed at.
   */
  @Test
  void noMoreIsReadThanLeavesHalfOfTheWindow() {
    node.entriesMax = CHUNK;
    node.engine.windowBytesMax(1);
    node.run();
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), built);
    assertEquals(new Position(PARTED - 1), copy().closed());
    assertFalse(node.copies.isCatchingUp(copy()));
  }

  @Test
  void oneThatAMapHasPassedByBeforeItWasDurableDoesNotRead() {
    while (node.copies.all().isEmpty()) {
      node.step();
    }
    RangeDescriptor later =
        new RangeDescriptor(new RangeId(7), KeyRange.ALL, new Epoch(2), SOURCE, 1, List.of());
    MapChange map = new MapChange(new MapVersion(2), List.of(RANGE), List.of(later), "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.hear(SOURCE, map);
    node.run();
    assertEquals(List.of(), node.copies.all());
    assertEquals(List.of(new CopyBuilder.Result(Optional.empty(), false)), built);
    assertFalse(builder.building());
    assertEquals(0, node.reads);
  }

  @Test
  void aLedgerThatDoesNotAnswerIsNotWaitedForLong() {
    node.onItsWay = read -> new LedgerResult.Entries(List.of(), read.end());
    node.run();
    asksPass(ASKS - 1);
    assertEquals(List.of(), built);
    assertTrue(builder.building());
    asksPass(1);
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), built);
    assertEquals(STAMP, copy().closed());
    assertFalse(builder.building());
    assertFalse(node.copies.isCatchingUp(copy()), "nor does it go on");
  }

  @Test
  void whoAsksAgainIsAnsweredOnceItHasRead() {
    node.onItsWay = read -> new LedgerResult.Entries(List.of(), read.end());
    node.run();
    List<CopyBuilder.Result> again = new ArrayList<>();
    builder.build(plan(5), again::add);
    assertEquals(List.of(), again);
    asksPass(ASKS);
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), again);
    assertEquals(List.of(), built);
  }

  @Test
  void whatIsTrimmedIsNotRead() {
    node.ledgerFirst = END.value();
    node.run();
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), built);
    assertEquals(Copy.State.BUILT, copy().state(), "the steward sees by the stamp");
  }

  @Test
  void aLaterBuildDropsWhatReads() {
    node.onItsWay = read -> new LedgerResult.Entries(List.of(), read.end());
    node.run();
    builder.build(plan(6), built::add);
    node.onItsWay = read -> read;
    asksPass(1);
    assertEquals(List.of(new CopyBuilder.Result(Optional.empty(), false)), built);
    assertEquals(List.of(), node.copies.all());
    assertEquals(List.of(plan(6)), builder.underWay());
    assertFalse(node.stored().look(KeyRange.ALL).iterator().hasNext(), "nothing of it is left");
  }

  @Test
  void oneThatNoMapWillNameIsGivenUp() {
    node.onItsWay = read -> new LedgerResult.Entries(List.of(), read.end());
    node.run();
    builder.dropUnused(new RangeId(5));
    asksPass(1);
    assertEquals(List.of(new CopyBuilder.Result(Optional.empty(), false)), built);
    assertFalse(builder.building());
  }
}
