package org.ecstore.cluster.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What kept a server from reading its data may pass; data that cannot be read does not. */
class ServerRefusalsTest {
  private static boolean isLasting(Throwable cause) {
    ZooKeeperStartException refused =
        ServerRefusals.explain(Path.of("zookeeper"), "127.0.0.1:2181", cause);
    assertEquals(false, refused.isTemporary());
    return refused.isLasting();
  }

  @Test
  void dataThatCannotBeReadStaysSo() {
    IOException damaged = new IOException("Not able to find valid snapshots in zookeeper");
    assertEquals(true, isLasting(damaged));
    assertEquals(true, isLasting(new RuntimeException("unable to run", damaged)));
  }

  @Test
  void fullDiskOrAnErrorOfItsOwnMayPass() {
    assertEquals(
        false, isLasting(new FileSystemException("log.1", null, "No space left on device")));
    assertEquals(false, isLasting(new IOException("log.1 (Too many open files)")));
    assertEquals(false, isLasting(new SocketException("Network is unreachable")));
    assertEquals(false, isLasting(new OutOfMemoryError("heap")));
    assertEquals(false, isLasting(new IllegalStateException("the server ended")));
  }
}
