package org.ecstore.tools.attack.attacker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnnouncedLengthsTest {
  private static final int MEBI = 1 << 20;

  @Test
  void announceMuchSendLittleAndStay() throws IOException {
    List<Integer> announced = new ArrayList<>();
    try (ServerSocket port = new ServerSocket(0, 64, InetAddress.getLoopbackAddress())) {
      List<Socket> open = new ArrayList<>();
      try (AnnouncedLengths attacker = new AnnouncedLengths()) {
        assertEquals(32, attacker.strike(node(port), new SplittableRandom(7)));
        for (int i = 0; i < 32; i++) {
          Socket socket = port.accept();
          open.add(socket);
          socket.setSoTimeout(10_000);
          announced.add(new DataInputStream(socket.getInputStream()).readInt());
        }
      }
      for (Socket socket : open) {
        assertTrue(socket.getInputStream().readAllBytes().length <= 16, "next to nothing follows");
        socket.close();
      }
      assertTrue(announced.contains(MEBI - 1) || announced.contains(5 * MEBI), "" + announced);
    }
  }

  @Test
  void aPortThatIsNotThereIsNoFinding() throws IOException {
    ServerSocket port = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    AttackedNode node = node(port);
    port.close();
    try (AnnouncedLengths attacker = new AnnouncedLengths()) {
      assertEquals(0, attacker.strike(node, new SplittableRandom(7)));
    }
  }

  private static AttackedNode node(ServerSocket other) {
    InetSocketAddress address = new InetSocketAddress(other.getInetAddress(), other.getLocalPort());
    return new AttackedNode(address, List.of(address), "cluster", new NodeId(1), 1);
  }
}
