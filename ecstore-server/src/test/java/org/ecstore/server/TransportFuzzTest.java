package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.Table;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.server.net.Addresses;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real requests with a few bytes changed, sent to real nodes while an honest client works. */
@Timeout(300)
class TransportFuzzTest {
  private static final int FRAMES = 4_000;
  private static final int FRAMES_A_CONNECTION = 8;
  private static final long SEED = 88_235;

  /** What the mutated commits write; not the honest client's table. */
  private static final Table<Bytes> JUNK = Table.of("junk", Codec.bytes());

  @TempDir Path directory;

  @Test
  void mutatedRequestsHarmNeitherTheNodesNorAnotherClient() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(2));
        EcStore store = EcStore.connect(cluster.addresses())) {
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Integer> honest = CompletableFuture.supplyAsync(() -> work(store, over));
      try {
        fuzz(store);
      } finally {
        over.set(true);
      }
      int written = honest.join();
      assertEquals(Map.of(), cluster.failures(), "seed " + SEED);
      assertEquals(
          Optional.of("value " + written),
          store.<Optional<String>, RuntimeException>read(
              snapshot -> snapshot.get(LocalClusterTest.WORDS, Tuple.of(1L))));
      assertEquals(
          1L,
          (long)
              store.<Long, RuntimeException>read(
                  snapshot -> snapshot.count(LocalClusterTest.WORDS)));
    }
  }

  /** An honest client: each value is read back before the next is written. */
  private static int work(EcStore store, AtomicBoolean over) {
    int written = 0;
    while (!over.get() || written == 0) {
      int next = written + 1;
      Optional<String> expected = written == 0 ? Optional.empty() : Optional.of("value " + written);
      store.execute(
          tx -> {
            assertEquals(expected, tx.get(LocalClusterTest.WORDS, Tuple.of(1L)));
            tx.put(LocalClusterTest.WORDS, Tuple.of(1L), "value " + next);
          });
      written = next;
    }
    return written;
  }

  private static void fuzz(EcStore store) throws IOException {
    StoreStatus status = store.status();
    List<StoreRange> routes = status.ranges();
    ReadPoint point = store.<ReadPoint, RuntimeException>read(snapshot -> snapshot.readPoint());
    int closed = 0;
    for (int sent = 0; sent < FRAMES; sent += FRAMES_A_CONNECTION) {
      // Of its own each: where a connection is cut depends on time.
      Random random = new Random(SEED + sent);
      StoreRange route = routes.get(random.nextInt(routes.size()));
      InetSocketAddress address =
          Objects.requireNonNull(Addresses.parse(addressOf(route.primary(), status)));
      List<Bytes> recorded = recorded(route, point, random);
      try (RawClient client = RawClient.greeted(address)) {
        for (int i = 0; i < FRAMES_A_CONNECTION; i++) {
          send(client, mutated(recorded.get(random.nextInt(recorded.size())), random), random);
        }
      } catch (EOFException | SocketException closedByTheNode) {
        closed++;
      }
    }
    assertTrue(closed > 0, "some are cut");
    assertTrue(closed < FRAMES / FRAMES_A_CONNECTION, "some are borne");
  }

  private static String addressOf(NodeId node, StoreStatus status) {
    return status.nodes().stream()
        .filter(each -> each.id().equals(node))
        .findFirst()
        .orElseThrow()
        .address();
  }

  /** One of each request, as a client of that range would send it. */
  private static List<Bytes> recorded(StoreRange route, ReadPoint point, Random random) {
    Bytes key = Tuple.of(random.nextLong(100)).encode(JUNK.keys().start());
    TxnId txn = new TxnId(random.nextLong(), 1);
    List<ClientRequest> requests =
        List.of(
            new ClientRequest.Hello(ProtocolVersions.SPOKEN, "fuzz"),
            new ClientRequest.Locate(key),
            new ClientRequest.Begin(ReadLevel.SESSION, point),
            new ClientRequest.Begin(ReadLevel.STRONG, point),
            new ClientRequest.BeginAt(point.position()),
            new ClientRequest.BeginAt(new Position(random.nextLong(Long.MAX_VALUE))),
            new ClientRequest.RenewSnapshot(random.nextLong(10)),
            new ClientRequest.EndSnapshot(random.nextLong(10)),
            new ClientRequest.Get(point, route.id(), route.epoch(), List.of(key, key)),
            new ClientRequest.Scan(
                point, route.id(), route.epoch(), JUNK.keys(), random.nextBoolean(), 10, false),
            new ClientRequest.Scan(point, route.id(), route.epoch(), KeyRange.ALL, true, 0, true),
            new ClientRequest.Commit(
                txn,
                point,
                random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
                List.of(key),
                List.of(JUNK.keys()),
                List.of(new KeyWrite(key, Optional.of(Bytes.utf8("junk")))),
                100),
            new ClientRequest.AskOutcome(txn, point),
            new ClientRequest.Status(Optional.empty()));
    return requests.stream()
        .map(request -> ClientCodec.encodeRequest(random.nextLong(100), request))
        .toList();
  }

  private static Bytes mutated(Bytes body, Random random) {
    byte[] array = body.array().clone();
    return switch (random.nextInt(6)) {
      case 0 -> body;
      case 1 -> Bytes.wrap(Arrays.copyOf(array, random.nextInt(array.length + 1)));
      case 2 -> Bytes.wrap(Arrays.copyOf(array, array.length + 1 + random.nextInt(8)));
      default -> {
        // Behind version, type and correlation mostly: where it takes more than a look to refuse
        // it.
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          int from = random.nextInt(10) == 0 ? 0 : Math.min(3, array.length - 1);
          array[from + random.nextInt(array.length - from)] = (byte) random.nextInt(256);
        }
        yield Bytes.wrap(array);
      }
    };
  }

  private static void send(RawClient client, Bytes body, Random random) throws IOException {
    if (random.nextInt(20) == 0) {
      client.sendRaw(new WireWriter().i32(random.nextInt()).raw(body.array()).toBytes());
    } else {
      client.sendFrame(body);
    }
  }
}
