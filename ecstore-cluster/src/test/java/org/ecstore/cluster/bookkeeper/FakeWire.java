package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;

/** What a process says to the services, and what they answer: each takes its time or is lost. */
final class FakeWire {
  private static final long QUIET_DELAY_NANOS = 10_000_000;

  final Scheduler scheduler;
  final SimRandom random;
  final FakeFaults faults;
  final FakeProcess process;
  final BooleanSupplier faulty;
  private long lastSentNanos;
  private long lastReplyNanos;

  FakeWire(
      Scheduler scheduler,
      SimRandom random,
      FakeFaults faults,
      FakeProcess process,
      BooleanSupplier faulty) {
    this.scheduler = scheduler;
    this.random = random;
    this.faults = faults;
    this.process = process;
    this.faulty = faulty;
  }

  private boolean happens(double chance) {
    return faulty.getAsBoolean() && random.chance(chance);
  }

  private long delay() {
    long most = faulty.getAsBoolean() ? faults.delayNanosMax() : QUIET_DELAY_NANOS;
    return random.skewed(1_000, Math.min(most, faults.delayNanosMax()));
  }

  /** Asks for something; at times the request or the answer is lost. */
  <T> CompletableFuture<T> ask(Callable<T> effect) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    scheduler.after(delay(), () -> arrive(effect, answer));
    return answer;
  }

  private <T> void arrive(Callable<T> effect, CompletableFuture<T> answer) {
    if (!process.isAlive() && random.chance(0.5)) {
      return;
    }
    if (process.cutUntilNanos() > scheduler.nowNanos()) {
      scheduler.at(process.cutUntilNanos(), () -> arrive(effect, answer));
      return;
    }
    if (happens(faults.lostCall())) {
      reply(() -> answer.completeExceptionally(lost()));
      return;
    }
    boolean lost = happens(faults.lostReply());
    try {
      T result = effect.call();
      reply(
          () -> {
            if (lost) {
              answer.completeExceptionally(lost());
            } else {
              answer.complete(result);
            }
          });
    } catch (Exception e) {
      reply(() -> answer.completeExceptionally(e));
    }
  }

  private static IOException lost() {
    return new Metadata.Disconnected("connection lost", new IOException());
  }

  private void reply(Runnable reply) {
    scheduler.after(delay(), () -> inProcess(reply));
  }

  /** Once the process can be reached and does something; never if it is dead. */
  private void inProcess(Runnable reply) {
    long until = Math.max(process.cutUntilNanos(), process.pausedUntilNanos());
    if (!process.isAlive()) {
      return;
    }
    if (until > scheduler.nowNanos()) {
      scheduler.at(until, () -> inProcess(reply));
    } else {
      reply.run();
    }
  }

  /** Sends something after what was sent before; it arrives, in order, or the process has ended. */
  void inOrder(Runnable arrives) {
    lastSentNanos = Math.max(lastSentNanos, scheduler.nowNanos() + delay());
    scheduler.at(lastSentNanos, () -> whenReached(arrives));
  }

  private void whenReached(Runnable arrives) {
    if (process.cutUntilNanos() > scheduler.nowNanos()) {
      lastSentNanos = Math.max(lastSentNanos, process.cutUntilNanos());
      scheduler.at(process.cutUntilNanos(), () -> whenReached(arrives));
    } else {
      arrives.run();
    }
  }

  /** Answers what was sent in order, in order. */
  void answerInOrder(Runnable answer) {
    lastReplyNanos = Math.max(lastReplyNanos, scheduler.nowNanos() + delay());
    scheduler.at(lastReplyNanos, () -> inProcess(answer));
  }
}
