package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ecstore.protocol.ClientReply;

/**
 * The glutton's appetites in turn, between floods of small requests. The connections of the last
 * few gluttons stay, with what they have sent in part and not read.
 */
public final class Greed implements Attacker, AutoCloseable {
  private static final int MEBI = 1 << 20;
  private static final int KEYS = 100_000;
  private static final int REPEATED = 200_000;
  private static final int CONNECTIONS = 300;
  private static final int UNREAD = 4_000;
  private static final int APPETITES = 11;
  private static final int HALVES = 6;
  private static final int KEPT_MAX = 8;

  /** So many floods for each appetite, once all were there twice. */
  private static final int FLOODS = 4;

  private static final List<Flood> KINDS = List.of(Flood.values());

  private final Consumer<String> finding;
  private final AtomicInteger turn = new AtomicInteger();

  /** Guarded by itself. */
  private final Deque<Glutton> kept = new ArrayDeque<>();

  public Greed(Consumer<String> finding) {
    this.finding = finding;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    int now = turn.getAndIncrement();
    int every = now < 4 * APPETITES ? 2 : 1 + FLOODS;
    if (now % every != 0) {
      return KINDS.get(random.nextInt(KINDS.size())).send(node, random);
    }
    Glutton glutton = new Glutton(node.address(), random.nextLong());
    try {
      return indulge(glutton, node, now / every % APPETITES);
    } finally {
      keep(glutton);
    }
  }

  private void keep(Glutton glutton) throws IOException {
    synchronized (kept) {
      kept.addLast(glutton);
      if (kept.size() <= KEPT_MAX) {
        return;
      }
      kept.removeFirst().close();
    }
  }

  private int indulge(Glutton glutton, AttackedNode node, int appetite) throws IOException {
    switch (appetite) {
      case 0 -> sound(node, glutton.commit(KEYS, 8));
      case 1 -> sound(node, glutton.commit(20, 1_000_000));
      case 2 -> sound(node, glutton.commit(60, 1_000_000));
      case 3 -> {
        sound(node, glutton.writeBig(MEBI));
        return 1 + glutton.readManyTimes(400, 20);
      }
      case 4 -> glutton.greetWithName(79 * MEBI);
      case 5 -> glutton.sendPart(15 * MEBI);
      case 6 -> glutton.repeatKeys(REPEATED);
      case 7 -> glutton.overlapIntervals(KEYS);
      case 8 -> {
        return glutton.askUnread(UNREAD);
      }
      case 9 -> {
        return glutton.sendHalves(HALVES, MEBI);
      }
      default -> {
        return glutton.connect(CONNECTIONS);
      }
    }
    return 1;
  }

  private void sound(AttackedNode node, ClientReply reply) {
    if (!Glutton.isSound(reply)) {
      finding.accept(node.id() + " answers a large transaction with " + reply);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (kept) {
      while (!kept.isEmpty()) {
        kept.removeFirst().close();
      }
    }
  }
}
