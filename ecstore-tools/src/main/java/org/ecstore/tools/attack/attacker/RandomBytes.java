package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;

/** Bytes that mean nothing: instead of a greeting, in it, after it, and at ports of others. */
public final class RandomBytes implements Attacker {
  private static final int AT_ONCE = 16;
  private static final int ELSEWHERE_OF = 8;
  private static final int SHORT_MAX = 64;
  private static final int LONG_MAX = 4_096;
  private static final List<Bytes> WORDS =
      List.of(
          Bytes.utf8("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
          Bytes.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3),
          Bytes.utf8("ruok"),
          Bytes.utf8("ecSt"));

  /** Several connections at once, as each is good for one answer. */
  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    List<RawClient> open = new ArrayList<>();
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        boolean elsewhere = !node.others().isEmpty() && random.nextInt(ELSEWHERE_OF) == 0;
        Bytes bytes = elsewhere ? noise(random) : said(random);
        Optional<RawClient> client = connect(elsewhere ? other(node, random) : node.address());
        if (client.isPresent()) {
          open.add(client.get());
          client.get().sendLast(bytes);
        }
      }
      for (RawClient client : open) {
        client.awaitEnd();
      }
      return open.size();
    } finally {
      for (RawClient client : open) {
        client.close();
      }
    }
  }

  private static InetSocketAddress other(AttackedNode node, SplittableRandom random) {
    return node.others().get(random.nextInt(node.others().size()));
  }

  /** Only one of ZooKeeper's servers listens on its port between servers. */
  private static Optional<RawClient> connect(InetSocketAddress port) {
    try {
      return Optional.of(new RawClient(port));
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  private static Bytes said(SplittableRandom random) {
    Bytes noise = noise(random);
    return switch (random.nextInt(6)) {
      case 0 -> noise;
      case 1 -> Preamble.CLIENT.concat(noise);
      case 2 -> Preamble.NODE.concat(noise);
      case 3 -> new Burst().raw(Preamble.NODE).frame(noise).toBytes();
      case 4 -> Burst.ofClient().frame(noise).toBytes();
      default -> Burst.ofClient().raw(noise).toBytes();
    };
  }

  private static Bytes noise(SplittableRandom random) {
    if (random.nextInt(20) == 0) {
      return WORDS.get(random.nextInt(WORDS.size()));
    }
    byte[] noise = new byte[random.nextInt(random.nextInt(10) == 0 ? LONG_MAX : SHORT_MAX)];
    random.nextBytes(noise);
    return Bytes.wrap(noise);
  }
}
