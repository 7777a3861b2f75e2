package org.ecstore.bench.peer;

import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.server.process.NodeResources;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EcStoreContractTest extends BenchDbContract {
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
}
