package org.ecstore.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.MavenArtifacts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A peer gives the answers of ecStore. */
abstract class PeerContract extends BenchDbContract {
  private final Peer peer;
  private List<StartedTarget> started = List.of();

  PeerContract(String peer) {
    this.peer = Peers.of(peer).orElseThrow();
  }

  /** Where the peer's program is, if it is not on the PATH. */
  abstract MavenArtifacts artifacts() throws IOException;

  @BeforeAll
  void start(@TempDir Path temp) throws Exception {
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    assumeTrue(machine.equals("Linux amd64"), "there are no artifacts for " + machine);
    started =
        List.of(
            peer.start(
                new Peer.Place(temp.resolve(peer.name()), artifacts(), _ -> {}),
                Durability.COMMIT));
  }

  @AfterAll
  void end() {
    started.forEach(StartedTarget::close);
    for (StartedTarget target : started) {
      assertTrue(
          target.processes().stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()),
          "its processes have ended");
    }
  }

  @Override
  Target target() {
    return started.getFirst();
  }

  @Test
  void runningOneIsMeasuredWithTheSettingsItSays() throws Exception {
    StartedTarget mine = started.getFirst();
    try (Target same = peer.at(mine.address(), mine.processes())) {
      Map<String, String> said = same.settings();
      assertEquals(mine.settings(), said);
      assertTrue(String.valueOf(said.get("durability")).contains("every"), said::toString);
      assertEquals(mine.processes(), same.processes());
    }
    assertTrue(mine.bytesOnDisk().orElse(0) > 0);
  }

  @Test
  void pausedOneServesAgain() throws Exception {
    StartedTarget mine = started.getFirst();
    mine.pause();
    mine.resume();
    BenchDb store = mine.client();
    assertEquals(
        Status.OK,
        store.insert("pauses", "user1", Map.of("field0", new StringByteIterator("value"))));
    assertEquals(Status.OK, store.read("pauses", "user1", null, new HashMap<>()));
    store.cleanup();
  }
}
