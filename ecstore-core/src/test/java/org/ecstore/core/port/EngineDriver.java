package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * Calls an {@link Engine} in the plain way of a test: submits, waits for the result of that token.
 * Plays the event loop: results are taken from its inbox one at a time, and only then count as
 * delivered.
 */
public final class EngineDriver implements Consumer<Event> {
  private static final long PATIENCE_SECONDS = 60;

  private final LinkedBlockingQueue<Event.EngineDone> inbox = new LinkedBlockingQueue<>();
  private final Map<Long, EngineResult> results = new LinkedHashMap<>();
  private final List<Long> arrivals = new ArrayList<>();
  private final Runnable advance;
  private Engine engine;
  private long lastToken;

  /**
   * A driver of the engine that {@code open} makes.
   *
   * @param advance lets an engine without threads of its own complete one call; else does nothing
   */
  @SuppressWarnings("this-escape")
  public EngineDriver(
      java.util.function.Function<Consumer<Event>, ? extends Engine> open, Runnable advance) {
    this.advance = advance;
    this.engine = open.apply(this);
  }

  /** Takes a result in; thread-safe. */
  @Override
  public void accept(Event event) {
    inbox.add(assertInstanceOf(Event.EngineDone.class, event));
  }

  /** The engine driven. */
  public Engine engine() {
    return engine;
  }

  /** Goes on with another engine; results of the former one are forgotten. */
  public void replace(Engine other) {
    engine = other;
    inbox.clear();
    results.clear();
  }

  /** Tokens in the order in which their results were delivered. */
  public List<Long> arrivals() {
    return arrivals;
  }

  /** A token not used before. */
  public long nextToken() {
    return ++lastToken;
  }

  /** Delivers one more result and returns its token. */
  public long deliverOne() {
    advance.run();
    try {
      Event.EngineDone done = inbox.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(done, "no result within patience");
      assertTrue(
          done.token() > 0 && done.token() <= lastToken, () -> "unknown token " + done.token());
      assertEquals(
          null, results.put(done.token(), done.result()), () -> "second result " + done.token());
      arrivals.add(done.token());
      return done.token();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the result of a token was delivered. */
  public boolean isDelivered(long token) {
    return results.containsKey(token);
  }

  /** Waits for the result of a token. */
  public EngineResult await(long token) {
    while (!results.containsKey(token)) {
      deliverOne();
    }
    return assertInstanceOf(EngineResult.class, results.get(token));
  }

  /** Waits for the result of a token and forgets it: for long runs. */
  public EngineResult take(long token) {
    EngineResult result = await(token);
    results.remove(token);
    arrivals.clear();
    return result;
  }

  private <T extends EngineResult> T await(long token, Class<T> type) {
    return assertInstanceOf(type, await(token));
  }

  /** Submits a batch and returns its token. */
  public long submit(Engine.EngineBatch batch) {
    long token = nextToken();
    engine.apply(token, batch);
    return token;
  }

  /** Applies a batch. */
  public void apply(Engine.EngineBatch batch) {
    await(submit(batch), EngineResult.Applied.class);
  }

  /** Applies writes. */
  public void write(Engine.VersionedWrite... writes) {
    apply(new Engine.EngineBatch(List.of(writes), List.of()));
  }

  /** Puts UTF-8 texts. */
  public void put(String key, long version, String value) {
    write(
        new Engine.VersionedWrite(
            Bytes.utf8(key), new Position(version), Optional.of(Bytes.utf8(value))));
  }

  /** Writes a tombstone. */
  public void delete(String key, long version) {
    write(new Engine.VersionedWrite(Bytes.utf8(key), new Position(version), Optional.empty()));
  }

  /** Reads keys. */
  public List<Optional<Row>> read(List<Bytes> keys, Position at) {
    long token = nextToken();
    engine.read(token, keys, at);
    return await(token, EngineResult.Found.class).rows();
  }

  /** Reads keys up to a limit of bytes. */
  public List<Optional<Row>> read(List<Bytes> keys, Position at, int bytesMax) {
    long token = nextToken();
    engine.read(token, keys, at, bytesMax);
    return await(token, EngineResult.Found.class).rows();
  }

  /** The value of one key, both as texts. */
  public Optional<String> read(String key, long at) {
    return read(List.of(Bytes.utf8(key)), new Position(at))
        .getFirst()
        .map(row -> row.value().toUtf8());
  }

  /** Scans. */
  public EngineResult.Rows scan(Engine.ScanSpec spec) {
    long token = nextToken();
    engine.scan(token, spec);
    return await(token, EngineResult.Rows.class);
  }

  /** Scans a whole interval without limits. */
  public List<Row> scanAll(KeyRange interval, Position at, boolean reverse, boolean keysOnly) {
    EngineResult.Rows rows =
        scan(
            new Engine.ScanSpec(
                interval, at, reverse, Integer.MAX_VALUE, Integer.MAX_VALUE, keysOnly));
    assertTrue(rows.complete(), "no limit was reached");
    return rows.rows();
  }

  /** Asks for something newer. */
  public Optional<EngineResult.KeyVersion> newest(
      List<Bytes> keys, List<KeyRange> intervals, Position above) {
    long token = nextToken();
    engine.newest(token, keys, intervals, above);
    return await(token, EngineResult.Newer.class).first();
  }

  /** Makes durable what was delivered. */
  public void sync() {
    long token = nextToken();
    engine.sync(token);
    await(token, EngineResult.Synced.class);
  }

  /** Folds an interval; the number of keys that lost versions. */
  public int fold(KeyRange keys, long readable, long through) {
    long token = nextToken();
    engine.fold(token, keys, new Position(readable), new Position(through));
    return await(token, EngineResult.Folded.class).keys();
  }

  /** Clears an interval. */
  public void clear(KeyRange keys) {
    long token = nextToken();
    engine.clear(token, keys);
    await(token, EngineResult.Applied.class);
  }

  /** A middle key. */
  public Optional<Bytes> middle(KeyRange keys) {
    long token = nextToken();
    engine.middle(token, keys);
    return await(token, EngineResult.Middle.class).key();
  }

  /** How much there is. */
  public EngineResult.Size size(KeyRange keys) {
    long token = nextToken();
    engine.size(token, keys);
    return await(token, EngineResult.Size.class);
  }

  /** All metadata. */
  public List<Engine.MetadataEntry> metadata() {
    long token = nextToken();
    engine.metadata(token);
    return await(token, EngineResult.Metadata.class).metadata();
  }
}
