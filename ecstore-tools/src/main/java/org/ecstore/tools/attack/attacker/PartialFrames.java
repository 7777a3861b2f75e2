package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.verify.door.RawClient;

/**
 * Real requests, the last of which ends too early; some connections are then kept as they are. At
 * the ports of others it is lengths that are announced, and nothing that follows.
 */
public final class PartialFrames implements Attacker, AutoCloseable {
  private static final int WHOLE_MAX = 16;
  private static final int HELD_MAX = 64;
  private static final int HELD_OF = 16;
  private static final int ELSEWHERE_OF = 32;

  private final RealRequests real;
  private final AnnouncedLengths elsewhere = new AnnouncedLengths();

  /** Guarded by itself. */
  private final Deque<RawClient> held = new ArrayDeque<>();

  public PartialFrames(RealRequests real) {
    this.real = real;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    if (!node.others().isEmpty() && random.nextInt(ELSEWHERE_OF) == 0) {
      return elsewhere.strike(node, random);
    }
    Burst burst = Burst.ofClient();
    List<Bytes> fresh = real.bodies(random);
    for (int left = random.nextInt(WHOLE_MAX); left > 0; left--) {
      // All but the greeting, which comes once.
      burst.frame(fresh.get(1 + random.nextInt(fresh.size() - 1)));
    }
    int whole = burst.toBytes().length();
    burst.frame(fresh.get(1 + random.nextInt(fresh.size() - 1)));
    Bytes all = burst.toBytes();
    int end = random.nextInt(8) == 0 ? random.nextInt(whole) : random.nextInt(whole, all.length());
    RawClient client = new RawClient(node.address());
    Optional<RawClient> toClose = Optional.of(client);
    try {
      int middle = random.nextInt(end + 1);
      client.sendRaw(all.slice(0, middle));
      if (random.nextInt(HELD_OF) == 0) {
        client.sendRaw(all.slice(middle, end));
        toClose = hold(client);
      } else {
        client.strike(all.slice(middle, end));
      }
    } finally {
      if (toClose.isPresent()) {
        toClose.get().close();
      }
    }
    return burst.frames();
  }

  private Optional<RawClient> hold(RawClient client) {
    synchronized (held) {
      held.add(client);
      return held.size() > HELD_MAX ? Optional.of(held.remove()) : Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    elsewhere.close();
    synchronized (held) {
      for (RawClient each : held) {
        each.close();
      }
      held.clear();
    }
  }
}
