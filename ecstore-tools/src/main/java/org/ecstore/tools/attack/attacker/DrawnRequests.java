package org.ecstore.tools.attack.attacker;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.RequestTable;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireWriter;

/**
 * Bodies of requests of every type in the table, drawn from the codec itself: random bytes, mostly
 * small ones, are given to it under each type number, and what it takes is one. So a type that is
 * new is drawn as soon as it has a row.
 */
final class DrawnRequests {
  private static final int OF_EACH = 24;
  private static final int TRIES = 3_000;
  private static final int LENGTH_MAX = 96;
  private static final int SMALL = 5;

  /** A request may hold another, with its type number. */
  private static final int TAG_MAX = 24;

  private final SplittableRandom random;

  DrawnRequests(SplittableRandom random) {
    this.random = random;
  }

  /** Some of each type. */
  List<Bytes> all() {
    List<Bytes> drawn = new ArrayList<>();
    for (MessageTable.Row<?> row : RequestTable.rows()) {
      int found = 0;
      for (int tries = 0; tries < TRIES && found < OF_EACH; tries++) {
        Optional<Bytes> body = draw(row.number());
        body.ifPresent(drawn::add);
        found += body.isPresent() ? 1 : 0;
      }
    }
    return drawn;
  }

  private Bytes head(int type) {
    return new WireWriter().u8(ClientCodec.VERSION).u8(type).varint(random.nextInt(100)).toBytes();
  }

  private Bytes fields() {
    byte[] fields = new byte[LENGTH_MAX];
    int small = random.nextInt(1, SMALL + 1);
    for (int i = 0; i < fields.length; i++) {
      int most = random.nextInt(12) == 0 ? 256 : random.nextInt(8) == 0 ? TAG_MAX : small;
      fields[i] = (byte) random.nextInt(most);
    }
    return Bytes.wrap(fields);
  }

  /** The shortest prefix of some bytes that decodes. */
  private Optional<Bytes> draw(int type) {
    Bytes head = head(type);
    Bytes fields = fields();
    for (int length = 0; length <= fields.length(); length++) {
      Bytes body = head.concat(fields.slice(0, length));
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
