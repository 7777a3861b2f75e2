package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ecstore.client.Aggregation;
import org.ecstore.client.Cursor;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Group;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Scan;
import org.ecstore.client.net.AddressList;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyRole;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three copies of each range on real nodes: the pieces of one scan come from several of them. */
@Timeout(300)
class ScansFromCopiesTest {
  private static final int KEYS = 3_000;
  private static final int TRIES = 2_000;

  @TempDir Path directory;

  private static final class ThreeCopies extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return super.steward(context, sequencer, members, settings.withCopies(3));
    }
  }

  /** Meant to be cut at some keys. */
  private LocalCluster start(long... hints) throws Exception {
    return LocalCluster.start(
        directory,
        LocalClusterTest.SETTINGS.withSplitHints(
            LongStream.of(hints)
                .mapToObj(key -> Tuple.of(key).encode(WORDS.keys().start()))
                .toList()),
        true,
        new LocalCluster.Seams(LocalCluster::openLocalLedger, new ThreeCopies()));
  }

  /** How many records of a scan came from which node, in which role. */
  private record Answered(Map<NodeId, Integer> byNode, Map<CopyRole, Integer> byRole) {}

  private static Answered scan(EcStore store, boolean reverse) {
    Answered answered = new Answered(new TreeMap<>(), new TreeMap<>());
    try (ManualSnapshot snapshot = store.snapshot()) {
      Scan<String> scan = snapshot.scan(WORDS);
      Cursor<String> cursor = (reverse ? scan.reverse() : scan).cursor();
      List<Long> keys = new ArrayList<>();
      while (cursor.hasNext()) {
        keys.add(cursor.next().key().number(0));
        snapshot
            .lastRead()
            .ifPresent(
                by -> {
                  answered.byNode.merge(by.node(), 1, Integer::sum);
                  answered.byRole.merge(by.role(), 1, Integer::sum);
                });
      }
      List<Long> expected = LongStream.range(0, KEYS).boxed().toList();
      assertEquals(reverse ? expected.reversed() : expected, keys, "each key once, in order");
      assertEquals(
          expected,
          scan.unordered().stream().map(entry -> entry.key().number(0)).sorted().toList());
      assertEquals(KEYS, scan.count());
      Group sum = scan.aggregate(Aggregation.count().sum(0).min(0).max(0)).get(0);
      assertEquals(new BigDecimal((long) KEYS * (KEYS - 1) / 2), sum.sum(0));
      assertEquals(Optional.of(0L), sum.min(0, Long.class));
      assertEquals(Optional.of(KEYS - 1L), sum.max(0, Long.class));
      List<Tuple> groups =
          scan.aggregate(Aggregation.count().groupBy(1)).stream().map(Group::key).toList();
      List<Tuple> ofAll = LongStream.range(0, KEYS).boxed().map(Tuple::of).toList();
      assertEquals(ofAll, groups);
    }
    return answered;
  }

  private static void write(EcStore store) {
    for (int from = 0; from < KEYS; from += 500) {
      int first = from;
      store.execute(
          tx -> {
            for (int key = first; key < first + 500; key++) {
              tx.put(WORDS, Tuple.of(key), "word " + key);
            }
          });
    }
  }

  /** A way to nodes that notes where the pieces end that scans ask for, and who is asked. */
  private static final class Watched implements Connector {
    final Map<Bytes, String> askedByEnd = new ConcurrentSkipListMap<>();
    private final Connector connector;

    Watched(Connector connector) {
      this.connector = connector;
    }

    @Override
    public List<String> seeds() {
      return connector.seeds();
    }

    @Override
    public NodeConnection connect(String address) {
      NodeConnection connection = connector.connect(address);
      return new NodeConnection() {
        @Override
        public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
          if (request instanceof ClientRequest.Scan scan) {
            scan.interval().end().ifPresent(end -> askedByEnd.put(end, address));
          }
          return connection.call(request, timeout);
        }

        @Override
        public void send(ClientRequest.EndSnapshot request) {
          connection.send(request);
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }

    @Override
    public void close() {
      connector.close();
    }
  }

  /** All data are in one range: its copies say where to cut, and are asked for different parts. */
  @Test
  void aScanOfOneRangeIsCut() throws Exception {
    EcStoreOptions options = EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
    try (LocalCluster cluster = start(10_000, 20_000, 30_000)) {
      Watched watched =
          new Watched(
              new NettyConnector(AddressList.parse(cluster.addresses()), Duration.ofSeconds(2)));
      try (EcStore store = EcStore.over(watched, options)) {
        write(store);
        Bytes last = Tuple.of(KEYS).encode(WORDS.keys().start());
        NavigableMap<Bytes, String> asked = new TreeMap<>();
        for (int i = 0; i < TRIES && new TreeSet<>(asked.values()).size() < 2; i++) {
          watched.askedByEnd.clear();
          scan(store, false);
          asked = new TreeMap<>(watched.askedByEnd).headMap(last, false);
        }
        assertTrue(asked.size() > 3, "pieces end within the data: " + asked);
        assertTrue(new TreeSet<>(asked.values()).size() > 1, "of several nodes: " + asked);
        assertEquals(
            1,
            store.status(WORDS).ranges().stream()
                .filter(route -> route.keys().overlaps(KeyRange.of(WORDS.keys().start(), last)))
                .count());
        scan(store, true);
      }
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }

  @Test
  void piecesOfAScanAreAnsweredByDifferentNodes() throws Exception {
    EcStoreOptions options = EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
    try (LocalCluster cluster = start(750, 1_500, 2_250);
        EcStore store = EcStore.connect(cluster.addresses(), options)) {
      write(store);
      boolean several = false;
      boolean secondaries = false;
      for (int i = 0; i < TRIES && !(several && secondaries); i++) {
        Answered answered = scan(store, i % 2 == 1);
        several |= answered.byNode.size() > 1;
        secondaries |= answered.byRole.containsKey(CopyRole.SECONDARY);
      }
      assertTrue(several, "some scan was answered by several nodes");
      assertTrue(secondaries, "and by secondaries");
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }
}
