package org.ecstore.engines.je;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.window.ReadThreads;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * The {@link Engine} on Berkeley DB Java Edition. Versions are part of the key ({@link
 * VersionKey}), so that a snapshot read is one seek and a scan a walk over one ordered database. A
 * thread of its own changes the store, a few others read; results go to the sink on those threads.
 * Calls may come from any thread, batches count as submitted in the order of their calls.
 *
 * <p>A volume without room fails batches with {@code outOfSpace}, while reads go on; as soon as
 * there is room, batches succeed again. See {@link JeSettings} for what is bounded.
 */
public final class JeEngine implements OpenEngine {

  /** Reads of more than this are not such as others can wait for. */
  private static final int KEYS_OF_SHORT = 64;

  private static final int RECORDS_OF_SHORT = 128;

  private final Path directory;
  private final JeAccess access;
  private final JeWriter writer;
  private final ReadThreads readers;
  private final Consumer<Event> sink;
  private final BooleanSupplier room;

  private JeEngine(
      Path directory, JeSettings settings, Consumer<Event> sink, BooleanSupplier room) {
    this.directory = directory;
    this.sink = sink;
    this.room = room;
    this.access = new JeAccess(directory, settings);
    String name = "je-" + directory.getFileName();
    this.writer = new JeWriter(name + "-writer", access, settings, this::deliver);
    this.readers =
        new ReadThreads(
            name + "-reader-",
            settings.readers(),
            settings.readsMax(),
            settings.readWaitNanos(),
            sink);
  }

  /**
   * Opens the engine of a directory, which is created if need be.
   *
   * @param sink gets every result; called by the engine's threads
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws org.ecstore.engines.EngineOpenException if it cannot be opened: a corrupt log, an I/O
   *     error
   */
  public static JeEngine open(Path directory, JeSettings settings, Consumer<Event> sink) {
    return open(directory, settings, sink, () -> true);
  }

  /**
   * As above, with a limit of what is read.
   *
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much. Called by the threads that read, just before they do
   */
  public static JeEngine open(
      Path directory, JeSettings settings, Consumer<Event> sink, BooleanSupplier room) {
    Path real = OpenDirectories.take(directory);
    try {
      JeEngine engine = new JeEngine(real, settings, sink, room);
      engine.writer.start();
      return engine;
    } catch (RuntimeException e) {
      OpenDirectories.release(real);
      throw e;
    }
  }

  /** Completes what was submitted, syncs and closes. Calls from then on fail. */
  @Override
  public void close() {
    readers.stop();
    writer.close();
    access.close();
    OpenDirectories.release(directory);
  }

  @Override
  public List<MetadataEntry> metadataNow() {
    EngineResult result = access.read(JeStore::metadata);
    if (result instanceof EngineResult.Metadata metadata) {
      return metadata.metadata();
    }
    throw new EngineOpenException(directory, "cannot read the metadata of the engine: " + result);
  }

  private void deliver(long token, EngineResult result) {
    sink.accept(new Event.EngineDone(token, result));
  }

  /** The way to the store, for tests that break it. */
  JeAccess access() {
    return access;
  }

  @Override
  public EngineTraits profile() {
    return JeOrderedStore.TRAITS;
  }

  private void submit(long token, boolean isLong, Function<JeStore, EngineResult> read) {
    ReadThreads.Read work =
        new ReadThreads.Read(
            isLong,
            System.nanoTime(),
            () -> answer(token, read),
            () ->
                new Event.EngineDone(
                    token, new EngineResult.Overloaded("it waited too long in the engine")));
    if (!readers.submit(work)) {
      deliver(
          token,
          readers.isStopping()
              ? new EngineResult.Failed(false, "the engine is closed")
              : new EngineResult.Overloaded("too many reads are waiting in the engine"));
    }
  }

  private Event answer(long token, Function<JeStore, EngineResult> read) {
    EngineResult result;
    try {
      result = access.read(read);
    } catch (Error e) {
      deliver(token, JeAccess.failedBy(e));
      throw e;
    }
    if (result instanceof EngineResult.Failed && !access.isValid()) {
      writer.reopenSoon();
    }
    return new Event.EngineDone(token, result);
  }

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    List<Bytes> asked = List.copyOf(keys);
    submit(
        token,
        asked.size() > KEYS_OF_SHORT,
        store -> hasRoom(() -> store.reads().read(asked, at, bytesMax)));
  }

  private EngineResult hasRoom(Supplier<EngineResult> read) {
    return room.getAsBoolean()
        ? read.get()
        : new EngineResult.Overloaded("what was read before waits for those who asked for it");
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    submit(
        token,
        spec.recordsMax() > RECORDS_OF_SHORT,
        store -> hasRoom(() -> store.reads().scan(spec)));
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    List<Bytes> askedKeys = List.copyOf(keys);
    List<KeyRange> askedIntervals = List.copyOf(intervals);
    submit(
        token,
        askedKeys.size() > KEYS_OF_SHORT || !askedIntervals.isEmpty(),
        store -> store.reads().newest(askedKeys, askedIntervals, above));
  }

  @Override
  public void middle(long token, KeyRange keys) {
    submit(token, true, store -> store.reads().middle(keys));
  }

  @Override
  public void size(long token, KeyRange keys) {
    submit(token, true, store -> store.reads().size(keys));
  }

  @Override
  public void metadata(long token) {
    submit(token, true, JeStore::metadata);
  }

  @Override
  public void apply(long token, EngineBatch batch) {
    writer.apply(token, batch);
  }

  @Override
  public void load(long token, List<Row> rows) {
    List<VersionedWrite> writes = rows.stream().map(VersionedWrite::of).toList();
    writer.apply(token, new EngineBatch(writes, List.of()));
  }

  @Override
  public void restore(KeyRange keys, Position folded, Position folding) {}

  @Override
  public void sync(long token) {
    writer.sync(token);
  }

  @Override
  public void prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) {
    writer.prune(token, keys, floor, tombstoneFloor);
  }

  @Override
  public void clear(long token, KeyRange keys) {
    writer.clear(token, keys);
  }
}
