package org.ecstore.client.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.Limits;

/**
 * Reads keys and intervals at a fixed snapshot, wherever they are. Such reads may be repeated, so
 * moved ranges, lost replies and busy nodes are met with another try until the deadline. What comes
 * back is checked: the keys asked for, no version above the snapshot, and pieces of an interval
 * that tile it exactly (rule 18). Safe for use by several threads.
 */
public final class RoutedReads {
  /** Keys in one request, so that as many of the largest values fit into one frame. */
  static final int KEYS_MAX = Limits.TRANSACTION_BYTES_MAX / Limits.VALUE_BYTES_MAX;

  private final Cluster cluster;
  private final ReadAhead ahead;

  public RoutedReads(Cluster cluster, ReadAhead ahead) {
    this.cluster = cluster;
    this.ahead = ahead;
  }

  /** The rows of the keys that are there, in the order asked. Ranges are read in parallel. */
  public Map<Bytes, Row> get(
      Reader reader, ReadPoint point, Collection<Bytes> keys, Deadline deadline) {
    Map<Bytes, Row> found = new LinkedHashMap<>();
    Set<Bytes> missing = new LinkedHashSet<>(keys);
    Attempts attempts = new Attempts(cluster, deadline, "read the keys");
    CopyCalls calls = new CopyCalls(cluster, reader, point.position(), deadline);
    while (!missing.isEmpty()) {
      boolean atOnce = false;
      boolean later = false;
      int before = found.size();
      for (Part part : startParts(calls, point, missing)) {
        Answer answer = calls.await(part.call);
        if (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Values values) {
          List<Bytes> taken = take(point, part, values, found);
          calls.answered(part.call, values.source());
          taken.forEach(missing::remove);
        } else {
          CopyCalls.Next next = calls.failed(part.call, answer, attempts);
          atOnce |= next == CopyCalls.Next.AT_ONCE;
          later |= next == CopyCalls.Next.LATER;
        }
      }
      if (found.size() > before) {
        attempts.progressed();
      }
      attempts.next(atOnce, later);
    }
    return inOrder(keys, found);
  }

  /**
   * A snapshot that has begun, and what was read with that.
   *
   * @param address of the node where
   */
  public record First<T>(String address, ClientReply.Begun begun, T read) {}

  /** What to ask, of which range. */
  private record Asked(Route route, KeyRange span, ClientRequest.Read read) {}

  /**
   * Rows that were read.
   *
   * @param left the keys that are still to be read
   */
  public record Got(Map<Bytes, Row> rows, List<Bytes> left) {}

  /**
   * As {@link #get}, where the snapshot begins with it, and of the first keys perhaps; absent if
   * keys are of several ranges.
   */
  public Optional<First<Got>> beginGet(
      Reader reader,
      ReadLevel level,
      SessionToken session,
      Collection<Bytes> keys,
      Deadline deadline) {
    List<Bytes> some = List.copyOf(new LinkedHashSet<>(keys));
    if (some.isEmpty() || some.size() > KEYS_MAX) {
      return Optional.empty();
    }
    return begin(
        reader,
        level,
        session,
        deadline,
        calls -> {
          Route route = calls.route(some.get(0));
          return new Asked(
              route,
              KeyRange.spanning(some),
              new ClientRequest.Get(
                  ReadPoint.ZERO, route.range(), route.epoch(), some, calls.mayRedirect(route)));
        },
        (call, both) -> {
          if (!(both.answer() instanceof ClientReply.Values values)) {
            throw Cluster.protocol("a node answered another read", call.address(), both.answer());
          }
          Map<Bytes, Row> found = new LinkedHashMap<>();
          int taken = take(both.begun().point(), new Part(call, some), values, found).size();
          return new Got(found, some.subList(taken, some.size()));
        });
  }

  /** The first page of a scan, where the snapshot begins with it. */
  public Optional<First<ClientReply.Scanned>> beginScan(
      Reader reader,
      ReadLevel level,
      SessionToken session,
      KeyRange interval,
      ScanShape shape,
      PageRequest page,
      Deadline deadline) {
    return begin(
        reader,
        level,
        session,
        deadline,
        calls -> {
          Route route =
              shape.reverse() ? calls.routeBelow(interval.end()) : calls.route(interval.start());
          KeyRange part = interval.intersection(route.keys()).orElseThrow();
          return new Asked(
              route,
              part,
              new ClientRequest.Scan(
                  ReadPoint.ZERO,
                  route.range(),
                  route.epoch(),
                  part,
                  shape.reverse(),
                  page.recordsMax(),
                  shape.keysOnly(),
                  calls.mayRedirect(route)));
        },
        (call, both) -> {
          if (!(both.answer() instanceof ClientReply.Scanned scanned)) {
            throw Cluster.protocol("a node answered another read", call.address(), both.answer());
          }
          checkPage(
              both.begun().point(),
              shape,
              new SubScan.Asked(call, call.span(), page.recordsMax()),
              scanned);
          cluster.copies().cutAt(call.route(), scanned.splitPoints(), cluster.time().nanos());
          return scanned;
        });
  }

  private <T> Optional<First<T>> begin(
      Reader reader,
      ReadLevel level,
      SessionToken session,
      Deadline deadline,
      Function<CopyCalls, Asked> question,
      BiFunction<CopyCalls.Call, ClientReply.BegunWith, T> taken) {
    Attempts attempts = new Attempts(cluster, deadline, "begin a snapshot and read it");
    ReadPoint token = session.point();
    CopyCalls calls = new CopyCalls(cluster, reader, token.position(), deadline);
    while (true) {
      Asked asked = question.apply(calls);
      if (!asked.route().keys().contains(asked.span())) {
        return Optional.empty();
      }
      CopyCalls.Call call =
          calls.start(
              asked.route(), asked.span(), new ClientRequest.BeginWith(level, token, asked.read()));
      Answer answer = calls.await(call);
      if (answer instanceof Answer.Replied replied
          && replied.reply() instanceof ClientReply.BegunWith both) {
        if (token.position().isAfter(both.begun().point().position())) {
          throw Cluster.protocol(
              "a node began before what the session has seen", call.address(), both.begun());
        }
        T read = taken.apply(call, both);
        calls.answered(call, both.answer().source());
        return Optional.of(new First<>(call.address(), both.begun(), read));
      }
      CopyCalls.Next next = calls.failed(call, answer, attempts);
      attempts.next(next == CopyCalls.Next.AT_ONCE, next == CopyCalls.Next.LATER);
    }
  }

  /** Keys of one range, and the request for them. */
  private record Part(CopyCalls.Call call, List<Bytes> keys) {}

  private static List<Part> startParts(CopyCalls calls, ReadPoint point, Set<Bytes> keys) {
    Map<Route, List<Bytes>> byRoute = new LinkedHashMap<>();
    for (Bytes key : keys) {
      byRoute.computeIfAbsent(calls.route(key), r -> new ArrayList<>()).add(key);
    }
    List<Part> parts = new ArrayList<>();
    byRoute.forEach(
        (route, ofRoute) -> {
          for (int from = 0; from < ofRoute.size(); from += KEYS_MAX) {
            List<Bytes> some =
                List.copyOf(ofRoute.subList(from, Math.min(ofRoute.size(), from + KEYS_MAX)));
            ClientRequest get =
                new ClientRequest.Get(
                    point, route.range(), route.epoch(), some, calls.mayRedirect(route));
            parts.add(new Part(calls.start(route, KeyRange.spanning(some), get), some));
          }
        });
    return parts;
  }

  /** The keys that an answer is of: all, or the first ones as far as they go into one answer. */
  private static List<Bytes> take(
      ReadPoint point, Part part, ClientReply.Values values, Map<Bytes, Row> found) {
    int count = values.rows().size();
    if (count > part.keys.size() || (count == 0 && !part.keys.isEmpty())) {
      throw Cluster.protocol(
          "a node answered for another number of keys",
          part.call.address(),
          values.rows().size() + " for " + part.keys.size());
    }
    for (int i = 0; i < count; i++) {
      Optional<Row> row = values.rows().get(i);
      if (row.isPresent()) {
        checkRow(point, KeyRange.single(part.keys.get(i)), row.get(), part.call.address());
        found.put(row.get().key(), row.get());
      }
    }
    return part.keys.subList(0, count);
  }

  private static void checkRow(ReadPoint point, KeyRange asked, Row row, String address) {
    if (!asked.contains(row.key())) {
      throw Cluster.protocol("a node answered with a key not asked for", address, row.key());
    }
    if (row.version().isAfter(point.position())) {
      throw Cluster.protocol(
          "a node answered with a version above the snapshot", address, row.version());
    }
  }

  private static Map<Bytes, Row> inOrder(Collection<Bytes> keys, Map<Bytes, Row> found) {
    Map<Bytes, Row> ordered = new LinkedHashMap<>();
    for (Bytes key : keys) {
      Row row = found.get(key);
      if (row != null) {
        ordered.put(key, row);
      }
    }
    return ordered;
  }

  /** The records of an interval, in pages. */
  public SubScans scan(Reader reader, ReadPoint point, KeyRange interval, ScanShape shape) {
    return new SubScans(cluster, reader, point, interval, shape, ahead);
  }

  /**
   * The covered part begins where the piece begins, ends within it, and holds the rows in order.
   */
  static void checkPage(
      ReadPoint point, ScanShape shape, SubScan.Asked asked, ClientReply.Scanned scanned) {
    KeyRange piece = asked.keys();
    KeyRange covered = scanned.covered();
    String address = asked.call().address();
    boolean tiles =
        piece.contains(covered)
            && (shape.reverse()
                ? covered.end().equals(piece.end())
                : covered.start().equals(piece.start()));
    if (!tiles || scanned.rows().size() > asked.records()) {
      throw Cluster.protocol("a node covered another part than it was asked for", address, covered);
    }
    if (scanned.aggregated() && shape.aggregate().isEmpty()) {
      throw Cluster.protocol(
          "a node found something of records that were asked for", address, covered);
    }
    checkRows(point, shape, scanned, address);
  }

  private static void checkRows(
      ReadPoint point, ScanShape shape, ClientReply.Scanned scanned, String address) {
    for (int i = 0; i < scanned.rows().size(); i++) {
      Row row = scanned.rows().get(i);
      checkRow(point, scanned.covered(), row, address);
      if (i > 0) {
        int step = row.key().compareTo(scanned.rows().get(i - 1).key());
        if (shape.reverse() ? step >= 0 : step <= 0) {
          throw Cluster.protocol("a node answered out of order", address, row.key());
        }
      }
    }
  }
}
