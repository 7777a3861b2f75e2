package org.ecstore.txn.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.jspecify.annotations.Nullable;

/**
 * What applications may have of this node, by token buckets, and what they have had. Of an
 * application that is limited no more operations are taken than that; of one that is owed so many,
 * what is beyond is refused where the node has too much to do. All others are taken as they come.
 *
 * <p>Operations are reads, pages of scans and commits, each by the table of its first key. Costs
 * nothing while no application has an objective.
 */
public final class ApplicationLimits {
  /** How often a node says what it has taken, in seconds. */
  public static final int TOLD_SECONDS = 5;

  /** What can be saved up: a tenth of a second's operations, so that clients need not be even. */
  private static final long BURSTS_PER_SECOND = 10;

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final int RETRY_MILLIS_MIN = 10;
  private static final int RETRY_MILLIS_MAX = 1_000;

  /** Connections whose application is known; of more it is as if they said none. */
  private static final int CONNECTIONS_MAX = 100_000;

  private static final class Limited {
    private final ServiceLimit limit;
    private final Optional<RateBucket> cap;
    private final Optional<RateBucket> promised;
    private long count;

    Limited(ServiceLimit limit) {
      this.limit = limit;
      this.cap = bucket(limit.perSecond());
      this.promised = bucket(limit.promisedPerSecond());
    }

    private static Optional<RateBucket> bucket(long perSecond) {
      if (perSecond <= 0) {
        return Optional.empty();
      }
      long rate = Math.min(perSecond, 1_000_000L);
      int burst = (int) Math.max(1, rate / BURSTS_PER_SECOND);
      return Optional.of(new RateBucket(new RateBucket.Rate(burst, rate)));
    }
  }

  private record OfTable(KeyRange keys, Limited limited) {}

  private final Map<Long, String> connections = new HashMap<>();
  private Map<String, Limited> limits = new LinkedHashMap<>();

  /** The keys of tables of one application each, by the first of them. */
  private final NavigableMap<Bytes, OfTable> tables = new TreeMap<>();

  private long version;

  /** Operations of applications without objectives. */
  private long others;

  /** A connection is of an application, as its client says. */
  public void greeted(long connection, String application) {
    if (connections.size() < CONNECTIONS_MAX) {
      connections.put(connection, application);
    }
  }

  /** A connection has closed. */
  public void gone(long connection) {
    connections.remove(connection);
  }

  /**
   * The steward says what is so from now on. What stays as it was keeps what it has saved up.
   *
   * @param told of what version; one before the last one is passed by
   * @return whether it was not passed by
   */
  public boolean take(long told, List<ServiceLimit> now) {
    if (told < version) {
      return false;
    }
    version = told;
    Map<String, Limited> next = new LinkedHashMap<>();
    for (ServiceLimit limit : now) {
      Limited before = limits.get(limit.application());
      next.put(
          limit.application(),
          before != null && before.limit.equals(limit) ? before : counted(limit, before));
    }
    limits = next;
    tables.clear();
    for (Limited one : limits.values()) {
      for (String table : one.limit.tables()) {
        KeyRange keys = Tuple.EMPTY.prefixRange(Tuple.of(table).encode());
        tables.put(keys.start(), new OfTable(keys, one));
      }
    }
    return true;
  }

  private static Limited counted(ServiceLimit limit, @Nullable Limited before) {
    Limited limited = new Limited(limit);
    limited.count = before == null ? 0 : before.count;
    return limited;
  }

  /**
   * Counts a request, and says for how many milliseconds it should not be told again; empty if it
   * may be done.
   *
   * @param pressed whether the node has too much to do
   */
  public OptionalInt refusal(
      long connection, ClientRequest request, boolean pressed, long nowNanos) {
    if (limits.isEmpty()) {
      return OptionalInt.empty();
    }
    Optional<Bytes> key = firstKey(request);
    if (key.isEmpty()) {
      return OptionalInt.empty();
    }
    Optional<Limited> of = of(connection, key.get());
    if (of.isEmpty()) {
      others++;
      return OptionalInt.empty();
    }
    return refusal(of.get(), pressed, nowNanos);
  }

  private static OptionalInt refusal(Limited of, boolean pressed, long now) {
    // Each operation counts against what is promised, also where there is room for more.
    boolean isBeyond = of.promised.isPresent() && !of.promised.get().admits(now);
    if (of.cap.isPresent() && !of.cap.get().hasRoom(now)) {
      return OptionalInt.of(millis(of.cap.get().waitNanos(now)));
    }
    if (isBeyond && pressed) {
      return OptionalInt.of(millis(of.promised.map(one -> one.waitNanos(now)).orElse(0L)));
    }
    of.cap.ifPresent(cap -> cap.take(now));
    of.count++;
    return OptionalInt.empty();
  }

  private static int millis(long nanos) {
    return Math.clamp(Math.ceilDiv(nanos, NANOS_PER_MILLI), RETRY_MILLIS_MIN, RETRY_MILLIS_MAX);
  }

  private Optional<Limited> of(long connection, Bytes key) {
    Map.Entry<Bytes, OfTable> table = tables.floorEntry(key);
    if (table != null && table.getValue().keys().contains(key)) {
      return Optional.of(table.getValue().limited());
    }
    String name = connections.get(connection);
    return name == null
        ? Optional.empty()
        : Optional.ofNullable(limits.get(name)).filter(one -> one.limit.tables().isEmpty());
  }

  private static Optional<Bytes> firstKey(ClientRequest request) {
    return switch (request) {
      case ClientRequest.Get get -> get.keys().stream().findFirst();
      case ClientRequest.Scan scan -> Optional.of(scan.interval().start());
      case ClientRequest.BeginWith begin -> firstKey(begin.read());
      case ClientRequest.QuorumGet get -> Optional.of(get.key());
      case ClientRequest.Commit commit ->
          commit.writes().stream()
              .map(KeyWrite::key)
              .findFirst()
              .or(() -> commit.reads().stream().findFirst());
      default -> Optional.empty();
    };
  }

  /** What applications with objectives may have, as this node was told. */
  List<ServiceLimit> told() {
    return limits.values().stream().map(limited -> limited.limit).toList();
  }

  /** Whether no application has an objective. */
  public boolean isEmpty() {
    return limits.isEmpty();
  }

  /**
   * What has been taken of each application since this was last asked; without a name, what of all
   * those that have no objective.
   */
  public List<ApplicationCount> counts() {
    List<ApplicationCount> counts = new ArrayList<>();
    limits.forEach(
        (application, limited) -> {
          counts.add(new ApplicationCount(application, limited.count));
          limited.count = 0;
        });
    counts.add(new ApplicationCount("", others));
    others = 0;
    return counts;
  }
}
