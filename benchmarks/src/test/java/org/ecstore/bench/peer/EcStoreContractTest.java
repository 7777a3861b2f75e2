package org.ecstore.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class EcStoreContractTest extends BenchDbContract {
  private static final int CLIENTS = 4;

  @TempDir private static Path temp;
  private static List<EcStoreTarget> started = List.of();

  @BeforeAll
  static void start() throws Exception {
    started =
        List.of(
            EcStoreTarget.make(
                temp.resolve("cluster"),
                new EcStoreTarget.Shape(1, 1, NodeResources.SMALL, List.of()),
                new EcStoreTarget.Reads("session", "serializable"),
                _ -> {}));
  }

  @AfterAll
  static void end() {
    started.forEach(EcStoreTarget::close);
  }

  @Override
  Target target() {
    return started.getFirst();
  }

  @Test
  void triesOfUpdatesThatConflictAreCounted() throws Exception {
    Map<String, ByteIterator> field = Map.of("field0", new StringByteIterator("x"));
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        BenchDb client = target().client();
        assertEquals(Status.OK, client.insert("usertable", "hot", field));
        client.takeAborts();
        running.add(
            threads.submit(
                () -> {
                  for (int update = 0; update < 100; update++) {
                    assertEquals(Status.OK, client.update("usertable", "hot", field));
                  }
                  int aborts = client.takeAborts();
                  assertEquals(0, client.takeAborts());
                  client.cleanup();
                  return aborts;
                }));
      }
      int aborts = 0;
      for (Future<Integer> one : running) {
        aborts += one.get();
      }
      assertTrue(aborts > 0);
    }
  }
}
