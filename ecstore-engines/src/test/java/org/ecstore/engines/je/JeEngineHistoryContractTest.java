package org.ecstore.engines.je;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineHistoryContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.engines.je.JeTesting.LogEnd;
import org.junit.jupiter.api.io.TempDir;

/** A crash here is one of the machine: the log is cut somewhere behind what was synced. */
final class JeEngineHistoryContractTest extends EngineHistoryContractTest {
  @TempDir private Path root;
  private int lives;
  private LogEnd durable = new LogEnd("", 0);

  private Path directory() {
    return root.resolve("life" + lives);
  }

  @Override
  protected Engine open(Consumer<Event> sink) {
    JeEngine engine = JeEngine.open(directory(), JeTesting.SETTINGS, sink);
    synced(engine);
    return engine;
  }

  @Override
  protected void close(Engine engine) {
    ((JeEngine) engine).close();
  }

  @Override
  protected void synced(Engine engine) {
    durable = JeTesting.end(directory());
  }

  @Override
  protected void crash(Engine engine, RandomGenerator random) {
    Path before = directory();
    lives++;
    JeTesting.copy(before, directory());
    close(engine);
    LogEnd end = JeTesting.end(directory());
    boolean sameFile = end.file().equals(durable.file());
    long from = sameFile ? durable.offset() : 0;
    if (random.nextInt(4) > 0) {
      JeTesting.cut(directory(), new LogEnd(end.file(), random.nextLong(from, end.offset() + 1)));
    }
  }
}
