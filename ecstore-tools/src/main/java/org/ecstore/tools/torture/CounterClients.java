package org.ecstore.tools.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Table;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.verify.check.Anomaly;

/**
 * Clients that add to counters without reading them (rule 28), beside those whose transactions make
 * the history. A transaction adds 1 to the counter of its client and 1 to one that all have, far
 * from it: so what all have is the sum of the others at each snapshot; and a strong read sees every
 * addition that was acknowledged before it began, and none that had not begun when it ended. Safe
 * for use by several threads.
 */
public final class CounterClients implements AutoCloseable {
  private static final Table<Long> TABLE = Table.of("torture-counters", Codec.longs());
  private static final int CLIENTS = 4;
  private static final long PAUSE_MILLIS = 20;
  private static final Tuple OF_ALL = Tuple.of("all");

  private final EcStore store;
  private final LongSupplier nanos;
  private final Judge judge = new Judge();
  private final ClientThreads threads = new ClientThreads("at counters", PAUSE_MILLIS);

  /** What they did: additions that were acknowledged, and reads of all counters. */
  public record Counts(long adds, long unknown, long reads) {}

  /** What was done, and what follows from it. Safe for use by several threads. */
  static final class Judge {
    private record Span(long begun, long ended) {}

    private record Seen(long ofAll, long sum, Span span) {}

    private final Queue<Span> adds = new ConcurrentLinkedQueue<>();
    private final Queue<Span> unknown = new ConcurrentLinkedQueue<>();
    private final Queue<Seen> reads = new ConcurrentLinkedQueue<>();

    void added(long begun, long ended) {
      adds.add(new Span(begun, ended));
    }

    /** It may be added at any time, also after a while. */
    void mayHaveAdded(long begun, long ended) {
      unknown.add(new Span(begun, ended));
    }

    void read(long ofAll, long sum, long begun, long ended) {
      reads.add(new Seen(ofAll, sum, new Span(begun, ended)));
    }

    Counts counts() {
      return new Counts(adds.size(), unknown.size(), reads.size());
    }

    /** What must not be. */
    List<Anomaly> check() {
      List<Anomaly> found = new ArrayList<>();
      long[] ended = adds.stream().mapToLong(Span::ended).sorted().toArray();
      long[] begun = adds.stream().mapToLong(Span::begun).sorted().toArray();
      long[] unknownBegun = unknown.stream().mapToLong(Span::begun).sorted().toArray();
      for (Seen read : reads) {
        if (read.ofAll() != read.sum()) {
          found.add(new Anomaly("torn-counters", "all is not the sum of the others: " + read));
        }
        long least = below(ended, read.span().begun());
        long most = below(begun, read.span().ended()) + below(unknownBegun, read.span().ended());
        if (read.ofAll() < least) {
          found.add(new Anomaly("lost-addition", least + " were acknowledged before " + read));
        } else if (read.ofAll() > most) {
          found.add(
              new Anomaly("repeated-addition", most + " had begun before the end of " + read));
        }
      }
      return found;
    }

    private static long below(long[] sorted, long moment) {
      int low = 0;
      int high = sorted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] < moment) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** Starts them. */
  CounterClients(EcStore store, LongSupplier nanos) {
    this.store = store;
    this.nanos = nanos;
    for (int i = 0; i < CLIENTS; i++) {
      Tuple own = own(i);
      threads.start("counter-client-" + i, () -> add(own));
    }
    threads.start("counter-reader", this::read);
  }

  private static Tuple own(int client) {
    return Tuple.of("own", client);
  }

  private void add(Tuple own) {
    long begun = nanos.getAsLong();
    try (ManualTransaction tx = store.begin()) {
      tx.add(TABLE, own, 1);
      tx.add(TABLE, OF_ALL, 1);
      tx.commit();
      judge.added(begun, nanos.getAsLong());
    } catch (UnknownOutcomeException _) {
      judge.mayHaveAdded(begun, nanos.getAsLong());
    }
  }

  private void read() {
    List<Tuple> keys = new ArrayList<>(List.of(OF_ALL));
    for (int i = 0; i < CLIENTS; i++) {
      keys.add(own(i));
    }
    long begun = nanos.getAsLong();
    Map<Tuple, Long> seen =
        store.session().with(ReadLevel.STRONG).read(at -> at.getAll(TABLE, keys));
    long ofAll = seen.getOrDefault(OF_ALL, 0L);
    long sum = seen.values().stream().mapToLong(Long::longValue).sum() - ofAll;
    judge.read(ofAll, sum, begun, nanos.getAsLong());
  }

  /** Reads all once more, when what was away is back; they must have ended. */
  void readOnceMore() {
    read();
  }

  /** What must not be, once they have ended. */
  List<Anomaly> anomalies() {
    List<Anomaly> all = new ArrayList<>(threads.anomalies());
    all.addAll(judge.check());
    return all;
  }

  Counts counts() {
    return judge.counts();
  }

  @Override
  public void close() {
    threads.close();
  }
}
