package org.ecstore.engines.redis;

import io.lettuce.core.RedisException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.HeldDirectory;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.Ownership;
import org.ecstore.engines.store.RowPage;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreDirectory;
import org.ecstore.engines.store.StoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * The {@link OrderedStore} in the memory of a Redis server: a sorted set of keys, all with score 0,
 * and a hash of rows. It does not persist. Each call is a script, or several, and each of these
 * looks first whose the store is, how often it was written to and how many rows and metadata
 * entries it has: a server that was restarted, flushed or put back to an older state never answers
 * as if it had all (rule W10).
 */
public final class RedisStore implements OrderedStore {
  private static final StoreDirectory.Format FORMAT = new StoreDirectory.Format(RedisKind.NAME, 1);
  private static final int PAGE_ROWS_MAX = 1_000;
  private static final int PAGE_BYTES_MAX = 1 << 20;
  private static final int SAMPLE_ROWS = 32;
  private static final int CLEARED_MAX = 1_000;

  private final HeldDirectory directory;
  private final RedisServer server;
  private final RedisServer.Line reading;
  private final RedisServer.Line writing;
  private final Ownership ownership;
  private final byte[][] keys;
  private volatile boolean closed;

  private RedisStore(
      HeldDirectory directory, RedisServer server, byte[][] keys, Ownership ownership) {
    this.directory = directory;
    this.server = server;
    this.reading = server.new Line();
    this.writing = server.new Line();
    this.keys = keys;
    this.ownership = ownership;
  }

  /**
   * Opens the store of a directory, which is created if need be, and takes it over from the
   * instance that had it.
   *
   * @throws org.ecstore.engines.EngineLockedException if the directory is in use
   * @throws EngineOpenException if it cannot be opened: of another kind, a server that does not
   *     answer or is not set as it must be, rows of another store
   */
  public static RedisStore open(Path directory, RedisSettings settings) {
    HeldDirectory held = HeldDirectory.takeUnclaimed(directory, FORMAT);
    boolean opened = false;
    RedisServer server = null;
    try {
      server = new RedisServer(settings);
      byte[][] keys = keys(settings.server().store());
      Ownership ownership = takenOver(server, keys, held.identity());
      held.claim();
      RedisStore store = new RedisStore(held, server, keys, ownership);
      opened = true;
      return store;
    } catch (RedisException | StoreException | IllegalArgumentException e) {
      throw new EngineOpenException(
          directory,
          "cannot open the store "
              + settings.server().store()
              + " of "
              + directory
              + " at its server: "
              + RedisServer.words(e),
          e);
    } finally {
      if (!opened) {
        if (server != null) {
          server.close();
        }
        held.close();
      }
    }
  }

  /** The braces have a server of several parts keep them in one. */
  private static byte[][] keys(String store) {
    String prefix = "ecstore:{" + store + "}:";
    return new byte[][] {
      text(prefix + "owner"),
      text(prefix + "keys"),
      text(prefix + "rows"),
      text(prefix + "metadata")
    };
  }

  private static Ownership takenOver(RedisServer server, byte[][] keys, UUID identity) {
    try (RedisServer.Line line = server.new Line()) {
      line.checkRelease();
      line.checkKeepsAll();
      String token = UUID.randomUUID().toString();
      List<Object> said = line.run(Script.OWN, keys, text(identity.toString()), text(token));
      if (!said.getFirst().equals(1L)) {
        throw new StoreException(
            StoreException.Reason.UNAVAILABLE,
            "its rows are those of another directory's store ("
                + string(said.get(1))
                + "). If a node of another cluster has them, give this cluster another server or"
                + " cluster.name; if they are this node's, restore its directory; delete "
                + Arrays.stream(keys).map(RedisStore::string).collect(Collectors.joining(", "))
                + ", so that the node fills its copies anew, only if the directory they are of is"
                + " gone for good");
      }
      return new Ownership(token, (Long) said.get(1));
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] text(long number) {
    return text(Long.toString(number));
  }

  private static String string(Object said) {
    return new String((byte[]) said, StandardCharsets.UTF_8);
  }

  @Override
  public EngineTraits profile() {
    return RedisKind.TRAITS;
  }

  // Reads.

  @Override
  public List<Optional<Row>> get(List<Bytes> asked, int bytesMax) {
    return call(
        "read",
        () -> {
          List<Optional<Row>> found = new ArrayList<>(asked.size());
          long bytes = 0;
          while (found.size() < asked.size() && bytes < bytesMax) {
            int to = Math.min(asked.size(), found.size() + PAGE_ROWS_MAX);
            List<Bytes> some = asked.subList(found.size(), to);
            List<byte[]> arguments = new ArrayList<>();
            arguments.add(text(Math.min(bytesMax - bytes, PAGE_BYTES_MAX)));
            some.forEach(key -> arguments.add(key.array()));
            List<Object> said = read(Script.GET, arguments);
            for (int i = 1; i < said.size(); i++) {
              Bytes key = some.get(i - 1);
              Optional<Row> row =
                  Optional.ofNullable((byte[]) said.get(i))
                      .map(stored -> StoredRow.row(key, stored));
              found.add(row);
              bytes += row.map(each -> key.length() + each.value().length()).orElse(0);
            }
          }
          return found;
        });
  }

  @Override
  public EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    return call(
        "scan",
        () -> {
          RowPage page = new RowPage(bounds);
          byte[] start = StoredRow.start(interval);
          byte[] end = StoredRow.end(interval);
          boolean more = true;
          while (more && !page.isFull()) {
            List<Object> said =
                read(
                    Script.SCAN,
                    List.of(
                        start,
                        end,
                        flag(bounds.reverse()),
                        text(Math.min(page.recordsLeft(), PAGE_ROWS_MAX)),
                        text(Math.min(page.bytesLeft(), PAGE_BYTES_MAX)),
                        flag(bounds.keysOnly())));
            more = !said.get(1).equals(1L);
            byte[] last = new byte[0];
            for (int i = 2; i < said.size(); i += 2) {
              last = (byte[]) said.get(i);
              page.add(StoredRow.row(Bytes.wrap(last), (byte[]) said.get(i + 1)));
            }
            byte[] behind = Bytes.of('(').concat(Bytes.wrap(last)).array();
            start = bounds.reverse() ? start : behind;
            end = bounds.reverse() ? behind : end;
          }
          return page.result();
        });
  }

  private static byte[] flag(boolean is) {
    return text(is ? "1" : "0");
  }

  @Override
  public List<MetadataEntry> metadata() {
    return call(
        "read",
        () -> {
          List<Object> said = read(Script.METADATA, List.of());
          List<MetadataEntry> entries = new ArrayList<>();
          for (int i = 1; i < said.size(); i += 2) {
            entries.add(
                new MetadataEntry(
                    Bytes.wrap((byte[]) said.get(i)),
                    Optional.of(Bytes.wrap((byte[]) said.get(i + 1)))));
          }
          entries.sort(Comparator.comparing(MetadataEntry::name));
          return entries;
        });
  }

  @Override
  public EngineResult.Size size(KeyRange interval) {
    return call(
        "size",
        () -> {
          List<Object> said = sized(interval);
          long rows = (Long) said.get(1);
          long looks = (Long) said.get(2);
          long bytes = (Long) said.get(3);
          return new EngineResult.Size(
              rows, looks == 0 ? 0 : Math.round((double) bytes * rows / looks));
        });
  }

  @Override
  public Optional<Bytes> middle(KeyRange interval) {
    return call(
        "middle",
        () -> {
          List<Object> said = sized(interval);
          return (Long) said.get(1) < 2
              ? Optional.empty()
              : Optional.of(Bytes.wrap((byte[]) said.get(4)));
        });
  }

  private List<Object> sized(KeyRange interval) {
    return read(
        Script.SIZE,
        List.of(StoredRow.start(interval), StoredRow.end(interval), text(SAMPLE_ROWS)));
  }

  private List<Object> read(Script script, List<byte[]> arguments) {
    // What others write while this is under way may be counted already.
    return checked(
        reading.run(script, keys, fenced(ownership.confirmed(), Long.MAX_VALUE >> 11, arguments)));
  }

  private byte[][] fenced(long least, long greatest, List<byte[]> arguments) {
    List<byte[]> all = new ArrayList<>();
    all.add(text(ownership.token()));
    all.add(text(least));
    all.add(text(greatest));
    all.addAll(arguments);
    return all.toArray(byte[][]::new);
  }

  private List<Object> checked(List<Object> said) {
    if (!said.getFirst().equals(1L)) {
      throw ownership.lose(string(said.get(1)));
    }
    return said;
  }

  // Changes.

  @Override
  public void write(StoreBatch batch) {
    call(
        "write",
        () -> {
          for (WriteStep step : WriteStep.of(batch)) {
            change(Script.WRITE, step.arguments());
          }
          return true;
        });
  }

  @Override
  public void clear(KeyRange interval) {
    call(
        "clear",
        () -> {
          long cleared = CLEARED_MAX;
          while (cleared == CLEARED_MAX) {
            List<Object> said =
                change(
                    Script.CLEAR,
                    List.of(StoredRow.start(interval), StoredRow.end(interval), text(CLEARED_MAX)));
            cleared = (Long) said.get(1);
          }
          return true;
        });
  }

  /** Nothing is durable here: whether the server still has what it was given. */
  @Override
  public void sync() {
    call(
        "sync",
        () -> {
          writing.checkKeepsAll();
          return change(Script.WRITE, WriteStep.NOTHING.arguments());
        });
  }

  private List<Object> change(Script script, List<byte[]> arguments) {
    long confirmed = ownership.confirmed();
    long told = ownership.told();
    long next = ownership.next();
    List<byte[]> all = new ArrayList<>();
    all.add(text(next));
    all.addAll(arguments);
    boolean done = false;
    try {
      List<Object> said = checked(writing.run(script, keys, fenced(confirmed, told, all)));
      ownership.confirm(next);
      done = true;
      return said;
    } finally {
      if (!done) {
        writing.drop();
      }
    }
  }

  private <T> T call(String what, Supplier<T> work) {
    if (closed) {
      throw new StoreException(StoreException.Reason.UNAVAILABLE, "the store is closed");
    }
    ownership.check();
    try {
      return work.get();
    } catch (RedisException e) {
      throw server.failed(what, e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    reading.close();
    writing.close();
    server.close();
    directory.close();
  }
}
