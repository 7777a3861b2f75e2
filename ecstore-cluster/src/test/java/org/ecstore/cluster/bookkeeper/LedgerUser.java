package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.testing.Pause;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/** A node that uses a ledger, on the thread of a test. */
final class LedgerUser {
  private static final long RESULT_SECONDS = 60;

  /** Of reads and fences that failed: where bookies are busy, some do, and may be tried again. */
  private static final int TRIES = 20;

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

  final BookKeeperLedger service;
  final Ledger ledger;
  private final Map<Long, LedgerResult> results = new LinkedHashMap<>();
  private long tokens;

  LedgerUser(BookKeeperLedger service, int node) {
    this.service = service;
    this.ledger = service.handle(new NodeId(node), this::on);
  }

  private void on(Event event) {
    Event.LedgerDone done = (Event.LedgerDone) event;
    synchronized (results) {
      results.put(done.token(), done.result());
      results.notifyAll();
    }
  }

  LedgerResult await(long token) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RESULT_SECONDS);
    synchronized (results) {
      while (!results.containsKey(token)) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("no result of call " + token);
        }
        results.wait(left);
      }
      return results.get(token);
    }
  }

  boolean isDone(long token) {
    synchronized (results) {
      return results.containsKey(token);
    }
  }

  long beginFence() {
    long token = ++tokens;
    ledger.fence(token);
    return token;
  }

  LedgerResult tryFence() throws InterruptedException {
    return await(beginFence());
  }

  LedgerResult.Fenced fence() throws InterruptedException {
    LedgerResult result = tryFence();
    for (int again = 0; result instanceof LedgerResult.Failed && again < TRIES; again++) {
      Pause.of(BETWEEN_TRIES);
      result = tryFence();
    }
    return assertInstanceOf(LedgerResult.Fenced.class, result);
  }

  long beginAppend(LedgerEntry entry) {
    long token = ++tokens;
    ledger.append(token, entry);
    return token;
  }

  LedgerResult append(LedgerEntry entry) throws InterruptedException {
    return await(beginAppend(entry));
  }

  LedgerResult tryRead(long from, int bytesMax) throws InterruptedException {
    long token = ++tokens;
    ledger.read(token, new Position(from), bytesMax);
    return await(token);
  }

  LedgerResult.Entries read(long from, int bytesMax) throws InterruptedException {
    LedgerResult result = tryRead(from, bytesMax);
    for (int again = 0; result instanceof LedgerResult.Failed && again < TRIES; again++) {
      Pause.of(BETWEEN_TRIES);
      result = tryRead(from, bytesMax);
    }
    return assertInstanceOf(LedgerResult.Entries.class, result);
  }

  List<LedgerEntry> readAll(long from) throws InterruptedException {
    List<LedgerEntry> all = new ArrayList<>();
    long next = from;
    while (true) {
      List<LedgerEntry> some = read(next, 100_000).entries();
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
      next = some.getLast().last().value() + 1;
    }
  }

  LedgerResult.TrimDone trim(long below) throws InterruptedException {
    long token = ++tokens;
    ledger.trim(token, new Position(below));
    return assertInstanceOf(LedgerResult.TrimDone.class, await(token));
  }

  static LedgerEntry entry(long first, String text) {
    return new LedgerEntry(new Position(first), List.of(Bytes.utf8(text)));
  }

  static LedgerEntry filled(long first, int bytes) {
    byte[] array = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      array[i] = (byte) (i * 31L + first);
    }
    return new LedgerEntry(new Position(first), List.of(Bytes.wrap(array)));
  }
}
