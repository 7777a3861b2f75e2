package org.ecstore.sim.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.sim.ledger.SimLedger.TakeOverStep;
import org.ecstore.sim.ledger.SimSegments.Append;
import org.ecstore.sim.ledger.SimSegments.Segment;
import org.ecstore.sim.ledger.SimSegments.SegmentList;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * One life's way to the ledger, step by step as the adapter for the real one goes (rule 6). A
 * take-over reads the list, recovers the last two segments, creates one of its own and swaps the
 * list against the version it read first. A roll creates a segment, closes the old one once nothing
 * is in flight, swaps the list, and only then appends to the new one. Steps are requests ({@link
 * ServiceCalls}).
 */
public class SegmentedLedger implements Ledger {
  private static final long POLL_NANOS = 20_000_000L;
  private static final int RECOVERED = 2;
  private static final int SWAPS_LOST_MAX = 4;

  private final SimSegments store;
  private final World world;
  private final SwarmSettings.LedgerFaults faults;
  private final Life life;
  private final SimRandom random;
  private final ServiceCalls calls;
  private final Deque<Append> inFlight = new ArrayDeque<>();
  private final Deque<Append> waiting = new ArrayDeque<>();
  private final Deque<Event> replies = new ArrayDeque<>();
  private final Deque<Runnable> listSteps = new ArrayDeque<>();
  private @Nullable Segment current;
  private long listVersion;
  private List<Segment> listed = List.of();
  private long attempt;
  private long calledOff;
  private boolean writing;
  private boolean rolling;
  private boolean listBusy;
  private long lastAppendNanos;
  private long lastReplyNanos;
  private long appendedEnd;
  private long seenEnd;
  private int swapsLost;

  public SegmentedLedger(SimSegments store, Life life) {
    this.store = store;
    this.world = store.world();
    this.faults = store.faults();
    this.life = life;
    this.random = world.random("ledger" + life.name());
    this.calls = new ServiceCalls(store, life, random);
  }

  final Life life() {
    return life;
  }

  /** The process ends: what it had sent may still arrive. */
  final void crash() {
    calls.crash();
    Segment segment = current;
    if (segment != null) {
      int kept = random.between(0, inFlight.size());
      List<Append> lost = new ArrayList<>(inFlight).subList(kept, inFlight.size());
      segment.doubtful.removeAll(lost);
      landLate(segment);
    }
    inFlight.clear();
    waiting.clear();
  }

  // --------------------------------------------------------------- take-over

  @Override
  public final void fence(long token) {
    writing = false;
    refuseWaiting("fenced by itself");
    long mine = ++attempt;
    swapsLost = 0;
    List<Runnable> ended = List.copyOf(listSteps);
    listSteps.clear();
    listBusy = false;
    ended.forEach(Runnable::run);
    takeOver(mine, token);
  }

  @Override
  public final void cancel(long token) {
    calledOff = token;
  }

  /** Whether a take-over that the node no longer wants ends here; then that is its answer. */
  private boolean ends(long token) {
    if (token == calledOff) {
      fenceFailed(token, "called off");
    }
    return token == calledOff;
  }

  private void takeOver(long mine, long token) {
    if (ends(token)) {
      return;
    }
    if (!inFlight.isEmpty()) {
      // Its own appends end first, in order.
      world.scheduler().after(1_000_000L, () -> calls.inProcess(() -> takeOver(mine, token)));
      return;
    }
    Consumer<String> failed = detail -> fenceFailed(token, detail);
    calls.ask(
        faults.callFailed(),
        this::readList,
        opened -> recoverLast(opened, 0, mine, token, failed),
        failed);
  }

  private void fenceFailed(long token, String detail) {
    life.post(new Event.LedgerDone(token, new LedgerResult.Failed("fence: " + detail)));
  }

  private SegmentList readList() {
    boolean stale = world.faulty() && random.chance(faults.callFailed());
    long lag = stale ? random.between(0L, faults.readLagNanosMax()) : 0;
    SegmentList seen = store.staleList(world.nowNanos() - lag, listVersion);
    store.step(TakeOverStep.LIST_READ, life);
    return seen;
  }

  /** The last two: a writer that rolled may have come half way. */
  protected List<Segment> toRecover(SegmentList opened) {
    List<Segment> all = opened.segments();
    return all.subList(Math.max(0, all.size() - RECOVERED), all.size());
  }

  private void recoverLast(
      SegmentList opened, int index, long mine, long token, Consumer<String> failed) {
    if (ends(token)) {
      return;
    }
    List<Segment> all = toRecover(opened);
    if (index == all.size()) {
      create(opened, mine, token, failed);
      return;
    }
    Segment segment = all.get(index);
    calls.ask(
        faults.callFailed(),
        () -> {
          store.fence(segment);
          store.step(TakeOverStep.FENCED, life);
          return true;
        },
        _ ->
            calls.ask(
                faults.callFailed(),
                () -> {
                  store.recover(segment, random);
                  store.step(TakeOverStep.RECOVERED, life);
                  return true;
                },
                _ -> recoverLast(opened, index + 1, mine, token, failed),
                failed),
        failed);
  }

  private void create(SegmentList opened, long mine, long token, Consumer<String> failed) {
    long last = opened.segments().isEmpty() ? 0 : lastPosition(opened.segments().getLast());
    calls.ask(
        faults.callFailed(),
        () -> {
          store.step(TakeOverStep.CREATED, life);
          return store.create(life, last + 1);
        },
        own -> swapIn(opened, own, last, mine, token, failed),
        failed);
  }

  /** Where a recovered segment ends. */
  protected long lastPosition(Segment recovered) {
    return recovered.last();
  }

  /** Rule 6: against the version read before fencing. */
  protected SegmentList toSwap(SegmentList opened, SegmentList now) {
    return opened;
  }

  private void swapIn(
      SegmentList opened, Segment own, long last, long mine, long token, Consumer<String> failed) {
    if (ends(token)) {
      return;
    }
    SegmentList base = toSwap(opened, store.list());
    List<Segment> next = new ArrayList<>(base.segments());
    next.add(own);
    calls.ask(
        faults.casUnknown(),
        () -> {
          boolean swapped = store.swap(base.version(), next);
          if (swapped) {
            store.step(TakeOverStep.SWAPPED, life);
          }
          return swapped;
        },
        swapped -> {
          if (swapped) {
            tookOver(base.version() + 1, next, last, mine, token);
          } else if (++swapsLost < SWAPS_LOST_MAX) {
            // A writer rolled, trimmed or took over: all over again, from the list on.
            takeOver(mine, token);
          } else {
            failed.accept("another node takes over");
          }
        },
        detail ->
            settleSwap(
                own,
                () -> tookOver(base.version() + 1, next, last, mine, token),
                () -> failed.accept(detail)));
  }

  /** A lost reply to a compare-and-set: the list itself says what came of it. */
  private void settleSwap(Segment own, Runnable in, Runnable out) {
    if (random.chance(0.3)) {
      out.run();
      return;
    }
    calls.ask(
        faults.callFailed(),
        () -> store.list().segments(),
        segments -> {
          if (!segments.isEmpty() && segments.getLast() == own) {
            in.run();
          } else {
            out.run();
          }
        },
        _ -> out.run());
  }

  private void tookOver(long version, List<Segment> next, long last, long mine, long token) {
    if (mine != attempt) {
      fenceFailed(token, "overtaken by a later one of the same node");
      return;
    }
    listVersion = version;
    listed = List.copyOf(next);
    current = next.getLast();
    writing = true;
    rolling = false;
    appendedEnd = last;
    lastAppendNanos = world.nowNanos();
    store.acknowledge(last, world.nowNanos());
    life.post(
        new Event.LedgerDone(
            token, new LedgerResult.Fenced(new Position(store.first()), new Position(last))));
  }

  // ----------------------------------------------------------------- appends

  @Override
  public final void append(long token, LedgerEntry entry) {
    Append append = new Append(token, entry);
    if (!writing) {
      answerAppend(append, new LedgerResult.AppendUnknown("not the writer"));
      return;
    }
    Check.that(
        entry.after().value() == appendedEnd,
        "an entry follows the last one",
        appendedEnd,
        entry.after());
    appendedEnd = entry.last().value();
    if (rolling) {
      waiting.add(append);
    } else {
      send(append);
    }
  }

  private Segment segment() {
    Segment segment = current;
    if (segment == null) {
      throw new IllegalStateException("a writer has a segment");
    }
    return segment;
  }

  private void send(Append append) {
    Segment segment = segment();
    append.arrives = random.chance(0.5);
    segment.doubtful.add(append);
    inFlight.add(append);
    lastAppendNanos =
        Math.max(
            lastAppendNanos,
            world.nowNanos() + random.between(50_000L, world.atMost(faults.appendNanosMax())));
    world.scheduler().at(lastAppendNanos, () -> settle(segment, append));
  }

  private void settle(Segment segment, Append append) {
    if (append.answered || calls.isDead()) {
      return;
    }
    // Of what was on its way when the node was cut off some arrives, and only the reply waits.
    boolean held = store.isCut(life.node()) && !append.arrives;
    if (held || inFlight.peekFirst() != append) {
      world.scheduler().after(POLL_NANOS / 4, () -> settle(segment, append));
    } else if (store.isOutOfReach(life.node())) {
      doubtAll("no answer in time", segment);
    } else if (segment.isShut()) {
      doubtAll("fenced", segment);
    } else if (store.full()) {
      refuseAll(segment, true, "no room");
    } else if (world.faulty() && random.chance(faults.rejected())) {
      refuseAll(segment, false, "refused");
    } else if (world.faulty() && random.chance(faults.lostAppend())) {
      doubtAll("lost", segment);
    } else if (world.faulty() && random.chance(faults.lostReply())) {
      store.land(segment);
      doubtAll("no reply", segment);
    } else {
      store.land(segment);
      inFlight.removeFirst();
      answerAppend(append, new LedgerResult.Appended(append.entry.last()));
      segment.confirm(append.entry.last().value());
      store.acknowledge(append.entry.last().value(), lastReplyNanos);
      if (segment == current && segment.entries() >= faults.segmentEntriesMax()) {
        roll();
      }
    }
  }

  /** Replies to appends keep their order. */
  private void answerAppend(Append append, LedgerResult result) {
    append.answered = true;
    lastReplyNanos =
        Math.max(
            lastReplyNanos,
            world.nowNanos() + random.between(0L, world.atMost(faults.appendNanosMax())));
    replies.add(new Event.LedgerDone(append.token, result));
    world
        .scheduler()
        .at(lastReplyNanos, () -> calls.whenReached(() -> life.post(replies.removeFirst())));
  }

  private void refuseAll(Segment segment, boolean outOfSpace, String detail) {
    writing = false;
    for (Append append : inFlight) {
      segment.doubtful.remove(append);
      answerAppend(append, new LedgerResult.Rejected(outOfSpace, detail));
    }
    inFlight.clear();
    refuseWaiting(detail);
  }

  /** Nothing is known of what is in flight: it is in the segment's hands, until that is closed. */
  private void doubtAll(String detail, Segment segment) {
    writing = false;
    for (Append append : inFlight) {
      answerAppend(append, new LedgerResult.AppendUnknown(detail));
    }
    inFlight.clear();
    refuseWaiting(detail);
    landLate(segment);
  }

  private void refuseWaiting(String detail) {
    rolling = false;
    for (Append append : waiting) {
      answerAppend(append, new LedgerResult.AppendUnknown(detail));
    }
    waiting.clear();
  }

  /** What is on its way without a writer that waits for it lands late, or never. */
  private void landLate(Segment segment) {
    int some = random.chance(0.5) ? random.between(0, segment.doubtful.size()) : 0;
    long at = 0;
    for (Append append : List.copyOf(segment.doubtful).subList(0, some)) {
      at += random.skewedNanos(10_000L, world.atMost(1_000_000_000L));
      world
          .scheduler()
          .after(
              at,
              () -> {
                if (!segment.isShut() && segment.doubtful.indexOf(append) == 0) {
                  store.land(segment);
                }
              });
    }
  }

  // -------------------------------------------------- changes of the list

  /** Changes of the list by this writer are made one after the other. */
  private void listStep(Runnable step) {
    listSteps.add(step);
    nextListStep();
  }

  private void nextListStep() {
    Runnable next = listBusy ? null : listSteps.poll();
    if (next != null) {
      listBusy = true;
      next.run();
    }
  }

  private void listStepDone(long mine) {
    if (mine == attempt) {
      listBusy = false;
      nextListStep();
    }
  }

  final void rollNow() {
    calls.inProcess(
        () -> {
          if (writing && segment().entries() > 0) {
            roll();
          }
        });
  }

  private void roll() {
    if (!rolling && writing) {
      rolling = true;
      long mine = attempt;
      listStep(() -> awaitInFlight(mine));
    }
  }

  private void awaitInFlight(long mine) {
    if (mine != attempt) {
      return;
    }
    if (!writing) {
      listStepDone(mine);
    } else if (!inFlight.isEmpty()) {
      world.scheduler().after(500_000L, () -> calls.inProcess(() -> awaitInFlight(mine)));
    } else {
      Segment old = segment();
      Consumer<String> failed = detail -> rollFailed(mine, detail);
      calls.ask(
          faults.callFailed(),
          () -> store.create(life, old.last() + 1),
          own -> {
            if (appendsBeforeSwap() && mine == attempt) {
              rolled(own, listVersion, listed, mine);
            }
            closeAndSwap(old, own, mine, failed);
          },
          failed);
    }
  }

  /** Rule 6: a new segment takes appends only once the old one is closed and the list swapped. */
  protected boolean appendsBeforeSwap() {
    return false;
  }

  private void closeAndSwap(Segment old, Segment own, long mine, Consumer<String> failed) {
    long expected = listVersion;
    List<Segment> next = new ArrayList<>(listed);
    next.add(own);
    calls.ask(
        faults.callFailed(),
        () -> store.close(old, random),
        closed -> {
          if (mine != attempt || !closed) {
            failed.accept("fenced");
            return;
          }
          calls.ask(
              faults.casUnknown(),
              () -> store.swap(expected, next),
              swapped -> {
                if (swapped) {
                  rolled(own, expected + 1, next, mine);
                } else {
                  failed.accept("another node has taken over");
                }
              },
              detail ->
                  settleSwap(
                      own,
                      () -> rolled(own, expected + 1, next, mine),
                      () -> failed.accept(detail)));
        },
        failed);
  }

  private void rollFailed(long mine, String detail) {
    if (mine == attempt) {
      world.line("ledger", life.node() + " cannot roll: " + detail);
      writing = false;
      refuseWaiting(detail);
      listStepDone(mine);
    }
  }

  private void rolled(Segment own, long version, List<Segment> next, long mine) {
    if (mine != attempt) {
      return;
    }
    listVersion = version;
    listed = List.copyOf(next);
    current = own;
    rolling = false;
    List<Append> held = List.copyOf(waiting);
    waiting.clear();
    held.forEach(this::send);
    listStepDone(mine);
  }

  @Override
  public final void trim(long token, Position below) {
    if (writing) {
      long mine = attempt;
      listStep(() -> trimOwn(token, below, mine));
    } else {
      trimAsStranger(token, below);
    }
  }

  private void trimOwn(long token, Position below, long mine) {
    List<Segment> kept = keptAbove(listed, below);
    long expected = listVersion;
    if (mine != attempt || kept.size() == listed.size()) {
      trimDone(token, mine);
      return;
    }
    calls.ask(
        faults.casUnknown(),
        () -> store.swap(expected, kept),
        swapped -> {
          if (swapped && mine == attempt) {
            listVersion = expected + 1;
            listed = kept;
          }
          trimDone(token, mine);
        },
        _ -> {
          SegmentList now = store.list();
          // Else the version is not known: the next roll fails, and the ledger is taken over anew.
          if (random.chance(0.5) && mine == attempt && now.segments().equals(kept)) {
            listVersion = now.version();
            listed = kept;
          }
          trimDone(token, mine);
        });
  }

  /** One that does not write, or not any more, goes by the list as it is. */
  private void trimAsStranger(long token, Position below) {
    if (!faults.strangersTrim()) {
      trimDone(token, -1);
      return;
    }
    calls.ask(
        faults.callFailed(),
        () -> {
          SegmentList now = store.list();
          List<Segment> kept = keptAbove(now.segments(), below);
          return kept.size() == now.segments().size() || store.swap(now.version(), kept);
        },
        _ -> trimDone(token, -1),
        _ -> trimDone(token, -1));
  }

  private List<Segment> keptAbove(List<Segment> from, Position below) {
    int gone = 0;
    while (gone + 1 < from.size() && from.get(gone).last() < below.value()) {
      gone++;
    }
    boolean lazy = world.faulty() && random.chance(faults.lazyTrim());
    return List.copyOf(from.subList(lazy ? random.between(0, gone) : gone, from.size()));
  }

  private void trimDone(long token, long mine) {
    calls.answer(10_000, token, new LedgerResult.TrimDone(new Position(store.first())));
    listStepDone(mine);
  }

  // ------------------------------------------------------------------- reads

  @Override
  public final void read(long token, Position from, int bytesMax) {
    long delay = random.between(10_000L, world.atMost(faults.readNanosMax()));
    long mustSee = store.acknowledgedBy(world.nowNanos());
    world
        .scheduler()
        .after(
            delay,
            () ->
                calls.whenReached(
                    () -> {
                      boolean fails = store.isUnreadable(life.node());
                      if (fails || (world.faulty() && random.chance(faults.readFailed()))) {
                        calls.answer(delay, token, new LedgerResult.Failed("read: no reply"));
                      } else {
                        int most = Math.min(bytesMax, faults.readBytesMax());
                        LedgerResult seen = look(from.value(), most, mustSee);
                        calls.answer(random.between(0L, delay), token, seen);
                      }
                    }));
  }

  private LedgerResult look(long from, int bytesMax, long mustSee) {
    if (from < store.first() && store.isTrimmed()) {
      return new LedgerResult.Trimmed(new Position(store.first()));
    }
    List<LedgerEntry> all = store.durable();
    long cutoff = world.nowNanos() - random.between(0L, world.atMost(faults.readLagNanosMax()));
    int visible = store.visible(cutoff, Math.max(seenEnd, mustSee));
    long visibleEnd = visible == 0 ? 0 : all.get(visible - 1).last().value();
    seenEnd = Math.max(seenEnd, visibleEnd);
    List<LedgerEntry> found = new ArrayList<>();
    long bytes = 0;
    for (int i = store.indexOf(from); i < visible && (found.isEmpty() || bytes < bytesMax); i++) {
      found.add(all.get(i));
      bytes += all.get(i).records().stream().mapToLong(record -> record.length()).sum();
    }
    RunsOfParts.noteReadWithin(found, world);
    if (visible < all.size()) {
      return new LedgerResult.Entries(found, new Position(visibleEnd));
    }
    long end = visibleEnd;
    for (LedgerEntry entry : beyondConfirmed(store.list())) {
      if (entry.last().value() >= from) {
        found.add(entry);
        end = entry.last().value();
      }
    }
    return new LedgerResult.Entries(found, new Position(end));
  }

  /** Rule 6: who reads on reads to the last-confirmed position only. */
  protected List<LedgerEntry> beyondConfirmed(SegmentList now) {
    return List.of();
  }
}
