package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.verify.door.RawClient;

/** Many small requests of one kind, sent at once by one connection that reads all answers. */
enum Flood {
  /** What became of transactions that never were. */
  OUTCOMES(2_000) {
    @Override
    ClientRequest request(RealRequests real, SplittableRandom random) {
      return new ClientRequest.AskOutcome(
          new TxnId(random.nextLong(), random.nextLong()), ReadPoint.ZERO);
    }
  },

  /** Reads and snapshots at positions that no record has. */
  FAR_POSITIONS(2_000) {
    @Override
    ClientRequest request(RealRequests real, SplittableRandom random) {
      Position near = new Position(real.point().position().value() + 1 + random.nextInt(1_000_000));
      Position far = new Position(random.nextLong(Long.MAX_VALUE));
      Position at = random.nextBoolean() ? near : far;
      ReadPoint point = new ReadPoint(at, real.point().mapVersion());
      return switch (random.nextInt(3)) {
        case 0 -> new ClientRequest.BeginAt(at);
        case 1 -> new ClientRequest.Begin(ReadLevel.SESSION, point);
        default -> {
          Route route = route(real, random);
          Bytes key = real.junk().start();
          yield new ClientRequest.Get(point, route.range(), route.epoch(), List.of(key));
        }
      };
    }
  },

  /** Leases of one snapshot, which no client ends. */
  LEASES(2_000) {
    @Override
    ClientRequest request(RealRequests real, SplittableRandom random) {
      return new ClientRequest.BeginAt(real.point().position());
    }
  },

  /** Reads of many keys in an epoch that the range does not have. */
  WRONG_EPOCHS(50) {
    @Override
    ClientRequest request(RealRequests real, SplittableRandom random) {
      Route route = route(real, random);
      Epoch wrong = new Epoch(Math.max(0, route.epoch().value() + random.nextInt(5) - 2));
      return new ClientRequest.Get(real.point(), route.range(), wrong, KEYS);
    }
  },

  /** Questions that nodes hand on to the one that leads. */
  QUESTIONS(500) {
    @Override
    ClientRequest request(RealRequests real, SplittableRandom random) {
      return switch (random.nextInt(4)) {
        case 0 -> new ClientRequest.ExplainBalance();
        case 1 -> new ClientRequest.AskDecisions(Optional.empty());
        case 2 -> new ClientRequest.Status(Optional.empty());
        default -> new ClientRequest.Inspect();
      };
    }
  };

  private static final List<Bytes> KEYS =
      IntStream.range(0, 2_000).mapToObj(i -> Bytes.utf8("glutton-%09d".formatted(i))).toList();

  private final int requests;

  Flood(int requests) {
    this.requests = requests;
  }

  abstract ClientRequest request(RealRequests real, SplittableRandom random);

  private static Route route(RealRequests real, SplittableRandom random) {
    return real.routes().get(random.nextInt(real.routes().size()));
  }

  /** Sends all of it; the number of requests. */
  int send(AttackedNode node, SplittableRandom random) throws IOException {
    RealRequests real = RealRequests.at(node);
    Burst burst = Burst.ofClient();
    for (int i = 1; i <= requests; i++) {
      burst.frame(ClientCodec.encodeRequest(i, request(real, random)));
    }
    try (RawClient client = new RawClient(node.address())) {
      client.strike(burst.toBytes());
    }
    return burst.frames();
  }
}
