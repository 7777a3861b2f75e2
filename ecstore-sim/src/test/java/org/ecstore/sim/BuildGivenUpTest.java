package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.message.Reply;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyRefused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a copy that was not built to its end (rules W4, W6, decision 0108). */
class BuildGivenUpTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId SOURCE = new NodeId(2);
  private static final Position STAMP = new Position(1);
  private static final int STEPS = 16;
  private static final int CRASHES = 10;
  private static final long MILLI = 1_000_000;
  private static final long ASK_NANOS = 1_000;
  private static final List<Row> ROWS =
      List.of(
          new Row(Bytes.utf8("a"), STAMP, Bytes.utf8("v")),
          new Row(Bytes.utf8("aa"), STAMP, Bytes.utf8("v")),
          new Row(Bytes.utf8("b"), STAMP, Bytes.utf8("v")));

  private static final List<Row> LATER = List.of(new Row(Bytes.utf8("c"), STAMP, Bytes.utf8("w")));

  private final List<CopyBuilder.Result> built = new ArrayList<>();
  private LoneNode node = new LoneNode(SELF);
  private CopyBuilder builder = begun();
  private long calls;

  /** Builds a copy of all keys, and has asked its source for rows. */
  private CopyBuilder begun() {
    return begun(1);
  }

  /** Builds a copy, for a share of its time. */
  private CopyBuilder begun(double share) {
    node = new LoneNode(SELF);
    node.context.incarnation(1);
    calls = 1L << 32;
    built.clear();
    CopyBuilder made =
        new CopyBuilder(
            node.context, node.copies, node.writer, new CopyBuilder.Timing(ASK_NANOS, share));
    made.build(plan(5), built::add);
    node.run();
    return made;
  }

  private static CopyBuilder.Plan plan(long id) {
    return new CopyBuilder.Plan(
        new RangeId(id), KeyRange.ALL, SOURCE, new RangeId(1), new Epoch(1));
  }

  private void replied(Reply reply) {
    node.context.replied(SOURCE, reply);
    node.context.flush();
  }

  private void arrive(boolean complete) {
    arrive(ROWS, complete);
  }

  private void arrive(List<Row> rows, boolean complete) {
    replied(new CopyChunk(++calls, STAMP, rows, complete));
  }

  @Test
  void whatItsSourceDoesNotGoOnWithIsCleared() {
    arrive(false);
    node.run();
    assertEquals(List.of(plan(5)), builder.underWay());
    assertEquals(ROWS, node.stored().look(KeyRange.ALL));
    replied(new CopyRefused(++calls, "gone"));
    node.run();
    assertEquals(List.of(new CopyBuilder.Result(Optional.empty(), false)), built);
    assertEquals(List.of(), node.stored().look(KeyRange.ALL));
    assertEquals(List.of(), builder.underWay());
  }

  /** Decision 0127. */
  @Test
  void nextRowsAreAskedForAfterARest() {
    builder = begun(0.25);
    node.nanos += 100;
    arrive(false);
    node.run();
    replied(new CopyChunk(calls + 1, STAMP, LATER, true));
    node.run();
    assertEquals(ROWS, node.stored().look(KeyRange.ALL), "not asked for yet");
    node.passTime();
    arrive(LATER, true);
    node.run();
    assertEquals(List.of(CopyBuilder.Result.built(STAMP)), built);
  }

  @Test
  void whatIsGivenUpWhileItRestsIsNotGoneOnWith() {
    builder = begun(0.25);
    node.nanos += 100;
    arrive(false);
    node.run();
    builder.build(plan(6), built::add);
    node.passTime();
    arrive(LATER, true);
    node.run();
    assertEquals(LATER, node.stored().look(KeyRange.ALL), "of the second one alone");
    assertEquals(
        List.of(new CopyBuilder.Result(Optional.empty(), false), CopyBuilder.Result.built(STAMP)),
        built);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100, 1048576, 0",
    "0.25, 100, 1048576, 300",
    "0.25, 0, 1048576, 0",
    "0.01, 100, 1048576, 500",
    "0.01, 100, 104858, 100",
    "0.01, 100, 1, 10",
    "0.25, 900, 1048576, 500",
  })
  void aRestIsInProportionToWhatTheRowsTookAndHasItsLimits(
      double share, long tookMillis, long bytes, long restMillis) {
    CopyBuilder.Timing timing = new CopyBuilder.Timing(1_000 * MILLI, share);
    assertEquals(restMillis, timing.restNanos(tookMillis * MILLI, bytes) / MILLI);
  }

  /** A copy is complete, and noted or about to be, when another one is asked for. */
  @Test
  void noCrashLeavesAnEntryOfACopyWhoseRowsMadePlaceForAnother() {
    int noted = 0;
    for (int before = 0; before < STEPS; before++) {
      for (int after = 0; after < STEPS; after++) {
        for (int seed = 0; seed < CRASHES; seed++) {
          builder = begun();
          arrive(true);
          steps(before);
          builder.build(plan(6), built::add);
          node.context.flush();
          steps(after);
          MemoryStore left = node.crashed(new SplittableRandom(seed));
          if (!left.metadata().isEmpty()) {
            noted++;
            int steps = after;
            assertEquals(ROWS, left.look(KeyRange.ALL), () -> "after " + steps + " steps");
          }
        }
      }
    }
    assertTrue(noted > 0);
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      node.step();
    }
  }
}
