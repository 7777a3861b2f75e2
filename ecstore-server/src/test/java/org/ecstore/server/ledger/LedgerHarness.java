package org.ecstore.server.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DirectoryLock;

/** Drives a ledger store from one test thread: calls, and their results in the order they came. */
public final class LedgerHarness {
  public static final UUID CLUSTER = new UUID(1, 2);

  /** Small segments, small tail cache: a few entries go through all paths. */
  static final LedgerSettings SMALL = new LedgerSettings(16 << 10, 64 << 10, 64 << 20, 1000, 4096);

  private final LinkedBlockingQueue<Event.LedgerDone> events = new LinkedBlockingQueue<>();
  private final List<Event.LedgerDone> seen = new ArrayList<>();
  private final Ledger ledger;
  private long tokens;

  /** A store on a simulated disk; the directory is only there to be locked. */
  static LocalLedgerStore open(Path directory, SimulatedDisk disk, Notes notes) throws IOException {
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      return LocalLedgerStore.open(lock, disk, CLUSTER, SMALL, notes);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  public LedgerHarness(LocalLedgerStore store, long node) {
    ledger =
        store.handle(
            new NodeId(node),
            event -> {
              if (event instanceof Event.LedgerDone done) {
                events.add(done);
              }
            });
  }

  long begin(Consumer<Long> call) {
    call.accept(++tokens);
    return tokens;
  }

  LedgerResult await(long token) {
    while (true) {
      for (Event.LedgerDone done : seen) {
        if (done.token() == token) {
          return done.result();
        }
      }
      seen.add(next(events));
    }
  }

  /** For long runs: the result, of which nothing is kept. */
  LedgerResult awaitAndForget(long token) {
    LedgerResult result = await(token);
    seen.removeIf(done -> done.token() == token);
    return result;
  }

  /** The next event; the bound is only there so that a broken build ends. */
  static <E> E next(LinkedBlockingQueue<E> events) {
    try {
      E event = events.poll(60, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no event comes");
      }
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for another thread; the bound is only there so that a broken build ends. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("no thread goes on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public LedgerResult fence() {
    return await(begin(ledger::fence));
  }

  long beginAppend(LedgerEntry entry) {
    return begin(token -> ledger.append(token, entry));
  }

  public LedgerResult append(LedgerEntry entry) {
    return await(beginAppend(entry));
  }

  public LedgerResult read(long from, int bytesMax) {
    return await(begin(token -> ledger.read(token, new Position(from), bytesMax)));
  }

  public LedgerResult trim(long below) {
    return await(begin(token -> ledger.trim(token, new Position(below))));
  }

  /** Every entry from a position on. */
  public List<LedgerEntry> readAll(long from) {
    List<LedgerEntry> all = new ArrayList<>();
    long next = from;
    while (true) {
      LedgerResult result = read(next, 20_000);
      if (!(result instanceof LedgerResult.Entries some)) {
        throw new AssertionError("cannot read from " + next + ": " + result);
      }
      if (some.entries().isEmpty()) {
        return all;
      }
      all.addAll(some.entries());
      next = some.entries().getLast().last().value() + 1;
    }
  }

  /** An entry of one record, its content told by its position. */
  public static LedgerEntry entry(long position, int bytes) {
    byte[] record = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      record[i] = (byte) (1 + Math.floorMod(position * 131 + i * 7L, 250));
    }
    return new LedgerEntry(new Position(position), List.of(Bytes.wrap(record)));
  }

  static void close(LocalLedgerStore store) {
    try {
      store.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Remembers what the operator was told. */
  public static final class Notes implements OperatorLog {
    private final List<String> warnings = new ArrayList<>();

    @Override
    public void info(String text) {}

    @Override
    public synchronized void warn(String text) {
      warnings.add(text);
    }

    public synchronized List<String> warnings() {
      return List.copyOf(warnings);
    }
  }
}
