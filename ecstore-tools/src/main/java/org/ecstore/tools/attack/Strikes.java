package org.ecstore.tools.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.ecstore.tools.attack.attacker.Attacker;

/** Several threads that strike with one attacker, each at all nodes in turn. */
final class Strikes {
  private static final long CUT_PAUSE_MILLIS = 5;

  private final List<AttackedNode> nodes;
  private final Attacker attacker;
  private final Consumer<String> finding;
  private final AtomicLong frames = new AtomicLong();
  private final AtomicLong bursts = new AtomicLong();
  private final AtomicLong cut = new AtomicLong();
  private final AtomicInteger turn = new AtomicInteger();

  Strikes(List<AttackedNode> nodes, Attacker attacker, Consumer<String> finding) {
    this.nodes = nodes;
    this.attacker = attacker;
    this.finding = finding;
  }

  /** Goes on while it may; returns when all threads are done. */
  void run(int threads, SplittableRandom seeds, BooleanSupplier goesOn)
      throws InterruptedException {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      SplittableRandom random = seeds.split();
      started.add(
          Thread.ofPlatform().daemon().name("attacker-" + i).start(() -> strike(random, goesOn)));
    }
    for (Thread thread : started) {
      thread.join();
    }
  }

  private void strike(SplittableRandom random, BooleanSupplier goesOn) {
    try {
      while (goesOn.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
        strikeOnce(random);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      finding.accept("an attacker failed: " + e);
    }
  }

  private void strikeOnce(SplittableRandom random) throws InterruptedException {
    AttackedNode node = nodes.get(Math.floorMod(turn.getAndIncrement(), nodes.size()));
    bursts.incrementAndGet();
    try {
      frames.addAndGet(attacker.strike(node, random));
    } catch (IOException e) {
      cut.incrementAndGet();
      Thread.sleep(CUT_PAUSE_MILLIS);
    }
  }

  long frames() {
    return frames.get();
  }

  long bursts() {
    return bursts.get();
  }

  long cut() {
    return cut.get();
  }
}
