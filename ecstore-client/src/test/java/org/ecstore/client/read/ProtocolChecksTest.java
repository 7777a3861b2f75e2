package org.ecstore.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeStore;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that answers what it must not is caught, not believed. */
class ProtocolChecksTest {
  private final FakeTime time = new FakeTime(1);
  private final FakeCluster cluster = new FakeCluster(time, "n1:1");
  private final Backend backend =
      new Backend(
          cluster,
          time,
          new Backoff(1_000_000, 100_000_000),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          1);

  /** One that has begun, or is to begin with its first read. */
  private BytesSnapshot snapshot(boolean begun) {
    cluster.plan((address, request) -> new Fault.None());
    BytesSnapshot snapshot =
        backend.snapshot(
            ReadLevel.SESSION,
            new SessionToken(ReadPoint.ZERO),
            TimeLimit.each(Duration.ofSeconds(10)));
    if (begun) {
      snapshot.point();
    }
    return snapshot;
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static Row row(String key, long version) {
    return new Row(Bytes.utf8(key), new Position(version), Bytes.EMPTY);
  }

  private void answer(ClientReply.Answered reply) {
    ReadPoint point = new ReadPoint(new Position(1), new MapVersion(1));
    ClientReply first = new ClientReply.BegunWith(new ClientReply.Begun(point, 0, 1_000), reply);
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Read
                ? new Fault.Instead(reply)
                : request instanceof ClientRequest.BeginWith
                    ? new Fault.Instead(first)
                    : new Fault.None());
  }

  private void getFails(ClientReply.Answered reply) {
    for (boolean begun : new boolean[] {true, false}) {
      BytesSnapshot snapshot = snapshot(begun);
      answer(reply);
      EcStoreException failure =
          assertThrows(
              EcStoreException.class,
              () -> snapshot.get(List.of(Bytes.utf8("a"), Bytes.utf8("b"))));
      assertEquals(ErrorCode.PROTOCOL, failure.code(), failure.getMessage());
    }
  }

  private void scanFails(boolean reverse, List<Row> rows, KeyRange covered) {
    KeyRange interval = KeyRange.of(Bytes.utf8("b"), Bytes.utf8("y"));
    for (boolean begun : new boolean[] {true, false}) {
      BytesSnapshot snapshot = snapshot(begun);
      answer(new ClientReply.Scanned(rows, covered, FakeStore.SOURCE));
      EcStoreException failure =
          assertThrows(
              EcStoreException.class,
              () -> snapshot.scan(interval, new ScanShape(reverse, false, true)).next(3));
      assertEquals(ErrorCode.PROTOCOL, failure.code(), failure.getMessage());
    }
  }

  private static KeyRange range(String start, String end) {
    return KeyRange.of(Bytes.utf8(start), Bytes.utf8(end));
  }

  @Test
  void valuesOfOtherKeysOrANumberOfThem() {
    getFails(new ClientReply.Values(List.of(), FakeStore.SOURCE));
    getFails(
        new ClientReply.Values(
            List.of(Optional.empty(), Optional.empty(), Optional.empty()), FakeStore.SOURCE));
    getFails(
        new ClientReply.Values(
            List.of(Optional.empty(), Optional.of(row("c", 0))), FakeStore.SOURCE));
  }

  @Test
  void versionsAboveTheSnapshot() {
    getFails(
        new ClientReply.Values(
            List.of(Optional.empty(), Optional.of(row("b", 99))), FakeStore.SOURCE));
    scanFails(false, List.of(row("c", 99)), range("b", "y"));
  }

  @Test
  void aReplyOfAnotherKind() {
    getFails(new ClientReply.Scanned(List.of(), KeyRange.ALL, FakeStore.SOURCE));
  }

  @Test
  void piecesThatDoNotTileTheInterval() {
    scanFails(false, List.of(), range("c", "y"));
    scanFails(false, List.of(), range("b", "z"));
    scanFails(false, List.of(), range("a", "y"));
    scanFails(true, List.of(), range("b", "x"));
    scanFails(true, List.of(), range("a", "y"));
    scanFails(false, List.of(), KeyRange.from(Bytes.utf8("b")));
  }

  @Test
  void rowsOutsideOfTheCoveredPart() {
    scanFails(false, List.of(row("x", 0)), range("b", "m"));
  }

  @Test
  void rowsOutOfOrderOrTwiceOrTooMany() {
    scanFails(false, List.of(row("d", 0), row("c", 0)), range("b", "y"));
    scanFails(false, List.of(row("c", 0), row("c", 0)), range("b", "y"));
    scanFails(true, List.of(row("c", 0), row("d", 0)), range("b", "y"));
    scanFails(false, List.of(row("c", 0), row("d", 0), row("e", 0), row("f", 0)), range("b", "y"));
  }
}
