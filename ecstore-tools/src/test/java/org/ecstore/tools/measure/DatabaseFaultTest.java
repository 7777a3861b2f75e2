package org.ecstore.tools.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.tools.measure.DatabaseFault.Seen;
import org.ecstore.tools.measure.DatabaseFault.Whereabouts;
import org.junit.jupiter.api.Test;

/** Maps that are made up, and what is said of a node whose database server was hurt. */
class DatabaseFaultTest {
  private static final RangeId RANGE = new RangeId(7);
  private static final Duration LEASE = Duration.ofSeconds(9);

  private final Whereabouts node2 = new Whereabouts(2);

  private void seen(int seconds, int primary, int secondary) {
    NodeId other = new NodeId(secondary);
    StatusReport map =
        new StatusReport(
            ReadPoint.ZERO,
            List.of(),
            List.of(new Route(RANGE, new Epoch(1), KeyRange.ALL, new NodeId(primary), "here:1")),
            List.of(new Holders(RANGE, Optional.of(new NodeId(2)), List.of(other))));
    node2.seen(map, Duration.ofSeconds(seconds));
  }

  private void assertSeen(Optional<Integer> takenOver, Optional<Integer> givenUp) {
    assertEquals(
        new Seen(
            3,
            takenOver.map(Duration::ofSeconds),
            givenUp.map(Duration::ofSeconds),
            Optional.empty(),
            0),
        node2.known(3));
  }

  @Test
  void anotherServesFirstAndThenItsCopiesAreGivenUp() {
    seen(1, 2, 3);
    assertSeen(Optional.empty(), Optional.empty());
    seen(21, 3, 2);
    seen(22, 3, 2);
    assertSeen(Optional.of(21), Optional.empty());
    seen(40, 3, 4);
    seen(41, 3, 4);
    assertSeen(Optional.of(21), Optional.of(40));
  }

  /** The times are those of the last hand-over. */
  @Test
  void aRangeThatComesBackIsNotTakenOver() {
    seen(10, 3, 4);
    seen(20, 2, 4);
    assertSeen(Optional.empty(), Optional.empty());
    seen(30, 3, 2);
    assertSeen(Optional.of(30), Optional.empty());
  }

  private static JsonNode report(Optional<Seen> database, boolean isKept) {
    List<LivenessSample> samples =
        IntStream.rangeClosed(1, 8)
            .mapToObj(i -> new LivenessSample(i, 100, 100, i, 2L * i, 10, 5, 1_000))
            .toList();
    LivenessMeasurement.Outcome plain =
        new LivenessMeasurement.Outcome(
            3,
            100,
            samples,
            LivenessVerdict.of(samples, LEASE, LEASE, 100),
            0,
            LEASE,
            0,
            0,
            Optional.empty());
    LivenessMeasurement.Outcome outcome = database.map(plain::with).orElse(plain);
    assertEquals(isKept, outcome.isKept());
    return Measurements.liveness(outcome).json();
  }

  private static Seen seen(Optional<Duration> takenOver, Optional<Duration> whole) {
    return new Seen(2, takenOver, Optional.empty(), whole, 4);
  }

  @Test
  void theReportSaysWhenOthersServedAndWhenTheNodeWasWhole() {
    Optional<Duration> soon = Optional.of(Duration.ofMillis(21_340));
    JsonNode kept = report(Optional.of(seen(soon, soon)), true);
    assertEquals(3, kept.path("databaseOfNode").asInt(), kept::toString);
    assertFalse(kept.has("frozenNode"), kept::toString);
    assertEquals(2, kept.path("rangesOfNode").asInt(), kept::toString);
    assertEquals(21.3, kept.path("takenOverSeconds").asDouble(), 1e-9);
    assertEquals(21.3, kept.path("wholeAgainSeconds").asDouble(), 1e-9);
    assertEquals(4, kept.path("copiesOfNode").asInt(), kept::toString);
    assertFalse(kept.has("copiesGivenUpSeconds"), kept::toString);
    assertTrue(kept.path("takenOver").asBoolean(), kept::toString);
    assertTrue(kept.path("wholeAgain").asBoolean(), kept::toString);
  }

  /** All the rest is as it has to be. */
  @Test
  void whatOthersDidNotServeOrDidNotComeBackIsFound() {
    Optional<Duration> soon = Optional.of(Duration.ofSeconds(1));
    JsonNode served = report(Optional.of(seen(Optional.empty(), soon)), false);
    assertFalse(served.path("takenOver").asBoolean(), served::toString);
    assertFalse(served.has("takenOverSeconds"), served::toString);
    JsonNode away = report(Optional.of(seen(soon, Optional.empty())), false);
    assertFalse(away.path("wholeAgain").asBoolean(), away::toString);
    assertFalse(away.has("copiesOfNode"), away::toString);
    assertTrue(away.path("trimMovesOn").asBoolean(), away::toString);
  }

  @Test
  void nothingIsSaidOfADatabaseWhereANodeWasFrozen() {
    JsonNode frozen = report(Optional.empty(), true);
    assertEquals(3, frozen.path("frozenNode").asInt(), frozen::toString);
    for (String none : List.of("databaseOfNode", "rangesOfNode", "takenOver", "wholeAgain")) {
      assertFalse(frozen.has(none), frozen::toString);
    }
  }
}
