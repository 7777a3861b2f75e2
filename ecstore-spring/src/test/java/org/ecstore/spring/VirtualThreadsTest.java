package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code @Transactional} on virtual threads, as of {@code spring.threads.virtual.enabled}. */
@Timeout(120)
class VirtualThreadsTest {
  private static final int THREADS = 200;
  private static final String PINNED = "jdk.VirtualThreadPinned";

  private final SpringFixture fixture =
      new SpringFixture(EcStoreOptions.DEFAULT, Waiting::new, Accounts.Application.class);
  private final Accounts accounts = fixture.context.getBean(Accounts.class);

  @TempDir Path directory;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Nodes that let a client wait for each answer, so that a thread gives its carrier back. */
  private record Waiting(Connector quick) implements Connector {
    private static final long MILLIS = 3;

    @Override
    public List<String> seeds() {
      return quick.seeds();
    }

    @Override
    public NodeConnection connect(String address) {
      NodeConnection reached = quick.connect(address);
      return new NodeConnection() {
        @Override
        public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
          return reached
              .call(request, timeout)
              .thenApplyAsync(
                  Function.identity(),
                  CompletableFuture.delayedExecutor(MILLIS, TimeUnit.MILLISECONDS));
        }

        @Override
        public void send(ClientRequest.EndSnapshot request) {
          reached.send(request);
        }

        @Override
        public void close() {
          reached.close();
        }
      };
    }

    @Override
    public void close() {
      quick.close();
    }
  }

  /** By reflection: this is compiled for Java 17, which has none. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private void transactAtOnce() throws Exception {
    CountDownLatch inTheirs = new CountDownLatch(THREADS);
    ExecutorService threads = virtualThreads();
    try {
      List<Future<Long>> working = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String name = "account " + i;
        working.add(
            threads.submit(
                () ->
                    accounts.putAndAdd(
                        name,
                        () -> {
                          inTheirs.countDown();
                          await(inTheirs);
                        })));
      }
      for (Future<Long> one : working) {
        assertEquals(2, one.get(60, TimeUnit.SECONDS));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS), "not all are in their transactions");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Far more than there are carriers: one that was pinned within its transaction would keep the
   * others from theirs.
   */
  @Test
  void twoHundredAreInTransactionsAtOnceEachInItsOwn() throws Exception {
    transactAtOnce();
    assertEquals(THREADS, fixture.cluster.requests(ClientRequest.Commit.class).size());
    for (int i = 0; i < THREADS; i++) {
      String name = "account " + i;
      assertEquals(
          Optional.of(2L), fixture.store.read(snapshot -> snapshot.get(BALANCES, Tuple.of(name))));
    }
  }

  @Test
  void noCarrierIsPinnedWhileTheStoreIsWaitedFor() throws Exception {
    // Who initializes a class is pinned: that is over then.
    transactAtOnce();
    Path file = directory.resolve("pinned.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      transactAtOnce();
      recording.stop();
      recording.dump(file);
    }
    assertEquals(List.of(), pinned(file));
  }

  private static List<String> pinned(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(PINNED))
        .map(RecordedEvent::toString)
        .toList();
  }
}
