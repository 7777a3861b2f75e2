package org.ecstore.tools.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.ecstore.client.EcStore;
import org.ecstore.client.QuorumRead;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.QuorumWrite;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.key.Tuple;
import org.ecstore.tools.torture.workload.Workload;
import org.ecstore.verify.check.Anomaly;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write and read single keys by quorums of copies (rule 13), beside those whose
 * transactions make the history, and on keys of their own. Each key has one writer, which counts
 * up, and readers; so a value says how new it is. With W + R &gt; N a read sees every write that
 * was known to be on W copies before it began, or a newer one, and never less than a read that
 * ended before it began; unless it says that it may be stale, which is counted. Safe for use by
 * several threads.
 */
public final class QuorumClients implements AutoCloseable {
  private static final int KEYS = 4;
  private static final long PAUSE_MILLIS = 50;

  /** Their keys are below zero; this one is the probes'. */
  private static final long FIRST_KEY = -2;

  private final QuorumStore store;
  private final LongSupplier nanos;
  private final List<Register> registers = new ArrayList<>();
  private final ClientThreads threads = new ClientThreads("by quorum", PAUSE_MILLIS);

  /** A write or a read that succeeded; the value is 0 if there was none. */
  private record Done(long value, long begun, long ended) {}

  /** One key, as long as it is known what was written to it. */
  static final class Register {
    private final Tuple key;
    private final Queue<Done> reached = new ConcurrentLinkedQueue<>();
    private final Queue<Done> reads = new ConcurrentLinkedQueue<>();

    /** When writes began, by value, whatever came of them. */
    private final Queue<Done> begun = new ConcurrentLinkedQueue<>();

    private long last;
    private long underReplicated;
    private final Queue<Done> unconfirmed = new ConcurrentLinkedQueue<>();

    Register(Tuple key) {
      this.key = key;
    }

    void began(long value, long at) {
      begun.add(new Done(value, at, at));
    }

    /** A write is known to be on W copies. */
    void reached(long value, long from, long to) {
      reached.add(new Done(value, from, to));
    }

    void read(long value, long from, long to) {
      reads.add(new Done(value, from, to));
    }

    /** A read that says that it may be stale. */
    void readUnconfirmed(long value, long from, long to) {
      unconfirmed.add(new Done(value, from, to));
    }

    /** What must not be. */
    List<Anomaly> check() {
      List<Anomaly> found = new ArrayList<>();
      TreeMap<Long, Done> written = newest(reached);
      TreeMap<Long, Done> seen = newest(reads);
      for (Done read : reads) {
        expect(found, "stale-quorum-read", read, written.lowerEntry(read.begun()));
        expect(found, "quorum-read-goes-back", read, seen.lowerEntry(read.begun()));
        expectBegun(found, read);
      }
      unconfirmed.forEach(read -> expectBegun(found, read));
      return found;
    }

    private void expectBegun(List<Anomaly> found, Done read) {
      if (read.value() != 0 && !began(read)) {
        found.add(new Anomaly("garbage-quorum-read", "key " + key + ": " + read));
      }
    }

    private boolean began(Done read) {
      return begun.stream()
          .anyMatch(one -> one.value() == read.value() && one.begun() < read.ended());
    }

    private void expect(
        List<Anomaly> found, String kind, Done read, Map.@Nullable Entry<Long, Done> before) {
      if (before != null && before.getValue().value() > read.value()) {
        found.add(new Anomaly(kind, "key " + key + ": " + read + " after " + before.getValue()));
      }
    }

    /** Of all that had ended at a moment, the newest. */
    private static TreeMap<Long, Done> newest(Queue<Done> all) {
      TreeMap<Long, Done> newest = new TreeMap<>();
      all.stream()
          .sorted(Comparator.comparingLong(Done::ended))
          .forEach(
              one -> {
                Map.Entry<Long, Done> before = newest.lastEntry();
                boolean newer = before == null || one.value() > before.getValue().value();
                newest.put(one.ended(), newer ? one : before.getValue());
              });
      return newest;
    }
  }

  /**
   * What they did.
   *
   * @param unconfirmed of the reads those that said that they may be stale
   */
  public record Counts(long writes, long underReplicated, long reads, long unconfirmed) {}

  /** Starts them, with a majority of so many copies for writes and for reads. */
  QuorumClients(EcStore store, int copies, LongSupplier nanos) {
    int majority = copies / 2 + 1;
    this.store = store.quorum(copies, majority, majority);
    this.nanos = nanos;
    for (int i = 0; i < KEYS; i++) {
      long bucket = (long) i * Workload.BUCKETS / KEYS;
      AtomicReference<Register> current = new AtomicReference<>(register(bucket, FIRST_KEY));
      threads.start("quorum-writer-" + i, () -> write(bucket, current));
      threads.start("quorum-reader-" + i, () -> read(current.get()));
    }
  }

  private synchronized Register register(long bucket, long key) {
    Register made = new Register(Tuple.of(bucket, key));
    registers.add(made);
    return made;
  }

  /** A write of unknown outcome may be made at any time: its key is not used again. */
  private void write(long bucket, AtomicReference<Register> current) {
    Register register = current.get();
    long value = ++register.last;
    long begun = nanos.getAsLong();
    register.began(value, begun);
    try {
      QuorumWrite done = store.put(Workload.TABLE, register.key, Long.toString(value));
      if (done.isUnderReplicated()) {
        register.underReplicated++;
      } else {
        register.reached(value, begun, nanos.getAsLong());
      }
    } catch (UnknownOutcomeException _) {
      current.set(register(bucket, FIRST_KEY - registersUsed()));
    }
  }

  private synchronized int registersUsed() {
    return registers.size();
  }

  private void read(Register register) {
    long begun = nanos.getAsLong();
    QuorumRead<String> read = store.get(Workload.TABLE, register.key);
    long value = read.value().map(Long::parseLong).orElse(0L);
    if (read.mayBeStale()) {
      register.readUnconfirmed(value, begun, nanos.getAsLong());
    } else {
      register.read(value, begun, nanos.getAsLong());
    }
  }

  /** What must not be, once they have ended. */
  synchronized List<Anomaly> anomalies() {
    List<Anomaly> all = new ArrayList<>(threads.anomalies());
    registers.forEach(register -> all.addAll(register.check()));
    return all;
  }

  synchronized Counts counts() {
    return new Counts(
        registers.stream().mapToLong(one -> one.reached.size() + one.underReplicated).sum(),
        registers.stream().mapToLong(one -> one.underReplicated).sum(),
        registers.stream().mapToLong(one -> one.reads.size() + one.unconfirmed.size()).sum(),
        registers.stream().mapToLong(one -> one.unconfirmed.size()).sum());
  }

  @Override
  public void close() {
    threads.close();
  }
}
