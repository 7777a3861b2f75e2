package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimHistory.Outcome;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.ecstore.wire.Limits;

/**
 * One attempt of a transaction as a client runs it: begin, steps, commit, and where the outcome is
 * unknown, asking until a node knows (rule 5).
 */
public final class AttemptRun {
  private static final long CALL_TIMEOUT_NANOS = 2_000_000_000L;
  private static final int COMMIT_TIMEOUT_MILLIS = 3_000;

  private final SimClient client;
  private final World world;
  private final SimRandom random;
  private final Plan plan;
  private final long deadlineNanos;
  private final Consumer<Optional<SimHistory.Attempt>> then;
  private final List<TxnId> sent = new ArrayList<>();
  private final List<SimHistory.Attempt> earlier = new ArrayList<>();
  private final long invokedNanos;

  /**
   * Who asks for no lease, or does not hear of it, reads on until it is told that it is too late.
   */
  private final boolean keepsLease;

  private final List<SimHistory.KeyRead> keyReads = new ArrayList<>();
  private final List<SimHistory.IntervalRead> intervalReads = new ArrayList<>();
  private final Map<Bytes, Row> seen = new TreeMap<>();
  private List<KeyWrite> writes = List.of();
  private ReadPoint point = ReadPoint.ZERO;
  private NodeId leaseNode = new NodeId(0);
  private long lease;
  private boolean begun;
  private boolean done;
  private boolean gaveUp;
  private TxnId txn;

  public AttemptRun(
      SimClient client,
      Plan plan,
      long deadlineNanos,
      Consumer<Optional<SimHistory.Attempt>> then) {
    this.client = client;
    this.world = client.world();
    this.random = client.random();
    this.plan = plan;
    this.deadlineNanos = deadlineNanos;
    this.then = then;
    this.txn = nextId();
    this.invokedNanos = world.nowNanos();
    this.keepsLease = random.chance(0.8);
  }

  private TxnId nextId() {
    return new TxnId(0x5000 + client.number(), client.nextSequence());
  }

  public void start() {
    boolean reads = !plan.steps().isEmpty() && !(plan.steps().getFirst() instanceof Plan.Hold);
    if (reads && random.chance(0.5)) {
      step(0);
    } else {
      begin();
    }
  }

  private void begin() {
    client.nodeToBeginAt(this::begin);
  }

  private void begin(NodeId node) {
    client.call(
        node,
        new ClientRequest.Begin(plan.level(), client.token()),
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun answer) {
            client.begun(true);
            begun(node, answer);
            step(0);
          } else {
            client.begun(false);
            checkRefusal(reply);
            again(this::begin);
          }
        });
  }

  private void begun(NodeId node, ClientReply.Begun answer) {
    point = answer.point();
    leaseNode = node;
    lease = answer.lease();
    begun = true;
    client.saw(point);
    renewLater(answer.leaseMillis());
  }

  /** A read, which is what the snapshot begins with if it has not begun yet. */
  private ClientRequest first(ClientRequest.Read read) {
    return begun ? read : new ClientRequest.BeginWith(plan.level(), client.token(), read);
  }

  /** Asks for a read; the answer is to the read alone, whether something began with it or not. */
  private void ask(NodeId node, ClientRequest request, Consumer<Optional<ClientReply>> answered) {
    client.call(
        node,
        request,
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.BegunWith both && !begun) {
            world.happened("a snapshot begins with its first read");
            begun(node, both.begun());
            answered.accept(Optional.of(both.answer()));
          } else {
            answered.accept(reply);
          }
        });
  }

  private void renewLater(int leaseMillis) {
    if (!keepsLease) {
      return;
    }
    world
        .scheduler()
        .after(
            leaseMillis * 400_000L,
            () -> {
              if (!done && begun) {
                client.call(
                    leaseNode,
                    lease == 0
                        ? new ClientRequest.BeginAt(point.position())
                        : new ClientRequest.RenewSnapshot(lease),
                    CALL_TIMEOUT_NANOS,
                    reply -> {
                      if (reply.isPresent() && reply.get() instanceof ClientReply.Begun renewed) {
                        lease = renewed.lease();
                        renewLater(renewed.leaseMillis());
                      }
                    });
              }
            });
  }

  /** Whether the attempt ended before it had done what it was to do, with no commit sent. */
  public boolean gaveUp() {
    return gaveUp;
  }

  /** The tries of this commit before the last one, all aborted. */
  public List<SimHistory.Attempt> earlier() {
    return earlier;
  }

  /** Tries something again after a pause, or gives up once it is too late. */
  private void again(Runnable what) {
    if (world.nowNanos() >= deadlineNanos) {
      gaveUp = true;
      finish(Outcome.READ_ONLY, 0);
    } else {
      world.scheduler().after(random.between(1_000_000L, 100_000_000L), what);
    }
  }

  private void checkRefusal(Optional<ClientReply> reply) {
    if (reply.isPresent()
        && reply.get() instanceof ClientReply.Refused refused
        && (refused.code() == RefusalCode.BAD_REQUEST || refused.code() == RefusalCode.TOO_LARGE)) {
      world.violated("a right request is not refused", txn + ": " + refused);
    }
  }

  private void step(int index) {
    if (index == plan.steps().size()) {
      writes =
          plan.writes().apply(new Plan.Seen(seen)).stream()
              .sorted(Comparator.comparing(KeyWrite::key))
              .toList();
      if (writes.isEmpty()) {
        finish(Outcome.READ_ONLY, 0);
      } else {
        commit();
      }
      return;
    }
    Runnable next = () -> step(index + 1);
    switch (plan.steps().get(index)) {
      case Plan.Get get -> get(get.keys(), next);
      case Plan.Scan scan -> scan(scan, scan.interval(), scan.rowsMax(), next);
      case Plan.Hold hold -> world.scheduler().after(world.atMost(hold.nanos()), next);
    }
  }

  private void get(List<Bytes> keys, Runnable next) {
    if (keys.isEmpty()) {
      next.run();
      return;
    }
    client.locate(
        keys.getFirst(),
        route -> {
          if (route.isEmpty()) {
            again(() -> get(keys, next));
            return;
          }
          List<Bytes> here = keys.stream().filter(route.get().keys()::contains).toList();
          List<Bytes> rest = keys.stream().filter(k -> !route.get().keys().contains(k)).toList();
          askCopy(
              route.get(),
              KeyRange.spanning(here),
              mayRedirect ->
                  first(
                      new ClientRequest.Get(
                          point, route.get().range(), route.get().epoch(), here, mayRedirect)),
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
    ask(
        client.copyOf(route, readOnly ? 0.6 : 0.2),
        request.apply(readOnly && random.chance(0.8)),
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Behind) {
            ask(route.primary(), request.apply(false), answered);
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
    ask(
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
            ask(route.primary(), request, answered);
          }
        });
  }

  private void read(List<Bytes> keys, List<Optional<Row>> rows) {
    if (rows.size() != keys.size()) {
      world.violated("one answer for each key", txn + " asked " + keys + ", got " + rows);
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      keyReads.add(new SimHistory.KeyRead(keys.get(i), rows.get(i)));
      rows.get(i).ifPresent(row -> seen.put(row.key(), row));
    }
  }

  private void failedRead(Optional<ClientReply> reply, Route route, Runnable retry) {
    checkRefusal(reply);
    if (reply.isPresent() && reply.get() instanceof ClientReply.WrongRange wrong) {
      client.forget(route);
      client.learn(wrong.routes());
    } else if (reply.isPresent() && reply.get() instanceof ClientReply.Behind behind) {
      world.violated("a primary is never behind (rule 10)", txn + ": " + behind);
    } else if (reply.isEmpty() || random.chance(0.2)) {
      client.forget(route);
    } else if (reply.get() instanceof ClientReply.Refused refused
        && refused.code() == RefusalCode.SNAPSHOT_TOO_OLD) {
      gaveUp = true;
      finish(Outcome.READ_ONLY, 0);
      return;
    }
    again(retry);
  }

  private void scan(Plan.Scan scan, KeyRange rest, int rowsLeft, Runnable next) {
    Consumer<Optional<Route>> withRoute =
        route -> {
          Optional<KeyRange> piece = route.flatMap(found -> found.keys().intersection(rest));
          if (route.isEmpty() || piece.isEmpty()) {
            again(() -> scan(scan, rest, rowsLeft, next));
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
      again(() -> scan(scan, rest, rowsLeft, next));
      return;
    }
    askCopy(
        route,
        asked,
        mayRedirect ->
            first(
                new ClientRequest.Scan(
                    point,
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
          "the pieces of a scan tile it (rule 18)", txn + " asked " + asked + ", got " + covered);
      return;
    }
    List<Row> rows = scan.reverse() ? scanned.rows().reversed() : scanned.rows();
    if (!eachOnce(rows, covered)) {
      world.violated(
          "a page of a scan has each key once, and none but those it covers (rule 18)",
          txn + " asked " + asked + ", got " + rows + " of " + covered);
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

  private void commit() {
    client.locate(
        writes.getFirst().key(),
        route -> {
          if (route.isEmpty()) {
            again(this::commit);
            return;
          }
          boolean serializable = plan.isolation() == Isolation.SERIALIZABLE;
          TreeSet<Bytes> keys = new TreeSet<>();
          keyReads.forEach(read -> keys.add(read.key()));
          ClientRequest request =
              new ClientRequest.Commit(
                  txn,
                  point,
                  plan.isolation(),
                  serializable ? List.copyOf(keys) : List.of(),
                  serializable
                      ? KeyRange.merged(
                          intervalReads.stream().map(SimHistory.IntervalRead::covered).toList())
                      : List.of(),
                  writes,
                  COMMIT_TIMEOUT_MILLIS);
          send(
              request,
              route.get().primary(),
              reply -> {
                if (reply.isEmpty()
                    && client.behaviour() == NodeMutation.ClientBehaviour.RESENDS_COMMIT) {
                  send(request, client.anyNode(), again -> answered(again, route.get()));
                } else {
                  answered(reply, route.get());
                }
              });
        });
  }

  private void send(
      ClientRequest commit, NodeId coordinator, Consumer<Optional<ClientReply>> answered) {
    sent.add(txn);
    client.call(coordinator, commit, (COMMIT_TIMEOUT_MILLIS + 500) * 1_000_000L, answered);
  }

  private void answered(Optional<ClientReply> reply, Route route) {
    if (reply.isEmpty()) {
      unknown();
      return;
    }
    checkRefusal(reply);
    switch (reply.get()) {
      case ClientReply.Committed committed -> committed(committed);
      case ClientReply.Aborted aborted -> aborted(aborted);
      case ClientReply.WrongRange wrong -> {
        client.forget(route);
        client.learn(wrong.routes());
        sendAgainOrEnd();
      }
      case ClientReply.Refused refused -> {
        switch (refused.code()) {
          case UNAVAILABLE, OVERLOADED -> sendAgainOrEnd();
          case SNAPSHOT_TOO_OLD, TOO_LARGE, BAD_REQUEST -> finish(Outcome.ABORTED, 0);
        }
      }
      default -> unknown();
    }
  }

  /** What passes is no reason to give up: the same commit is sent again, under another id. */
  private void aborted(ClientReply.Aborted aborted) {
    client.saw(aborted.point());
    boolean passes =
        switch (aborted.reason()) {
          case AbortReason.Conflict conflict -> conflict.other().filter(sent::contains).isPresent();
          case AbortReason.TooOld _ -> false;
          case AbortReason.RangeChanged _ -> true;
          case AbortReason.NotReachable _ -> true;
          case AbortReason.NoRoom _ -> true;
          case AbortReason.SettledByAsker _ -> true;
        };
    if (passes) {
      sendAgainOrEnd();
    } else {
      finish(Outcome.ABORTED, 0);
    }
  }

  private void sendAgainOrEnd() {
    if (world.nowNanos() >= deadlineNanos || random.chance(0.3)) {
      finish(Outcome.ABORTED, 0);
    } else {
      earlier.add(attempt(Outcome.ABORTED, world.nowNanos(), 0));
      txn = nextId();
      world.scheduler().after(random.between(1_000_000L, 100_000_000L), this::commit);
    }
  }

  private void committed(ClientReply.Committed committed) {
    client.saw(committed.point());
    if (!committed.number().isAtOrBelow(committed.point().position())) {
      world.violated("the point of a commit's answer covers it", txn + ": " + committed);
    }
    finish(Outcome.COMMITTED, committed.number().value());
  }

  private void unknown() {
    if (client.behaviour() == NodeMutation.ClientBehaviour.RETRIES_UNKNOWN) {
      finish(Outcome.UNKNOWN, 0);
    } else {
      settle();
    }
  }

  private void settle() {
    client.call(
        client.anyNode(),
        new ClientRequest.AskOutcome(txn, point),
        CALL_TIMEOUT_NANOS,
        reply -> {
          checkRefusal(reply);
          if (reply.isPresent() && reply.get() instanceof ClientReply.Committed committed) {
            committed(committed);
          } else if (reply.isPresent() && reply.get() instanceof ClientReply.Aborted aborted) {
            aborted(aborted);
          } else if (reply.isPresent() && reply.get() instanceof ClientReply.OutcomeExpired) {
            finish(Outcome.UNKNOWN, 0);
          } else {
            world.scheduler().after(random.between(5_000_000L, 300_000_000L), this::settle);
          }
        });
  }

  private void finish(Outcome outcome, long number) {
    done = true;
    world.trace().mix(number);
    if (!begun) {
      then.accept(Optional.empty());
      return;
    }
    if (lease != 0) {
      client.tell(leaseNode, new ClientRequest.EndSnapshot(lease));
    }
    long ended = outcome == Outcome.UNKNOWN ? Long.MAX_VALUE : world.nowNanos();
    then.accept(Optional.of(attempt(outcome, ended, number)));
  }

  private SimHistory.Attempt attempt(Outcome outcome, long endedNanos, long number) {
    return new SimHistory.Attempt(
        txn,
        client.number(),
        plan.isolation(),
        plan.level(),
        invokedNanos,
        endedNanos,
        point,
        keyReads,
        intervalReads,
        outcome == Outcome.READ_ONLY ? List.of() : writes,
        outcome,
        number);
  }

  /** The attempt as it stands when the run ends: of unknown outcome once a commit was sent. */
  Optional<SimHistory.Attempt> unfinished() {
    if (done || !begun) {
      return Optional.empty();
    }
    done = true;
    return Optional.of(
        attempt(writes.isEmpty() ? Outcome.READ_ONLY : Outcome.UNKNOWN, Long.MAX_VALUE, 0));
  }
}
