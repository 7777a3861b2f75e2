package org.ecstore.server.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireWriter;
import org.ecstore.wire.client.ClientCodec;

/**
 * Bodies of requests of every type, drawn from the codec itself: random bytes, mostly small ones,
 * are given to it under each type number, and what it takes is one. So a type that is new is drawn
 * as soon as the codec knows it.
 */
final class DrawnRequests {
  private static final int TYPE_MAX = 64;
  private static final int OF_EACH = 24;
  private static final int TRIES = 3_000;
  private static final int LENGTH_MAX = 96;
  private static final int SMALL = 5;

  private final SplittableRandom random;

  DrawnRequests(SplittableRandom random) {
    this.random = random;
  }

  /** Some of each type. */
  List<Bytes> all() {
    List<Bytes> drawn = new ArrayList<>();
    for (int type = 1; type < TYPE_MAX; type++) {
      int found = 0;
      for (int tries = 0; tries < TRIES && found < OF_EACH; tries++) {
        Optional<Bytes> body = draw(type);
        body.ifPresent(drawn::add);
        found += body.isPresent() ? 1 : 0;
      }
    }
    return drawn;
  }

  /** What decodes is a prefix of some bytes, and it is the only one. */
  private Optional<Bytes> draw(int type) {
    byte[] fields = new byte[LENGTH_MAX];
    int small = random.nextInt(1, SMALL + 1);
    for (int i = 0; i < fields.length; i++) {
      fields[i] = (byte) (random.nextInt(12) == 0 ? random.nextInt(256) : random.nextInt(small));
    }
    Bytes head =
        new WireWriter().u8(ClientCodec.VERSION).u8(type).varint(random.nextInt(100)).toBytes();
    for (int length = 0; length <= fields.length; length++) {
      Bytes body = head.concat(Bytes.wrap(fields).slice(0, length));
      if (isRequest(body)) {
        return Optional.of(body);
      }
    }
    return Optional.empty();
  }

  /** Whether a node would take it for one. */
  static boolean isRequest(Bytes body) {
    try {
      ClientCodec.decodeRequest(body);
      return true;
    } catch (MalformedMessageException e) {
      return false;
    }
  }
}
