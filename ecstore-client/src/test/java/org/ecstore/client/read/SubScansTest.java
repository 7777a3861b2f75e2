package org.ecstore.client.read;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.check.Check;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.scan.MergedScan;
import org.ecstore.client.scan.ScanPages;
import org.ecstore.client.scan.UnorderedScan;
import org.ecstore.id.MapVersion;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

/** Pieces that miss or repeat a key at a bound are noticed (rule 18): planted, and found. */
class SubScansTest {
  private static final int KEYS = 200;
  private static final KeyRange INTERVAL = KeyRange.of(Bytes.of(10), Bytes.of(190));

  private final FakeTime time = new FakeTime(1);
  private final FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1");
  private final Cluster nodes =
      new Cluster(
          cluster,
          time,
          new Backoff(1_000_000, 100_000_000),
          Duration.ofSeconds(1),
          StoreObserver.NONE);

  SubScansTest() {
    cluster.store().pageRecordsMax(7);
    for (int i = 0; i < KEYS; i++) {
      cluster.store().write(Bytes.of(i), Optional.of(Bytes.utf8("v" + i)));
      if (i % 30 == 0) {
        cluster.store().split(Bytes.of(i));
      }
    }
  }

  /** What is behind a piece, as a scan with a bug has it. */
  private interface Bug {
    Optional<KeyRange> behind(Optional<KeyRange> right, KeyRange whole, KeyRange part);
  }

  private SubScans pieces(ScanShape shape, Bug bug) {
    return new SubScans(
        nodes,
        Reader.ofAnyCopy(),
        new ReadPoint(cluster.store().durable(), MapVersion.ZERO),
        INTERVAL,
        shape,
        ReadAhead.DEFAULT) {
      @Override
      protected Optional<KeyRange> behind(KeyRange whole, KeyRange part) {
        return bug.behind(super.behind(whole, part), whole, part);
      }
    };
  }

  private List<Bytes> scan(boolean reverse, boolean ordered, Bug bug) {
    SubScans pieces = pieces(new ScanShape(reverse, false, ordered), bug);
    Deadline deadline = new Deadline(time.nanos() + TimeUnit.SECONDS.toNanos(5));
    ScanPages pages = page -> pieces.next(page, deadline);
    BytesScan scan =
        ordered
            ? new MergedScan(INTERVAL, reverse, new TreeMap<>(), null, pages)
            : new UnorderedScan(INTERVAL, pieces, pages);
    List<Bytes> found = new ArrayList<>();
    for (BytesScan.Found next = scan.next(Long.MAX_VALUE);
        next != null;
        next = scan.next(Long.MAX_VALUE)) {
      found.add(next.key());
    }
    return found;
  }

  private void isFound(Bug bug) {
    for (boolean reverse : List.of(false, true)) {
      for (boolean ordered : List.of(false, true)) {
        assertThrows(
            Check.Failed.class,
            () -> scan(reverse, ordered, bug),
            "reverse " + reverse + ", ordered " + ordered);
      }
    }
  }

  @Test
  void rightPiecesTileTheInterval() {
    for (boolean reverse : List.of(false, true)) {
      for (boolean ordered : List.of(false, true)) {
        List<Bytes> found =
            assertDoesNotThrow(() -> scan(reverse, ordered, (right, whole, part) -> right));
        assertEquals(180, found.stream().distinct().count());
        assertEquals(180, found.size());
      }
    }
  }

  @Test
  void piecesThatMissAKeyAtABoundAreFound() {
    isFound(
        (right, whole, part) -> {
          if (right.isEmpty()) {
            return right;
          }
          KeyRange rest = right.get();
          return rest.start().equals(whole.start())
              ? Optional.of(KeyRange.of(rest.start(), Bytes.of(lastOf(rest) - 1)))
                  .filter(less -> lastOf(less) > firstOf(less))
              : firstOf(rest) + 1 < lastOf(rest)
                  ? Optional.of(KeyRange.of(Bytes.of(firstOf(rest) + 1), rest.end().orElseThrow()))
                  : Optional.empty();
        });
  }

  @Test
  void piecesThatRepeatAKeyAtABoundAreFound() {
    isFound(
        (right, whole, part) ->
            right.map(
                rest ->
                    rest.start().equals(whole.start())
                        ? KeyRange.of(rest.start(), Bytes.of(firstOf(part) + 1))
                        : KeyRange.of(Bytes.of(lastOf(part) - 1), rest.end().orElseThrow())));
  }

  @Test
  void aLastPieceThatIsLeftOutIsFound() {
    isFound((right, whole, part) -> Optional.empty());
  }

  private static int firstOf(KeyRange range) {
    return Byte.toUnsignedInt(range.start().array()[0]);
  }

  private static int lastOf(KeyRange range) {
    return Byte.toUnsignedInt(range.end().orElseThrow().array()[0]);
  }
}
