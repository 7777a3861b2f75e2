package org.ecstore.engines.je;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.ecstore.engines.je.JeTesting.LogEnd;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.junit.jupiter.api.io.TempDir;

/** A crash here is one of the machine: the log is cut somewhere behind what was synced. */
final class JeOrderedStoreContractTest extends OrderedStoreContract {
  @TempDir private Path root;
  private int lives;
  private LogEnd durable = new LogEnd("", 0);

  private Path directory() {
    return root.resolve("life" + lives);
  }

  @Override
  protected OrderedStore open() {
    return JeOrderedStore.open(directory(), JeTesting.SETTINGS);
  }

  @Override
  protected void synced(OrderedStore open) {
    durable = JeTesting.end(directory());
  }

  @Override
  protected void crash(OrderedStore crashing, RandomGenerator random) {
    Path before = directory();
    lives++;
    JeTesting.copy(before, directory());
    crashing.close();
    LogEnd end = JeTesting.end(directory());
    boolean sameFile = end.file().equals(durable.file());
    long from = sameFile ? durable.offset() : 0;
    if (random.nextInt(4) > 0) {
      JeTesting.cut(directory(), new LogEnd(end.file(), random.nextLong(from, end.offset() + 1)));
    }
  }
}
