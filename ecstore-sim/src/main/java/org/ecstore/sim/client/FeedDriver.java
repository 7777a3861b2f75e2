package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * A reader of changes (rule 29), which asks whichever nodes are there. Each answer is held against
 * the ledger the moment that it comes: every commit to its keys between the marks, once, in order,
 * none that is not durable.
 */
public final class FeedDriver {
  private static final int WAIT_MILLIS_MAX = 3_000;
  private static final long GRACE_NANOS = 8 * SwarmSettings.SECOND;

  private final World world;
  private final SimClient client;
  private final SimLedger ledger;
  private final SimRandom random;
  private final List<KeyRange> intervals;
  private final KeptLedger kept;
  private final LedgerModel model = new LedgerModel();
  private ChangeMark mark = ChangeMark.after(Position.ZERO);

  /** What it was told is gone. */
  private long gone;

  private boolean isHurried;
  private boolean stopping;
  private boolean stopped;

  /** What is kept for readers, as of now. */
  public interface KeptLedger {
    /** Why a record ought to be there still; absent if it need not. */
    Optional<String> isOwed(long position);
  }

  /** A reader of some of the keys, or of all. */
  public FeedDriver(World world, SimClient client, SimLedger ledger, KeptLedger kept) {
    this.world = world;
    this.client = client;
    this.ledger = ledger;
    this.kept = kept;
    this.random = client.random();
    this.intervals = intervals(random);
  }

  private static List<KeyRange> intervals(SimRandom random) {
    List<KeyRange> drawn = new ArrayList<>();
    for (int i = random.between(0, 3); i > 0; i--) {
      Bytes one = SimKeys.register(random.between(0, 7));
      drawn.add(random.chance(0.5) ? KeyRange.single(one) : KeyRange.of(Bytes.EMPTY, one));
    }
    return drawn.isEmpty() ? List.of(KeyRange.ALL) : KeyRange.merged(drawn);
  }

  /** Begins. It goes on until the run is over. */
  public void start() {
    world.scheduler().after(random.between(0, 2_000) * SwarmSettings.MILLI, this::ask);
  }

  /** From now on it has nothing else to do: it is to come to the end soon. */
  public void hurry() {
    isHurried = true;
  }

  /** Ends with the next answer. */
  public void stop() {
    stopping = true;
  }

  public boolean stopped() {
    return stopped;
  }

  /** How far it has come. */
  public long position() {
    return mark.after().value();
  }

  private void ask() {
    if (stopping) {
      stopped = true;
      return;
    }
    ChangeMark asked = mark;
    int waitMillis = random.chance(0.3) ? 0 : random.between(1, WAIT_MILLIS_MAX);
    long end = ledger.end();
    long since = world.nowNanos();
    int bytesMax = random.chance(0.5) ? random.between(1, 500) : 1 << 20;
    client.call(
        client.anyNode(),
        new ClientRequest.ReadChanges(asked, intervals, bytesMax, waitMillis),
        waitMillis * SwarmSettings.MILLI + GRACE_NANOS,
        reply -> {
          world.line("client " + client.number(), "changes after " + asked + ": " + reply);
          reply.ifPresent(some -> take(asked, some, end, world.nowNanos() - since));
          if (world.violations().isEmpty()) {
            boolean rests = reply.isEmpty() || reply.get() instanceof ClientReply.Refused;
            long pause = rests || (!isHurried && random.chance(0.1)) ? 500 : 20;
            world.scheduler().after(random.between(1, pause) * SwarmSettings.MILLI, this::ask);
          }
        });
  }

  private void take(ChangeMark asked, ClientReply reply, long endThen, long tookNanos) {
    model.catchUp(ledger.durable());
    if (reply instanceof ClientReply.ChangesRead told) {
      check(asked, told);
      ChangeMark then =
          ChangeMark.after(new Position(Math.max(endThen, told.mark().after().value())));
      if (told.current() && !expected(told.mark(), then).isEmpty()) {
        violated(
            Promises.FEEDS_CONFIRMED,
            "after %s, where the ledger ended at %d, %d ms before"
                .formatted(asked, endThen, tookNanos / SwarmSettings.MILLI));
      }
      mark = told.mark();
    } else if (reply instanceof ClientReply.ChangesLost lost) {
      lost(asked, lost);
    } else if (!(reply instanceof ClientReply.Refused)) {
      violated(Promises.FEEDS, "an answer to something else: " + reply);
    }
  }

  private void lost(ChangeMark asked, ClientReply.ChangesLost lost) {
    if (lost.first().isAtOrBelow(asked.after().next())) {
      violated(Promises.FEEDS_KEPT, "after " + asked + ": " + lost);
      return;
    }
    if (lost.first().value() > ledger.first() || lost.last().value() > model.end()) {
      violated(
          Promises.FEEDS_LOST,
          "after %s it was told %s, the ledger begins at %d and ends at %d"
              .formatted(asked, lost, ledger.first(), model.end()));
      return;
    }
    gone = lost.first().value() - 1;
    kept.isOwed(gone)
        .ifPresent(why -> violated(Promises.FEEDS_KEPT, "record " + gone + " is gone: " + why));
    world.happened("a reader of changes came too late");
    mark = ChangeMark.after(new Position(gone));
  }

  private void check(ChangeMark asked, ClientReply.ChangesRead told) {
    if (told.mark().after().value() > model.end()) {
      violated(Promises.FEEDS, told.mark() + " is above what is durable, " + model.end());
      return;
    }
    if (isBehind(told.mark(), asked)) {
      violated(Promises.FEEDS, "after " + asked + " it was sent back to " + told.mark());
      return;
    }
    List<ClientReply.CommitChanges> expected = expected(asked, told.mark());
    // One that began in what is gone may be known still, as nodes keep what they have read lately.
    List<ClientReply.CommitChanges> owed =
        told.commits().stream()
            .filter(commit -> model.beginningOf(commit.number().value()) > gone)
            .toList();
    if (!expected.equals(owed)) {
      violated(
          Promises.FEEDS,
          "between %s and %s there are %s, told was %s"
              .formatted(asked, told.mark(), expected, told.commits()));
    }
    if (told.mark().within().isPresent()) {
      world.happened("a commit was told in parts");
    }
  }

  private static boolean isBehind(ChangeMark mark, ChangeMark before) {
    if (!mark.after().equals(before.after())) {
      return before.after().isAfter(mark.after());
    }
    return before.within().isPresent()
        && (mark.within().isEmpty()
            || mark.within().get().through().compareTo(before.within().get().through()) < 0);
  }

  /** By the ledger: what there is between two marks. */
  private List<ClientReply.CommitChanges> expected(ChangeMark from, ChangeMark to) {
    long through = to.within().map(part -> part.number().value()).orElse(to.after().value());
    List<ClientReply.CommitChanges> all = new ArrayList<>();
    model
        .commits(from.after().value(), through)
        .forEach(
            (number, commit) -> {
              List<KeyWrite> writes = writes(commit, number, from, to);
              if (!writes.isEmpty()) {
                all.add(new ClientReply.CommitChanges(new Position(number), writes));
              }
            });
    return all;
  }

  private List<KeyWrite> writes(
      LedgerRecord.Commit commit, long number, ChangeMark from, ChangeMark to) {
    if (model.beginningOf(number) <= gone) {
      return List.of();
    }
    return commit.writes().stream()
        .filter(write -> intervals.stream().anyMatch(keys -> keys.contains(write.key())))
        .filter(write -> !isTaken(from, number, write.key()))
        .filter(
            write ->
                to.within().isEmpty()
                    || to.within().get().number().value() != number
                    || isTaken(to, number, write.key()))
        .toList();
  }

  private static boolean isTaken(ChangeMark by, long number, Bytes key) {
    return by.within()
        .filter(part -> part.number().value() == number)
        .filter(part -> key.compareTo(part.through()) <= 0)
        .isPresent();
  }

  private void violated(String promise, String detail) {
    world.violated(promise, "reader " + client.number() + ": " + detail);
  }
}
