package org.ecstore.client.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.Limits;
import org.ecstore.wire.client.ClientReply;
import org.ecstore.wire.client.ClientRequest;
import org.ecstore.wire.client.Route;
import org.ecstore.wire.client.Row;

/**
 * Reads keys and intervals at a fixed snapshot, wherever they are. Such reads may be repeated, so
 * moved ranges, lost replies and busy nodes are met with another try until the deadline. What comes
 * back is checked: the keys asked for, no version above the snapshot, and pieces of an interval
 * that tile it exactly (rule 18). Safe for use by several threads.
 */
public final class SnapshotReads {
  /** Keys in one request, so that as many of the largest values fit into one frame. */
  static final int KEYS_MAX = Limits.TRANSACTION_BYTES_MAX / Limits.VALUE_BYTES_MAX;

  private final Cluster cluster;

  public SnapshotReads(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The rows of the keys that are there, in the order asked. Ranges are read in parallel. */
  public Map<Bytes, Row> get(ReadPoint point, Collection<Bytes> keys, Deadline deadline) {
    Map<Bytes, Row> found = new LinkedHashMap<>();
    Set<Bytes> missing = new LinkedHashSet<>(keys);
    Attempts attempts = new Attempts(cluster, deadline, "read the keys");
    while (!missing.isEmpty()) {
      boolean moved = false;
      boolean failed = false;
      for (Part part : startParts(point, missing, deadline)) {
        Answer answer = cluster.await(part.answer, part.timeout);
        if (answer instanceof Answer.Replied replied) {
          if (replied.reply() instanceof ClientReply.Values values) {
            take(point, part, values, found);
            part.keys.forEach(missing::remove);
            continue;
          }
          if (replied.reply() instanceof ClientReply.WrongRange wrong) {
            attempts.note(part.route.address(), "the range has moved");
            moved = true;
            failed |= !cluster.learn(wrong, part.route);
            continue;
          }
        }
        attempts.noteAnswer(part.route.address(), answer);
        cluster.routeFailed(part.route, answer);
        failed = true;
      }
      attempts.next(moved, failed);
    }
    return inOrder(keys, found);
  }

  /** Keys of one range, and the answer on its way. */
  private record Part(
      Route route, List<Bytes> keys, Duration timeout, CompletableFuture<Answer> answer) {}

  private List<Part> startParts(ReadPoint point, Set<Bytes> keys, Deadline deadline) {
    Map<Route, List<Bytes>> byRoute = new LinkedHashMap<>();
    for (Bytes key : keys) {
      byRoute.computeIfAbsent(cluster.route(key, deadline), r -> new ArrayList<>()).add(key);
    }
    List<Part> parts = new ArrayList<>();
    byRoute.forEach(
        (route, ofRoute) -> {
          for (int from = 0; from < ofRoute.size(); from += KEYS_MAX) {
            List<Bytes> some =
                List.copyOf(ofRoute.subList(from, Math.min(ofRoute.size(), from + KEYS_MAX)));
            Duration timeout = cluster.timeout(deadline);
            ClientRequest get = new ClientRequest.Get(point, route.range(), route.epoch(), some);
            parts.add(new Part(route, some, timeout, cluster.start(route.address(), get, timeout)));
          }
        });
    return parts;
  }

  private static void take(
      ReadPoint point, Part part, ClientReply.Values values, Map<Bytes, Row> found) {
    if (values.rows().size() != part.keys.size()) {
      throw Cluster.protocol(
          "a node answered for another number of keys",
          part.route.address(),
          values.rows().size() + " for " + part.keys.size());
    }
    for (int i = 0; i < part.keys.size(); i++) {
      Optional<Row> row = values.rows().get(i);
      if (row.isPresent()) {
        checkRow(point, KeyRange.single(part.keys.get(i)), row.get(), part.route);
        found.put(row.get().key(), row.get());
      }
    }
  }

  private static void checkRow(ReadPoint point, KeyRange asked, Row row, Route route) {
    if (!asked.contains(row.key())) {
      throw Cluster.protocol(
          "a node answered with a key not asked for", route.address(), row.key());
    }
    if (row.version().isAfter(point.position())) {
      throw Cluster.protocol(
          "a node answered with a version above the snapshot", route.address(), row.version());
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

  /**
   * The first piece of an interval, from its start or, in reverse, from its end: rows in scan order
   * and the part of the interval that they are all of. The rest is for another call.
   */
  public ClientReply.Scanned scan(ReadPoint point, PageRequest page, Deadline deadline) {
    Attempts attempts = new Attempts(cluster, deadline, "scan the interval");
    while (true) {
      Route route =
          page.reverse()
              ? cluster.routeBelow(page.interval().end(), deadline)
              : cluster.route(page.interval().start(), deadline);
      KeyRange piece = page.interval().intersection(route.keys()).orElseThrow();
      ClientRequest scan =
          new ClientRequest.Scan(
              point,
              route.range(),
              route.epoch(),
              piece,
              page.reverse(),
              page.recordsMax(),
              page.keysOnly());
      Answer answer = cluster.ask(route.address(), scan, deadline);
      boolean moved = false;
      if (answer instanceof Answer.Replied replied) {
        if (replied.reply() instanceof ClientReply.Scanned scanned) {
          checkPage(point, page, piece, scanned, route);
          return scanned;
        }
        if (replied.reply() instanceof ClientReply.WrongRange wrong) {
          attempts.note(route.address(), "the range has moved");
          moved = cluster.learn(wrong, route);
          attempts.next(moved, !moved);
          continue;
        }
      }
      attempts.noteAnswer(route.address(), answer);
      cluster.routeFailed(route, answer);
      attempts.next(false, true);
    }
  }

  /**
   * The covered part begins where the piece begins, ends within it, and holds the rows in order.
   */
  private static void checkPage(
      ReadPoint point, PageRequest page, KeyRange piece, ClientReply.Scanned scanned, Route route) {
    KeyRange covered = scanned.covered();
    boolean tiles =
        piece.contains(covered)
            && (page.reverse()
                ? covered.end().equals(piece.end())
                : covered.start().equals(piece.start()));
    if (!tiles || scanned.rows().size() > page.recordsMax()) {
      throw Cluster.protocol(
          "a node covered another part than it was asked for", route.address(), covered);
    }
    checkRows(point, page, scanned, route);
  }

  private static void checkRows(
      ReadPoint point, PageRequest page, ClientReply.Scanned scanned, Route route) {
    for (int i = 0; i < scanned.rows().size(); i++) {
      Row row = scanned.rows().get(i);
      checkRow(point, scanned.covered(), row, route);
      if (i > 0) {
        int step = row.key().compareTo(scanned.rows().get(i - 1).key());
        if (page.reverse() ? step >= 0 : step <= 0) {
          throw Cluster.protocol("a node answered out of order", route.address(), row.key());
        }
      }
    }
  }
}
