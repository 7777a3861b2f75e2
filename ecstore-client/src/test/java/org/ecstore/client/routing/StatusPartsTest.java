package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class StatusPartsTest {
  private static final int RANGES = 2 * StatusParts.RANGES_MAX + 7;

  private final List<Route> ranges = new ArrayList<>();
  private int asked;
  private int mapVersion = 1;

  StatusPartsTest() {
    for (int i = 0; i < RANGES; i++) {
      Bytes start = i == 0 ? Bytes.EMPTY : at(i);
      KeyRange keys = i == RANGES - 1 ? KeyRange.from(start) : KeyRange.of(start, at(i + 1));
      ranges.add(new Route(new RangeId(i + 1), new Epoch(1), keys, new NodeId(1), "h:1"));
    }
  }

  private static Bytes at(int number) {
    return Tuple.of(number).encode();
  }

  /** What a node says that tells so many ranges at most. */
  private StatusReport report(ClientRequest.Status status, long most) {
    asked++;
    KeyRange keys = status.keys().orElse(KeyRange.ALL);
    Stream<Route> all = ranges.stream().filter(route -> keys.overlaps(route.keys()));
    List<Route> told = all.limit(most).toList();
    return new StatusReport(
        new ReadPoint(new Position(9), new MapVersion(mapVersion)),
        List.of(),
        told,
        told.stream()
            .map(route -> new Holders(route.range(), Optional.empty(), List.of()))
            .toList());
  }

  private StatusReport part(ClientRequest.Status status) {
    return report(status, status.rangesMax());
  }

  private StatusReport whole(StatusParts parts) {
    Optional<StatusReport> whole = Optional.empty();
    while (whole.isEmpty()) {
      whole = parts.take(part(parts.next()));
    }
    return whole.get();
  }

  @Test
  void allRangesComeInSomeParts() {
    StatusReport whole = whole(new StatusParts(Optional.empty()));
    assertEquals(ranges, whole.ranges());
    assertEquals(RANGES, whole.holders().size());
    assertEquals(3, asked);
  }

  @Test
  void thoseOfAnIntervalEndWithIt() {
    KeyRange keys = KeyRange.of(at(3), at(StatusParts.RANGES_MAX + 5));
    assertEquals(
        ranges.subList(3, StatusParts.RANGES_MAX + 5),
        whole(new StatusParts(Optional.of(keys))).ranges());
    assertEquals(2, asked);
  }

  /** It does not know the field that says how many. */
  @Test
  void aNodeOfAnEarlierReleaseIsAskedOnce() {
    StatusParts parts = new StatusParts(Optional.empty());
    assertEquals(
        Optional.of(ranges),
        parts.take(report(parts.next(), Long.MAX_VALUE)).map(StatusReport::ranges));
  }

  /** Ranges of two maps may overlap, or leave out keys. */
  @Test
  void itIsBegunAnewWhereTheMapHasChanged() {
    StatusParts parts = new StatusParts(Optional.empty());
    assertEquals(Optional.empty(), parts.take(part(parts.next())));
    mapVersion++;
    assertEquals(Optional.empty(), parts.take(part(parts.next())));
    StatusReport whole = whole(parts);
    assertEquals(ranges, whole.ranges());
    assertEquals(new MapVersion(2), whole.point().mapVersion());
  }

  @Test
  void itComesToAnEndAlsoWhereTheMapChangesAllTheTime() {
    StatusParts parts = new StatusParts(Optional.empty());
    Optional<StatusReport> whole = Optional.empty();
    while (whole.isEmpty()) {
      mapVersion++;
      whole = parts.take(part(parts.next()));
    }
    assertEquals(ranges, whole.get().ranges());
    assertEquals(2 * (StatusParts.BEGUN_MAX - 1) + 3, asked);
  }

  @Test
  void aNodeThatTellsTheSameAgainIsNotAskedForEver() {
    StatusParts parts = new StatusParts(Optional.empty());
    StatusReport first = part(parts.next());
    assertEquals(Optional.empty(), parts.take(first));
    assertEquals(
        Optional.of(2 * StatusParts.RANGES_MAX),
        parts.take(first).map(whole -> whole.ranges().size()));
  }

  /** Each refusal lost the parts before it, and all counted together. */
  @Test
  void whatIsRefusedInBetweenIsAskedForAgainAndNotWhatCameBefore() {
    AtomicInteger requests = new AtomicInteger();
    FakeTime time = new FakeTime(1);
    FakeCluster fake = new FakeCluster(time, "n1:1");
    fake.plan(
        (address, request) ->
            new Fault.Instead(
                requests.incrementAndGet() % 5 == 0
                    ? part((ClientRequest.Status) request)
                    : new ClientReply.Refused(RefusalCode.OVERLOADED, "four are under way", 10)));
    Backoff backoff = new Backoff(1_000_000, 100_000_000);
    try (Cluster cluster =
        new Cluster(fake, time, backoff, Duration.ofSeconds(1), StoreObserver.NONE)) {
      Deadline deadline = Deadline.after(time.nanos(), Duration.ofMinutes(5));
      assertEquals(ranges, cluster.status(Optional.empty(), deadline).ranges());
    }
    assertEquals(3, asked);
  }

  @Test
  void aNodeThatKnowsNoMapSaysSo() {
    ranges.clear();
    assertEquals(List.of(), whole(new StatusParts(Optional.empty())).ranges());
  }
}
