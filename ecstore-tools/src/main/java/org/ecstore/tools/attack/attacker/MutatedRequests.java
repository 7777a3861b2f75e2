package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.WireWriter;

/**
 * Requests with changes. What the codec still takes goes ahead, and what it does not take comes
 * last, as the node closes the connection upon it.
 */
public final class MutatedRequests implements Attacker {
  private static final int TAKEN = 100;
  private static final int TRIES = 4 * TAKEN;
  private static final int REAL_ONES_OF = 2;
  private static final int TYPE_AT = 1;
  private static final int HELLO = 1;

  private final RealRequests real;

  /** Made once: it takes a moment. */
  private static final class Drawn {
    static final List<Bytes> ALL = new DrawnRequests(new SplittableRandom(1)).all();
  }

  public MutatedRequests(RealRequests real) {
    this.real = real;
  }

  /** The node goes on after it: a greeting comes once. */
  private static boolean isTaken(Bytes body) {
    return DrawnRequests.isRequest(body) && body.at(TYPE_AT) != HELLO;
  }

  /** The same as a request of its own, if its number is not long: two of one number are cut. */
  private static Bytes numbered(Bytes body, int number) {
    int end = TYPE_AT + 1;
    while (body.at(end) < 0) {
      end++;
    }
    Bytes head = body.slice(0, TYPE_AT + 1).concat(Bytes.of(number));
    return head.concat(body.slice(end + 1, body.length()));
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    Burst burst = Burst.ofClient();
    Bytes last = Bytes.EMPTY;
    List<Bytes> fresh = real.bodies(random);
    for (int tries = 0; tries < TRIES && burst.frames() < TAKEN; tries++) {
      List<Bytes> some = random.nextInt(REAL_ONES_OF) == 0 ? fresh : Drawn.ALL;
      Bytes body = FrameDamage.of(some.get(random.nextInt(some.size())), random);
      if (isTaken(body)) {
        burst.frame(numbered(body, burst.frames() + 1));
      } else {
        last = body;
      }
    }
    if (random.nextInt(20) == 0) {
      burst.raw(new WireWriter().i32(random.nextInt()).raw(last.array()).toBytes());
    } else {
      burst.frame(last);
    }
    try (RawClient client = new RawClient(node.address())) {
      client.strike(burst.toBytes());
    }
    return burst.frames();
  }
}
