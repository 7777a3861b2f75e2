package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.Measure;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.verify.door.RawClient;

/**
 * Requests as an honest client would send them to a node now: of ranges that it has, in their
 * epochs, at a point that is. Immutable.
 *
 * @param junk the keys that are written
 */
public record RealRequests(List<Route> routes, ReadPoint point, KeyRange junk) {
  /** Where what attackers write is; no table of an application begins so. */
  public static final KeyRange JUNK = KeyRange.of(Bytes.utf8("glutton-"), Bytes.utf8("glutton."));

  private static final int TIMEOUT_MILLIS = 100;

  public RealRequests {
    routes = List.copyOf(routes);
  }

  /** Asks a node for what it takes. */
  public static RealRequests at(AttackedNode node) throws IOException {
    try (RawClient client = RawClient.greeted(node.address())) {
      ClientReply status = client.call(1, new ClientRequest.Status(Optional.empty()));
      if (status instanceof ClientReply.StatusReport report && !report.ranges().isEmpty()) {
        return new RealRequests(report.ranges(), report.point(), JUNK);
      }
      throw new IOException(node.id() + " knows no ranges: " + status);
    }
  }

  /** One of most requests, with keys, ids and positions of their own. */
  public List<Bytes> bodies(SplittableRandom random) {
    Route route = routes.get(random.nextInt(routes.size()));
    Bytes key = junk.start().concat(Bytes.utf8(String.valueOf(random.nextInt(100))));
    TxnId txn = new TxnId(random.nextLong(), 1);
    List<ClientRequest> requests = new ArrayList<>();
    requests.add(new ClientRequest.Hello(ProtocolVersions.SPOKEN, "attack"));
    requests.add(new ClientRequest.Locate(key));
    requests.add(new ClientRequest.Begin(ReadLevel.SESSION, point));
    requests.add(new ClientRequest.Begin(ReadLevel.STRONG, point));
    requests.add(new ClientRequest.BeginAt(point.position()));
    requests.add(new ClientRequest.BeginAt(new Position(random.nextLong(Long.MAX_VALUE))));
    requests.add(new ClientRequest.RenewSnapshot(random.nextLong(10)));
    requests.add(new ClientRequest.EndSnapshot(random.nextLong(10)));
    reads(requests, route, key, random);
    requests.add(commit(txn, key, random));
    requests.add(new ClientRequest.AskOutcome(txn, point));
    requests.add(new ClientRequest.Status(Optional.empty()));
    return requests.stream()
        .map(request -> ClientCodec.encodeRequest(1 + random.nextLong(1_000_000), request))
        .toList();
  }

  private void reads(
      List<ClientRequest> requests, Route route, Bytes key, SplittableRandom random) {
    var range = route.range();
    var epoch = route.epoch();
    requests.add(new ClientRequest.Get(point, range, epoch, List.of(key, key)));
    requests.add(
        new ClientRequest.Scan(point, range, epoch, junk, random.nextBoolean(), 10, false));
    requests.add(new ClientRequest.Scan(point, range, epoch, KeyRange.ALL, true, 0, true));
    requests.add(
        new ClientRequest.Scan(point, range, epoch, KeyRange.ALL, false, 5_000, false)
            .of(
                new Aggregate(
                    random.nextInt(8),
                    random.nextInt(2),
                    random.nextInt(3),
                    List.of(),
                    List.of(
                        new Measure(Measure.Kind.SUM, random.nextInt(4) + Measure.VALUE),
                        new Measure(Measure.Kind.MAX, random.nextInt(4))))));
  }

  private ClientRequest commit(TxnId txn, Bytes key, SplittableRandom random) {
    return new ClientRequest.Commit(
        txn,
        point,
        random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
        List.of(key),
        List.of(junk),
        List.of(new KeyWrite(key, Optional.of(Bytes.utf8("junk")))),
        TIMEOUT_MILLIS);
  }
}
