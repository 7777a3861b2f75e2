package org.ecstore.bench.load;

import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What was measured of a load. A closed loop counts what ended while it counted. An open loop
 * counts what was to begin then, whenever it ended; how much it did per second is what ended then.
 *
 * @param nanos how long it counted
 * @param latencies of what was done, in nanoseconds, by kind; in an open loop from when an
 *     operation was to begin
 * @param undone in an open loop, how long those had waited that had not begun when the run ended,
 *     in nanoseconds; else empty
 * @param due in an open loop, how many operations were to begin while it counted
 * @param ended how many operations were done while it counted
 * @param records read and written by them
 * @param aborts tries that did nothing and were followed by another
 * @param errors how often each kind of failure came; in an open loop, also of what was due before
 * @param serversNanos processor time of all servers
 * @param clientNanos processor time of this process
 * @param othersNanos processor time of everything else on the machine; absent if it does not say
 */
public record Measured(
    long nanos,
    Map<String, Histogram> latencies,
    Histogram undone,
    long due,
    long ended,
    long records,
    long aborts,
    Map<String, Long> errors,
    long serversNanos,
    long clientNanos,
    Optional<Long> othersNanos) {
  private static final double SECOND = 1e9;

  static Measured of(Tally tally, long nanos, Processors used) {
    return new Measured(
        nanos,
        Map.copyOf(tally.latencies),
        tally.undone,
        tally.due,
        tally.ended,
        tally.records,
        tally.aborts,
        Map.copyOf(tally.errors),
        used.serversNanos(),
        used.clientNanos(),
        used.machineNanos().map(all -> all - used.serversNanos() - used.clientNanos()));
  }

  /**
   * Latencies of all kinds together, in nanoseconds; what was not done took as long as it had
   * waited at least.
   */
  public Histogram latency() {
    Histogram all = Tally.histogram();
    all.add(undone);
    latencies.values().forEach(all::add);
    return all;
  }

  /** How many operations were done. */
  public long operations() {
    return latencies.values().stream().mapToLong(Histogram::getTotalCount).sum();
  }

  /** Operations done per second. */
  public double perSecond() {
    return ended * SECOND / nanos;
  }

  /** Records read and written per second. */
  public double recordsPerSecond() {
    return records * SECOND / nanos;
  }

  /** How many operations failed. */
  public long failed() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Processor seconds of all servers for a thousand operations; 0 if there was none. */
  public double serverSecondsPer1000() {
    return per1000(serversNanos);
  }

  /** Processor seconds of the clients for a thousand operations; 0 if there was none. */
  public double clientSecondsPer1000() {
    return per1000(clientNanos);
  }

  private double per1000(long spent) {
    return ended == 0 ? 0 : spent / SECOND * 1000 / ended;
  }
}
