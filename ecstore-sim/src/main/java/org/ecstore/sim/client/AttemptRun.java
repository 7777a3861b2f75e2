package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.id.NodeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimHistory.Outcome;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

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
  private final CatalogStamp catalog;

  private final AttemptSnapshot snapshot;
  private final AttemptReads reads;
  private List<KeyWrite> writes = List.of();
  private boolean gaveUp;
  private TxnId txn;

  /** What it was told last of the outcome floor; 0 if nothing. */
  private long floor;

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
    this.catalog = new CatalogStamp(client.catalogVersion(), plan.changesCatalog());
    this.snapshot = new AttemptSnapshot(client, plan);
    this.reads = new AttemptReads(this, snapshot, client, plan);
  }

  private TxnId nextId() {
    return new TxnId(0x5000 + client.number(), client.nextSequence());
  }

  public void start() {
    boolean beginsByReading =
        !plan.steps().isEmpty() && !(plan.steps().getFirst() instanceof Plan.Hold);
    if (beginsByReading && random.chance(0.5)) {
      step(0);
    } else {
      begin();
    }
  }

  private void begin() {
    client.nodeToBeginAt(
        node ->
            snapshot.begin(
                node,
                () -> step(0),
                reply -> {
                  checkRefusal(reply);
                  again(this::begin);
                }));
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
  void again(Runnable what) {
    if (world.nowNanos() >= deadlineNanos) {
      giveUp();
    } else {
      world.scheduler().after(random.between(1_000_000L, 100_000_000L), what);
    }
  }

  /** Ends without a commit. */
  void giveUp() {
    gaveUp = true;
    finish(Outcome.READ_ONLY, 0);
  }

  /** The id of the commit, if there shall be one. */
  TxnId txn() {
    return txn;
  }

  /** A right request is not refused for what is wrong with it. */
  void checkRefusal(Optional<ClientReply> reply) {
    if (reply.isPresent()
        && reply.get() instanceof ClientReply.Refused refused
        && (refused.code() == RefusalCode.BAD_REQUEST || refused.code() == RefusalCode.TOO_LARGE)) {
      world.violated("a right request is not refused", txn + ": " + refused);
    }
  }

  private void step(int index) {
    if (index == plan.steps().size()) {
      writes =
          plan.writes().apply(new Plan.Seen(reads.seen())).stream()
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
      case Plan.Get get -> reads.get(get.keys(), next);
      case Plan.Scan scan -> reads.scan(scan, scan.interval(), scan.rowsMax(), next);
      case Plan.Hold hold -> world.scheduler().after(world.atMost(hold.nanos()), next);
    }
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
          reads.keys().forEach(read -> keys.add(read.key()));
          ClientRequest request =
              new ClientRequest.Commit(
                  txn,
                  snapshot.point(),
                  plan.isolation(),
                  serializable ? List.copyOf(keys) : List.of(),
                  serializable
                      ? KeyRange.merged(
                          reads.intervals().stream().map(SimHistory.IntervalRead::covered).toList())
                      : List.of(),
                  writes,
                  COMMIT_TIMEOUT_MILLIS,
                  Optional.of(catalog));
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
          case SNAPSHOT_TOO_OLD, TOO_LARGE, OVER_QUOTA, BAD_REQUEST -> finish(Outcome.ABORTED, 0);
        }
      }
      case ClientReply.OutcomeExpired expired -> {
        expired(expired);
        unknown();
      }
      default -> unknown();
    }
  }

  /** Said only of what began below the floor; whether that is the floor, the ledger says later. */
  private void expired(ClientReply.OutcomeExpired expired) {
    world.happened("an outcome has expired");
    if (expired.floor().isAtOrBelow(snapshot.point().position())) {
      world.violated(
          Promises.EXPIRED_BELOW_THE_FLOOR,
          "%s of snapshot %s: %s".formatted(txn, snapshot.point().position(), expired));
    }
    floor = expired.floor().value();
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
          case AbortReason.CatalogChanged changed -> {
            if (changed.version() == catalog.version()) {
              world.violated("who names the newest catalog is not refused for it", txn.toString());
            }
            client.sawCatalog(changed.version());
            yield false;
          }
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
      floor = 0;
      world.scheduler().after(random.between(1_000_000L, 100_000_000L), this::commit);
    }
  }

  private void committed(ClientReply.Committed committed) {
    client.saw(committed.point());
    if (!committed.number().isAtOrBelow(committed.point().position())) {
      world.violated("the point of a commit's answer covers it", txn + ": " + committed);
    }
    client.sawCatalog(catalog.begins());
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
        new ClientRequest.AskOutcome(txn, snapshot.point()),
        CALL_TIMEOUT_NANOS,
        reply -> {
          checkRefusal(reply);
          if (reply.isPresent() && reply.get() instanceof ClientReply.Committed committed) {
            committed(committed);
          } else if (reply.isPresent() && reply.get() instanceof ClientReply.Aborted aborted) {
            aborted(aborted);
          } else if (reply.isPresent()
              && reply.get() instanceof ClientReply.OutcomeExpired expired) {
            expired(expired);
            finish(Outcome.UNKNOWN, 0);
          } else {
            world.scheduler().after(random.between(5_000_000L, 300_000_000L), this::settle);
          }
        });
  }

  private void finish(Outcome outcome, long number) {
    snapshot.over();
    world.trace().mix(number);
    if (!snapshot.hasBegun()) {
      then.accept(Optional.empty());
      return;
    }
    snapshot.end();
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
        snapshot.point(),
        reads.keys(),
        reads.intervals(),
        outcome == Outcome.READ_ONLY ? List.of() : writes,
        catalog,
        outcome,
        number,
        floor);
  }
}
