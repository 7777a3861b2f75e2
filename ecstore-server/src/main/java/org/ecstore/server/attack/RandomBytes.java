package org.ecstore.server.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Preamble;

/** Bytes that mean nothing: instead of a greeting, in it, after it, and at ports of others. */
final class RandomBytes implements Attacker {
  private static final int SHORT_MAX = 64;
  private static final int LONG_MAX = 4_096;
  private static final List<Bytes> WORDS =
      List.of(
          Bytes.utf8("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
          Bytes.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3),
          Bytes.utf8("ruok"),
          Bytes.utf8("ecSt"));

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    boolean elsewhere = !node.others().isEmpty() && random.nextInt(8) == 0;
    InetSocketAddress port =
        elsewhere ? node.others().get(random.nextInt(node.others().size())) : node.address();
    try (RawClient client = new RawClient(port)) {
      client.strike(elsewhere ? noise(random) : said(random));
    }
    return 1;
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
