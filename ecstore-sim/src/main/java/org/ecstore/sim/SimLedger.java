package org.ecstore.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * The commit ledger of a simulated cluster: durable once written, one writer at a time by fencing
 * (rule 6). Entries become durable late and in order; replies get lost, so that the writer cannot
 * know; a fence takes effect late; a crash of the writer lets some of what was under way arrive. It
 * keeps everything ever written for the checkers, trimmed or not.
 */
public final class SimLedger {
  private final World world;
  private final SwarmSettings.LedgerFaults faults;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private final List<Long> durableAtNanos = new ArrayList<>();
  private final List<Port> ports = new ArrayList<>();
  private int firstKept;
  private final TreeMap<Long, Long> acknowledgedAtNanos = new TreeMap<>();
  private long acknowledged;
  private long term;
  private boolean full;
  private Runnable onTrim = () -> {};
  private Consumer<LedgerEntry> onWrite = entry -> {};

  public SimLedger(World world, SwarmSettings.LedgerFaults faults) {
    this.world = world;
    this.faults = faults;
  }

  /** Every durable entry, trimmed ones too. */
  public List<LedgerEntry> durable() {
    return Collections.unmodifiableList(entries);
  }

  /** The last durable position. */
  public long end() {
    return entries.isEmpty() ? 0 : entries.getLast().last().value();
  }

  /** The first position that is kept. */
  public long first() {
    return firstKept < entries.size() ? entries.get(firstKept).first().value() : end() + 1;
  }

  /** While full, appends are refused for lack of room. */
  public void full(boolean isFull) {
    full = isFull;
  }

  /** Tells of every trim, in that very moment. */
  void onTrim(Runnable listener) {
    onTrim = listener;
  }

  /** Tells of every entry that becomes durable, in that very moment. */
  void onWrite(Consumer<LedgerEntry> listener) {
    onWrite = listener;
  }

  /** The port of one life of a node. */
  public Ledger port(Life life) {
    Port port = new Port(life);
    ports.add(port);
    return port;
  }

  /** The end of a life: some of its appends under way still arrive. */
  public void crashed(Life life) {
    ports.removeIf(
        port -> {
          if (!port.life.equals(life)) {
            return false;
          }
          port.crash();
          return true;
        });
  }

  /** The index of the entry that holds a position, or of the first after it. */
  private int indexOf(long position) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).last().value() < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The end of what somebody knew to be durable at a time: later reads see at least that. */
  private long acknowledgedBy(long nanos) {
    acknowledgedAtNanos.forEach(
        (position, knownAtNanos) -> {
          if (knownAtNanos <= nanos) {
            acknowledged = Math.max(acknowledged, position);
          }
        });
    acknowledgedAtNanos.headMap(acknowledged, true).clear();
    return acknowledged;
  }

  private void write(Life writer, LedgerEntry entry) {
    if (entry.first().value() <= end()) {
      world.violated(
          "no position is used twice",
          writer.node() + " appends " + entry.first() + " after " + end());
      return;
    }
    world.trace().mix(entry.last().value());
    world.line("ledger", writer.node() + " wrote " + entry.first() + " to " + entry.last());
    entries.add(entry);
    durableAtNanos.add(world.nowNanos());
    onWrite.accept(entry);
  }

  private static final class Pending {
    final long token;
    final LedgerEntry entry;
    boolean settled;

    Pending(long token, LedgerEntry entry) {
      this.token = token;
      this.entry = entry;
    }
  }

  private final class Port implements Ledger {
    private final Life life;
    private final SimRandom random;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long myTerm = -1;
    private boolean writing;
    private long lastAppendNanos;
    private long lastReplyNanos;
    private long appendedEnd;
    private long seenEnd;
    private boolean dead;

    Port(Life life) {
      this.life = life;
      this.random = world.random("ledger" + life.name());
    }

    private void answer(long delayNanos, long token, LedgerResult result) {
      world.scheduler().after(delayNanos, () -> life.post(new Event.LedgerDone(token, result)));
    }

    /** Replies to appends keep their order. */
    private void answerAppend(long token, LedgerResult result) {
      lastReplyNanos =
          Math.max(
              lastReplyNanos,
              world.nowNanos() + random.between(0L, world.atMost(faults.appendNanosMax())));
      answer(lastReplyNanos - world.nowNanos(), token, result);
    }

    @Override
    public void fence(long token) {
      writing = false;
      long delay = random.between(10_000L, world.atMost(faults.fenceNanosMax()));
      if (world.faulty() && random.chance(faults.readFailed())) {
        boolean takesEffect = random.chance(0.5);
        world
            .scheduler()
            .after(
                delay,
                () -> {
                  if (takesEffect && !dead) {
                    takeOver();
                    writing = false;
                  }
                  answer(delay, token, new LedgerResult.Failed("fence: no quorum"));
                });
        return;
      }
      world
          .scheduler()
          .after(
              delay,
              () -> {
                if (dead) {
                  return;
                }
                takeOver();
                long reply = random.between(0L, world.atMost(faults.fenceNanosMax()));
                acknowledgedAtNanos.merge(end(), world.nowNanos() + reply, Math::min);
                answer(
                    reply,
                    token,
                    new LedgerResult.Fenced(new Position(first()), new Position(end())));
              });
    }

    private void takeOver() {
      for (Port other : ports) {
        other.fenced(other == this, random);
      }
      fenceCrashed();
      term++;
      myTerm = term;
      writing = true;
      appendedEnd = end();
      lastAppendNanos = world.nowNanos();
    }

    /** A writer comes: of what another has under way a prefix is in, the rest never will be. */
    private void fenced(boolean byItself, SimRandom chooser) {
      int in = byItself ? pending.size() : chooser.between(0, pending.size());
      while (!pending.isEmpty()) {
        Pending next = pending.poll();
        next.settled = true;
        if (in-- > 0) {
          write(life, next.entry);
        }
        if (byItself) {
          acknowledge(next);
        } else {
          answerAppend(next.token, new LedgerResult.AppendUnknown("fenced"));
        }
      }
      writing = false;
    }

    private void acknowledge(Pending append) {
      answerAppend(append.token, new LedgerResult.Appended(append.entry.last()));
      acknowledgedAtNanos.merge(append.entry.last().value(), lastReplyNanos, Math::min);
    }

    private void crash() {
      List<Pending> open = pending.stream().filter(p -> !p.settled).toList();
      dead = true;
      int kept = random.between(0, open.size());
      pending.clear();
      if (myTerm == term) {
        crashedAppends.addAll(open.subList(0, kept));
        crashedWriter = life;
        crashedTerm = myTerm;
      }
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      if (!writing) {
        answerAppend(token, new LedgerResult.AppendUnknown("not the writer"));
        return;
      }
      Check.that(
          entry.first().value() > appendedEnd,
          "positions of appended entries only grow",
          appendedEnd,
          entry.first());
      appendedEnd = entry.last().value();
      Pending append = new Pending(token, entry);
      pending.add(append);
      lastAppendNanos =
          Math.max(
              lastAppendNanos,
              world.nowNanos() + random.between(50_000L, world.atMost(faults.appendNanosMax())));
      world.scheduler().at(lastAppendNanos, () -> settle(append));
    }

    private void settle(Pending append) {
      if (append.settled || dead) {
        return;
      }
      append.settled = true;
      pending.remove(append);
      if (full) {
        answerAppend(append.token, new LedgerResult.Rejected(true, "no room"));
        refuseRest(true);
      } else if (world.faulty() && random.chance(faults.rejected())) {
        answerAppend(append.token, new LedgerResult.Rejected(false, "refused"));
        refuseRest(false);
      } else if (world.faulty() && random.chance(faults.lostAppend())) {
        answerAppend(append.token, new LedgerResult.AppendUnknown("lost"));
        doubtRest(0);
      } else if (world.faulty() && random.chance(faults.lostReply())) {
        write(life, append.entry);
        answerAppend(append.token, new LedgerResult.AppendUnknown("no reply"));
        doubtRest(random.between(0, pending.size()));
      } else {
        write(life, append.entry);
        acknowledge(append);
      }
    }

    private void refuseRest(boolean outOfSpace) {
      for (Pending rest : pending) {
        rest.settled = true;
        answerAppend(rest.token, new LedgerResult.Rejected(outOfSpace, "after a refused one"));
      }
      pending.clear();
      writing = false;
    }

    private void doubtRest(int written) {
      int left = written;
      for (Pending rest : pending) {
        rest.settled = true;
        if (left-- > 0) {
          write(life, rest.entry);
        }
        answerAppend(rest.token, new LedgerResult.AppendUnknown("after an unknown one"));
      }
      pending.clear();
      writing = false;
    }

    @Override
    public void read(long token, Position from, int bytesMax) {
      long delay = random.between(10_000L, world.atMost(faults.readNanosMax()));
      long mustSee = acknowledgedBy(world.nowNanos());
      world
          .scheduler()
          .after(
              delay,
              () -> {
                if (world.faulty() && random.chance(faults.readFailed())) {
                  answer(delay, token, new LedgerResult.Failed("read: no reply"));
                } else {
                  LedgerResult seen = look(from.value(), bytesMax, mustSee);
                  answer(random.between(0L, delay), token, seen);
                }
              });
    }

    private LedgerResult look(long from, int bytesMax, long mustSee) {
      if (from < first() && firstKept > 0) {
        return new LedgerResult.Trimmed(new Position(first()));
      }
      int visible = entries.size();
      long cutoff = world.nowNanos() - random.between(0L, world.atMost(faults.readLagNanosMax()));
      while (visible > 0
          && durableAtNanos.get(visible - 1) > cutoff
          && entries.get(visible - 1).last().value() > Math.max(seenEnd, mustSee)) {
        visible--;
      }
      long visibleEnd = visible == 0 ? 0 : entries.get(visible - 1).last().value();
      seenEnd = Math.max(seenEnd, visibleEnd);
      List<LedgerEntry> found = new ArrayList<>();
      long bytes = 0;
      for (int i = indexOf(from); i < visible && (found.isEmpty() || bytes < bytesMax); i++) {
        found.add(entries.get(i));
        bytes += entries.get(i).records().stream().mapToLong(r -> r.length()).sum();
      }
      return new LedgerResult.Entries(found, new Position(visibleEnd));
    }

    @Override
    public void trim(long token, Position below) {
      world
          .scheduler()
          .after(
              random.between(10_000L, world.atMost(faults.readNanosMax())),
              () -> {
                int to = Math.min(indexOf(below.value()), entries.size());
                boolean lazy = world.faulty() && random.chance(faults.lazyTrim());
                if (to > firstKept) {
                  firstKept = lazy ? random.between(firstKept, to) : to;
                  world.line("ledger", life.node() + " trimmed to " + first());
                  onTrim.run();
                }
                answer(10_000, token, new LedgerResult.TrimDone(new Position(first())));
              });
    }
  }

  private final List<Pending> crashedAppends = new ArrayList<>();
  private @Nullable Life crashedWriter;
  private long crashedTerm;

  /** Appends of a dead writer that reached the ledger: they are in when the next writer fences. */
  private void fenceCrashed() {
    Life writer = crashedWriter;
    if (writer != null && crashedTerm == term) {
      crashedAppends.forEach(append -> write(writer, append.entry));
    }
    crashedAppends.clear();
  }
}
