package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.verify.door.RawClient;

/** The glutton's appetites in turn, between floods of questions about ids that never were. */
public final class Greed implements Attacker {
  private static final int MEBI = 1 << 20;
  private static final int FLOOD = 2_000;
  private static final int KEYS = 100_000;
  private static final int REPEATED = 200_000;
  private static final int CONNECTIONS = 300;
  private static final int APPETITES = 9;

  /** So many floods for each appetite, once all were there twice. */
  private static final int FLOODS = 4;

  private final Consumer<String> finding;
  private final AtomicInteger turn = new AtomicInteger();

  public Greed(Consumer<String> finding) {
    this.finding = finding;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    int now = turn.getAndIncrement();
    int every = now < 4 * APPETITES ? 2 : 1 + FLOODS;
    if (now % every != 0) {
      return flood(node, random);
    }
    try (Glutton glutton = new Glutton(node.address(), random.nextLong())) {
      return indulge(glutton, node, now / every % APPETITES);
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

  private static int flood(AttackedNode node, SplittableRandom random) throws IOException {
    Burst burst = Burst.ofClient();
    for (int i = 1; i <= FLOOD; i++) {
      TxnId madeUp = new TxnId(random.nextLong(), random.nextLong());
      burst.frame(
          ClientCodec.encodeRequest(i, new ClientRequest.AskOutcome(madeUp, ReadPoint.ZERO)));
    }
    try (RawClient client = new RawClient(node.address())) {
      client.strike(burst.toBytes());
    }
    return burst.frames();
  }
}
