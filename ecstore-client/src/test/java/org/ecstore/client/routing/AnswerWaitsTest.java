package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.client.retry.Answer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On each kind of thread that an application may have. */
@Timeout(60)
class AnswerWaitsTest {
  private static final Duration TIMEOUT = Duration.ofMillis(50);
  private static final Answer ANSWER = new Answer.NoReply("as it is");

  private final AnswerWaits waits = new AnswerWaits(ClientTime.system());

  /** Starts threads by a name. */
  record Kind(String name, Executor executor) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind("platform", task -> new Thread(task).start()),
        new Kind("pool", ForkJoinPool.commonPool()),
        new Kind("virtual", AnswerWaitsTest::startVirtual));
  }

  /** The tests run on a newer Java than they are compiled for. */
  private static void startVirtual(Runnable task) {
    try {
      var unused = Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<Answer> await(Kind kind, CompletableFuture<Answer> future) {
    return CompletableFuture.supplyAsync(() -> waits.await(future, TIMEOUT), kind.executor());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anAnswerThatIsThereAndOneThatComesAreTold(Kind kind) throws Exception {
    assertEquals(ANSWER, await(kind, CompletableFuture.completedFuture(ANSWER)).get());
    CompletableFuture<Answer> later = new CompletableFuture<>();
    CompletableFuture<Answer> told = await(kind, later);
    later.complete(ANSWER);
    assertEquals(ANSWER, told.get());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitEndsWhereNoConnectionEndsIt(Kind kind) throws Exception {
    long begun = System.nanoTime();
    List<CompletableFuture<Answer>> told = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      told.add(await(kind, new CompletableFuture<>()));
    }
    for (CompletableFuture<Answer> one : told) {
      assertEquals(new Answer.NoReply("no reply within 50 ms"), one.get());
    }
    assertTrue(System.nanoTime() - begun >= TIMEOUT.toNanos());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFailureIsNoReply(Kind kind) throws Exception {
    CompletableFuture<Answer> future = new CompletableFuture<>();
    future.completeExceptionally(new IllegalStateException("broken"));
    assertInstanceOf(Answer.NoReply.class, await(kind, future).get(20, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anInterruptEndsAWait(Kind kind) throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CompletableFuture<Answer> told = new CompletableFuture<>();
    kind.executor()
        .execute(
            () -> {
              Thread.currentThread().interrupt();
              told.complete(waits.await(new CompletableFuture<>(), TIMEOUT));
              interrupted.complete(Thread.interrupted());
            });
    assertEquals(new Answer.Ended("interrupted"), told.get());
    assertTrue(interrupted.get());
  }
}
