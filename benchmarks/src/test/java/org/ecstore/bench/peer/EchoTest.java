package org.ecstore.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ecstore.bench.peer.echo.Echo;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.cluster.database.MavenArtifacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

@Timeout(120)
class EchoTest {
  @TempDir private Path temp;

  @Test
  void readsAreAnsweredWithARecordAndNothingElseIs() throws Exception {
    Peer.Place place =
        new Peer.Place(temp, new MavenArtifacts(temp.resolve("none"), _ -> {}), _ -> {});
    try (StartedTarget echo = new Echo().start(place, Durability.PERIODIC)) {
      BenchDb client = echo.client();
      Map<String, ByteIterator> result = new HashMap<>();
      assertEquals(Status.OK, client.read("usertable", "user1", null, result));
      assertTrue(result.values().stream().allMatch(value -> value.bytesLeft() == 100));
      assertEquals(10, result.size());
      assertEquals(Status.OK, client.readBoth("usertable", "user1", "user2"));
      assertEquals(Status.NOT_IMPLEMENTED, client.update("usertable", "user1", Map.of()));
      client.cleanup();
    }
  }
}
