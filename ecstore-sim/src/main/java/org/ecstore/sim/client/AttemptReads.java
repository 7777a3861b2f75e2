package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.ecstore.wire.Limits;

/**
 * The reads of an attempt: each from any copy, a hot-spot replica or the primary, again until it is
 * answered, and what the answers must be like.
 */
final class AttemptReads {
  private final AttemptRun run;
  private final AttemptSnapshot snapshot;
  private final SimClient client;
  private final World world;
  private final SimRandom random;
  private final Plan plan;
  private final List<SimHistory.KeyRead> keyReads = new ArrayList<>();
  private final List<SimHistory.IntervalRead> intervalReads = new ArrayList<>();
  private final Map<Bytes, Row> seen = new TreeMap<>();

  AttemptReads(AttemptRun run, AttemptSnapshot snapshot, SimClient client, Plan plan) {
    this.run = run;
    this.snapshot = snapshot;
    this.client = client;
    this.world = client.world();
    this.random = client.random();
    this.plan = plan;
  }

  /** The keys that were read. */
  List<SimHistory.KeyRead> keys() {
    return keyReads;
  }

  /** The intervals that were read. */
  List<SimHistory.IntervalRead> intervals() {
    return intervalReads;
  }

  /** The rows that were read, by their keys. */
  Map<Bytes, Row> seen() {
    return seen;
  }

  /** Reads keys, wherever they are. */
  void get(List<Bytes> keys, Runnable next) {
    if (keys.isEmpty()) {
      next.run();
      return;
    }
    client.locate(
        keys.getFirst(),
        route -> {
          if (route.isEmpty()) {
            run.again(() -> get(keys, next));
            return;
          }
          List<Bytes> here = keys.stream().filter(route.get().keys()::contains).toList();
          List<Bytes> rest = keys.stream().filter(k -> !route.get().keys().contains(k)).toList();
          askCopy(
              route.get(),
              KeyRange.spanning(here),
              mayRedirect ->
                  snapshot.first(
                      new ClientRequest.Get(
                          snapshot.point(),
                          route.get().range(),
                          route.get().epoch(),
                          here,
                          mayRedirect)),
              reply -> {
                if (reply.isPresent() && reply.get() instanceof ClientReply.Values values) {
                  read(here, values.rows());
                  get(rest, next);
                } else {
                  failedRead(reply, route.get(), () -> get(keys, next));
                }
              });
        });
  }

  /** Asks any copy, and the primary if that one cannot know yet (rule 10). */
  private void askCopy(
      Route route,
      KeyRange span,
      Function<Boolean, ClientRequest> request,
      Consumer<Optional<ClientReply>> answered) {
    Optional<NodeId> hotReplica =
        random.chance(0.5) ? client.hotReplicas().find(route, span) : Optional.empty();
    if (hotReplica.isPresent()) {
      askHotReplica(route, hotReplica.get(), request.apply(false), answered);
      return;
    }
    boolean readOnly = plan.writes().equals(Plan.NO_WRITES);
    snapshot.ask(
        client.copyOf(route, readOnly ? 0.6 : 0.2),
        request.apply(readOnly && random.chance(0.8)),
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Behind) {
            snapshot.ask(route.primary(), request.apply(false), answered);
          } else if (reply.isPresent() && reply.get() instanceof ClientReply.Redirect redirect) {
            client.hotReplicas().learn(route, redirect);
            askHotReplica(route, redirect.node(), request.apply(false), answered);
          } else {
            answered.accept(reply);
          }
        });
  }

  /** Asks a hot-spot replica, which may be gone or behind, and then the primary (rule 26). */
  private void askHotReplica(
      Route route,
      NodeId hotReplica,
      ClientRequest request,
      Consumer<Optional<ClientReply>> answered) {
    snapshot.ask(
        hotReplica,
        request,
        reply -> {
          if (reply.isPresent()
              && (reply.get() instanceof ClientReply.Values
                  || reply.get() instanceof ClientReply.Scanned)) {
            world.happened("a hot-spot replica answers");
            answered.accept(reply);
          } else {
            world.happened("a hot-spot replica does not answer");
            client.hotReplicas().failed(route, hotReplica);
            snapshot.ask(route.primary(), request, answered);
          }
        });
  }

  private void read(List<Bytes> keys, List<Optional<Row>> rows) {
    if (rows.size() != keys.size()) {
      world.violated("one answer for each key", run.txn() + " asked " + keys + ", got " + rows);
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      keyReads.add(new SimHistory.KeyRead(keys.get(i), rows.get(i)));
      rows.get(i).ifPresent(row -> seen.put(row.key(), row));
    }
  }

  private void failedRead(Optional<ClientReply> reply, Route route, Runnable retry) {
    run.checkRefusal(reply);
    if (reply.isPresent() && reply.get() instanceof ClientReply.WrongRange wrong) {
      client.forget(route);
      client.learn(wrong.routes());
    } else if (reply.isPresent() && reply.get() instanceof ClientReply.Behind behind) {
      world.violated("a primary is never behind (rule 10)", run.txn() + ": " + behind);
    } else if (reply.isEmpty() || random.chance(0.2)) {
      client.forget(route);
    } else if (reply.get() instanceof ClientReply.Refused refused
        && refused.code() == RefusalCode.SNAPSHOT_TOO_OLD) {
      run.giveUp();
      return;
    }
    run.again(retry);
  }

  /** Reads an interval piece by piece, until it has enough rows. */
  void scan(Plan.Scan scan, KeyRange rest, int rowsLeft, Runnable next) {
    Consumer<Optional<Route>> withRoute =
        route -> {
          Optional<KeyRange> piece = route.flatMap(found -> found.keys().intersection(rest));
          if (route.isEmpty() || piece.isEmpty()) {
            run.again(() -> scan(scan, rest, rowsLeft, next));
            return;
          }
          scanPart(scan, rest, piece.get(), route.get(), rowsLeft, next);
        };
    client.locate(scan.reverse() ? Limits.greatestKeyBelow(rest.end()) : rest.start(), withRoute);
  }

  private void scanPart(
      Plan.Scan scan, KeyRange rest, KeyRange piece, Route route, int rowsLeft, Runnable next) {
    KeyRange asked = piece;
    boolean reachesEdge =
        scan.reverse() ? piece.end().equals(rest.end()) : piece.start().equals(rest.start());
    if (!reachesEdge) {
      client.forget(route);
      run.again(() -> scan(scan, rest, rowsLeft, next));
      return;
    }
    askCopy(
        route,
        asked,
        mayRedirect ->
            snapshot.first(
                new ClientRequest.Scan(
                    snapshot.point(),
                    route.range(),
                    route.epoch(),
                    asked,
                    scan.reverse(),
                    Math.min(scan.pageRows(), rowsLeft),
                    false,
                    mayRedirect)),
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Scanned scanned) {
            scanned(scan, rest, asked, scanned, rowsLeft, next);
          } else {
            failedRead(reply, route, () -> scan(scan, rest, rowsLeft, next));
          }
        });
  }

  private void scanned(
      Plan.Scan scan,
      KeyRange rest,
      KeyRange asked,
      ClientReply.Scanned scanned,
      int rowsLeft,
      Runnable next) {
    KeyRange covered = scanned.covered();
    boolean tiles =
        asked.contains(covered)
            && (scan.reverse()
                ? covered.end().equals(asked.end())
                : covered.start().equals(asked.start()));
    if (!tiles) {
      world.violated(
          "the pieces of a scan tile it (rule 18)",
          run.txn() + " asked " + asked + ", got " + covered);
      return;
    }
    List<Row> rows = scan.reverse() ? scanned.rows().reversed() : scanned.rows();
    if (!eachOnce(rows, covered)) {
      world.violated(
          "a page of a scan has each key once, and none but those it covers (rule 18)",
          run.txn() + " asked " + asked + ", got " + rows + " of " + covered);
      return;
    }
    intervalReads.add(new SimHistory.IntervalRead(covered, rows));
    rows.forEach(row -> seen.put(row.key(), row));
    int left = rowsLeft - rows.size();
    Optional<KeyRange> more = after(rest, covered, scan.reverse());
    if (left <= 0 || more.isEmpty()) {
      next.run();
    } else {
      scan(scan, more.get(), left, next);
    }
  }

  private static boolean eachOnce(List<Row> ascending, KeyRange covered) {
    for (int i = 0; i < ascending.size(); i++) {
      Bytes key = ascending.get(i).key();
      if (!covered.contains(key) || (i > 0 && key.compareTo(ascending.get(i - 1).key()) <= 0)) {
        return false;
      }
    }
    return true;
  }

  private static Optional<KeyRange> after(KeyRange rest, KeyRange covered, boolean reverse) {
    if (reverse) {
      return covered.start().equals(rest.start())
          ? Optional.empty()
          : Optional.of(KeyRange.of(rest.start(), covered.start()));
    }
    return covered.end().equals(rest.end())
        ? Optional.empty()
        : Optional.of(KeyRange.between(covered.end().orElseThrow(), rest.end()));
  }
}
