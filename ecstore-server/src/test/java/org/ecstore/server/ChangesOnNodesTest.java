package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.Change;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.ChangedCommit;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.ClosedException;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.net.Addresses;
import org.ecstore.verify.door.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The feed of changes on real nodes. */
@Timeout(180)
class ChangesOnNodesTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Table<Bytes> BLOBS = Table.of("blobs", Codec.bytes());
  private static final Table<String> OTHERS = Table.of("others", Codec.utf8());
  private static final long WRITES = 600;
  private static final int BLOB_COUNT = 12;

  @TempDir private Path directory;

  private static void write(EcStore store, AtomicLong next, AtomicBoolean over) {
    while (!over.get()) {
      long number = next.incrementAndGet();
      if (number > WRITES) {
        return;
      }
      store.execute(tx -> tx.put(WORDS, Tuple.of(number % 120), "v" + number));
      store.execute(tx -> tx.put(OTHERS, Tuple.of(number), "x"));
    }
  }

  private static Boolean killAndRestart(LocalCluster cluster) throws Exception {
    for (long node = 1; node <= 2; node++) {
      cluster.killNode(new NodeId(node));
      cluster.restartNode(new NodeId(node));
    }
    return true;
  }

  /** A reader that takes what one killed node after the other would have told. */
  @Test
  void aReaderIsToldEachCommitOnceWhileNodesAreKilled() throws Exception {
    ClusterSettings settings =
        SETTINGS.withNodes(3).withCopies(3).withChangesKept(Duration.ofMinutes(5), 1_000_000);
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicLong next = new AtomicLong();
      AtomicBoolean over = new AtomicBoolean();
      try (ChangeReader<String> reader = store.changes(WORDS).open()) {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          writers.add(threads.submit(() -> write(store, next, over)));
        }
        List<Long> read = new ArrayList<>();
        Position last = Position.ZERO;
        while (read.size() < WRITES) {
          ChangedCommit<String> commit = reader.next(SOON).orElseThrow();
          assertTrue(commit.number().isAfter(last), "in order");
          last = commit.number();
          for (Change<String> change : commit.changes()) {
            read.add(Long.valueOf(change.value().orElseThrow().substring(1)));
          }
          if (read.size() == WRITES / 3) {
            writers.add(threads.submit(() -> killAndRestart(cluster)));
          }
        }
        assertEquals(WRITES, read.stream().distinct().count(), "each once");
        for (Future<?> writer : writers) {
          writer.get();
        }
        assertEquals(Optional.empty(), reader.next(Duration.ofMillis(300)));
      } finally {
        over.set(true);
      }
    }
  }

  /** It was never told that there is nothing more, as more came while it asked. */
  @Test
  void aReaderOfAnotherTableComesOnWhileOthersWrite() throws Exception {
    try (EcStore store = EcStore.open(directory.resolve("store"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong next = new AtomicLong(-1_000_000);
      try (ChangeReader<Bytes> reader = store.changes(BLOBS).open()) {
        String before = reader.token();
        Future<?> writer = threads.submit(() -> write(store, next, over));
        assertEquals(Optional.empty(), reader.next(Duration.ofSeconds(2)));
        assertTrue(!reader.token().equals(before), "it has come on");
        over.set(true);
        writer.get();
      }
    }
  }

  /** More than an answer has room for, and more than a record of the ledger. */
  @Test
  void aLargeCommitComesWhole() {
    try (EcStore store = EcStore.open(directory.resolve("store"));
        ChangeReader<Bytes> reader = store.changes(BLOBS).open()) {
      store.execute(
          tx -> {
            for (long i = 0; i < BLOB_COUNT; i++) {
              tx.put(BLOBS, Tuple.of(i), Bytes.wrap(new byte[700_000]));
            }
          });
      store.execute(tx -> tx.put(BLOBS, Tuple.of(100L), Bytes.of(1)));
      assertEquals(BLOB_COUNT, reader.next(SOON).orElseThrow().changes().size());
      assertEquals(1, reader.next(SOON).orElseThrow().changes().size());
      try (ChangeReader<Bytes> again = store.changes(BLOBS).open()) {
        assertEquals(Optional.empty(), again.next(Duration.ZERO));
      }
    }
  }

  private static ClientRequest.ReadChanges from(long position) {
    return new ClientRequest.ReadChanges(
        ChangeMark.after(new Position(position)), List.of(KeyRange.ALL), 1, 0);
  }

  /** The first ended a node once: what is below position 1 is none. */
  @Test
  void forgedMarksHarmNoNode() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(tx -> tx.put(WORDS, Tuple.of(1L), "a"));
      InetSocketAddress at =
          Objects.requireNonNull(Addresses.parse(cluster.addresses()), "an address");
      try (RawClient client = RawClient.greeted(at)) {
        Bytes zero = Bytes.EMPTY;
        ClientReply begin = client.call(1, from(0));
        assertTrue(
            begin instanceof ClientReply.ChangesRead || begin instanceof ClientReply.ChangesLost,
            begin::toString);
        assertInstanceOf(ClientReply.ChangesLost.class, client.call(2, from(Long.MAX_VALUE)));
        assertInstanceOf(ClientReply.ChangesLost.class, client.call(3, from(1L << 40)));
        for (long position = 1; position < 30; position++) {
          ChangeMark within =
              new ChangeMark(
                  new Position(position),
                  Optional.of(new ChangeMark.Part(new Position(position + 1), zero)));
          client.call(
              10 + position, new ClientRequest.ReadChanges(within, List.of(KeyRange.ALL), 1, 0));
        }
        ClientReply none =
            client.call(
                4,
                new ClientRequest.ReadChanges(
                    ChangeMark.after(Position.ZERO), List.of(), 1, Integer.MAX_VALUE));
        assertEquals(
            RefusalCode.BAD_REQUEST, assertInstanceOf(ClientReply.Refused.class, none).code());
      }
      store.execute(tx -> tx.put(WORDS, Tuple.of(1L), "b"));
      assertEquals(Map.of(), cluster.failures());
    }
  }

  /** It was told that nothing came, and waited for ever; and what waited stayed at the node. */
  @Test
  void closingAReaderThatWaitsWakesIt() throws Exception {
    try (EcStore store = EcStore.open(directory.resolve("store"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ChangeReader<String> reader = store.changes(WORDS).open();
      Future<?> waiting =
          threads.submit(
              () -> assertThrows(ClosedException.class, () -> reader.next(Duration.ofHours(1))));
      store.execute(tx -> tx.put(OTHERS, Tuple.of(1L), "x"));
      reader.close();
      waiting.get(20, TimeUnit.SECONDS);
    }
  }

  /** Their places are free again when they have gone; a node has no more than it has room for. */
  @Test
  void readersThatWaitHaveSoManyPlacesAndLeaveThemWhenTheyGo() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses())) {
      InetSocketAddress at =
          Objects.requireNonNull(Addresses.parse(cluster.addresses()), "an address");
      for (int round = 0; round < 20; round++) {
        try (RawClient client = RawClient.greeted(at)) {
          long now = store.<Long, RuntimeException>read(s -> s.readPoint().position().value());
          int asked = 40;
          for (int i = 1; i <= asked; i++) {
            client.send(
                i,
                new ClientRequest.ReadChanges(
                    ChangeMark.after(new Position(now)), List.of(BLOBS.keys()), 1, 60_000));
          }
          ClientReply first = client.receive().reply();
          ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, first);
          assertEquals(RefusalCode.OVERLOADED, refused.code());
        }
      }
      try (ChangeReader<String> reader = store.changes(WORDS).open()) {
        store.execute(tx -> tx.put(WORDS, Tuple.of(1L), "b"));
        assertTrue(reader.next(SOON).isPresent());
      }
    }
  }
}
