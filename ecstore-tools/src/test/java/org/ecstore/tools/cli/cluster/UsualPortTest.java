package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.cluster.process.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsualPortTest {
  @TempDir private Path directory;

  @Test
  void oneOfThoseThatAskAtTheSameTimeGetsItAndNoneWhileAProcessListensThere() throws Exception {
    int port = new FreePorts().next();
    try (UsualPort first = UsualPort.claim(port, directory)) {
      assertEquals(Optional.of(port), first.port());
      try (UsualPort second = UsualPort.claim(port, directory)) {
        assertEquals(Optional.empty(), second.port());
      }
    }
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        UsualPort late = UsualPort.claim(port, directory)) {
      assertEquals(Optional.empty(), late.port());
    }
  }
}
