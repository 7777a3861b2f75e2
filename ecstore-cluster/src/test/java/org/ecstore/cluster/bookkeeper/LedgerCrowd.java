package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.Violation;
import org.ecstore.sim.world.World;

/**
 * Processes that fence, append, read, trim, stand still and die, all at one ledger and without a
 * cluster around them, in virtual time: what each of them is told is checked as it comes ({@link
 * CheckedLedger}). In the end, when nothing fails any more, each must get to read all there is.
 */
final class LedgerCrowd {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int NODES = 4;

  private final World world;
  private final SimRandom random;
  private final AdaptedLedger ledger;
  private final List<Member> members = new ArrayList<>();
  private boolean rests;
  private int lives;

  private LedgerCrowd(long seed, LedgerParts parts, boolean listIsSynced) {
    this.world = new World(seed, new Trace(null));
    this.random = world.random("crowd");
    SwarmSettings.LedgerFaults drawn = SwarmSettings.of(seed).ledger();
    this.ledger = new AdaptedLedger(world, drawn, parts, listIsSynced);
  }

  /** What broke the promises of a seed: nothing, or the first violation of each kind. */
  static List<Violation> run(long seed, LedgerParts parts, boolean listIsSynced) {
    return new LedgerCrowd(seed, parts, listIsSynced).run();
  }

  private List<Violation> run() {
    for (int i = 1; i <= NODES; i++) {
      Member member = new Member(new NodeId(i));
      members.add(member);
      member.start();
    }
    until(random.between(2, 12) * SECOND);
    world.heal();
    ledger.full(false);
    ledger.heal();
    until(world.nowNanos() + 5 * SECOND);
    rests = true;
    until(world.nowNanos() + 8 * SECOND);
    for (Member member : members) {
      if (member.next <= ledger.end()) {
        world.violated(
            "all is read in the end",
            member.node + " is at " + member.next + " of " + ledger.end());
      }
    }
    return world.violations();
  }

  private void until(long nanos) {
    boolean more = true;
    while (more && world.violations().isEmpty()) {
      more = world.scheduler().step(nanos);
    }
  }

  /** A node: it reads on all the time, and writes when it comes to its mind. */
  private final class Member {
    final NodeId node;
    private OneLife life;
    private Ledger port;
    private long tokens;
    private long fence;
    private long reading;
    private long appended;
    private int open;
    private boolean writes;
    long next = 1;

    Member(NodeId node) {
      this.node = node;
      this.life = new OneLife(this, ++lives);
      this.port = ledger.port(life);
    }

    void start() {
      read();
      later(random.skewed(MILLI, SECOND), this::act);
    }

    /** Later in this life. */
    private void later(long nanos, Runnable then) {
      OneLife mine = life;
      world
          .scheduler()
          .after(
              nanos,
              () -> {
                if (mine == life) {
                  then.run();
                }
              });
    }

    private void read() {
      reading = ++tokens;
      port.read(reading, new Position(next), random.between(1, 2_000));
    }

    private void act() {
      if (rests) {
        return;
      }
      switch (random.between(0, world.faulty() ? 15 : 4)) {
        case 0, 1 -> becomeWriter();
        case 7 -> port.trim(++tokens, new Position(random.between(1, Math.max(1, next / 2))));
        case 8 -> port.read(++tokens, new Position(random.between(1, ledger.end() + 2)), 1_000);
        case 9 -> port.read(++tokens, new Position(ledger.end() + random.between(0, 2)), 1_000);
        case 10 -> life.pause(world.nowNanos() + random.skewed(MILLI, 2 * SECOND));
        case 11 -> ledger.cutOff(node, random.skewed(MILLI, 2 * SECOND));
        case 12 -> ledger.rollNow();
        case 13 -> crash();
        default -> append();
      }
      later(random.between(MILLI, 400 * MILLI), this::act);
    }

    private void becomeWriter() {
      writes = false;
      fence = ++tokens;
      port.fence(fence);
    }

    private void append() {
      for (int i = random.between(1, 4); i > 0 && writes && open < 8; i--) {
        List<Bytes> records = new ArrayList<>();
        for (int record = random.between(1, 3); record > 0; record--) {
          records.add(Bytes.utf8("by " + node + " " + "x".repeat(random.between(0, 80))));
        }
        long first = appended + random.between(1, 3);
        LedgerEntry entry = new LedgerEntry(new Position(first), records, new Position(appended));
        appended = entry.last().value();
        open++;
        port.append(++tokens, entry);
      }
    }

    private void crash() {
      OneLife old = life;
      old.alive = false;
      ledger.crashed(old);
      life = new OneLife(this, ++lives);
      port = ledger.port(life);
      writes = false;
      open = 0;
      start();
    }

    void on(Event event) {
      if (event instanceof Event.LedgerDone(long token, LedgerResult result)) {
        switch (result) {
          case LedgerResult.Fenced fenced when token == fence -> {
            writes = true;
            open = 0;
            appended = fenced.last().value();
          }
          case LedgerResult.Appended _ -> open = Math.max(0, open - 1);
          case LedgerResult.AppendUnknown _, LedgerResult.Rejected _ -> writes = false;
          default -> {}
        }
        if (token == reading) {
          went(result);
        }
      }
    }

    private void went(LedgerResult result) {
      if (result instanceof LedgerResult.Entries read && !read.entries().isEmpty()) {
        next = read.entries().getLast().last().value() + 1;
        later(random.between(MILLI, 40 * MILLI), this::read);
      } else {
        if (result instanceof LedgerResult.Trimmed trimmed) {
          next = Math.max(next, trimmed.first().value());
        }
        later(random.between(10 * MILLI, 200 * MILLI), this::read);
      }
    }
  }

  /** A life of a process. */
  private static final class OneLife implements Life {
    private final Member member;
    private final int number;
    private boolean alive = true;
    private long pausedUntilNanos;

    OneLife(Member member, int number) {
      this.member = member;
      this.number = number;
    }

    @Override
    public NodeId node() {
      return member.node;
    }

    @Override
    public String name() {
      return member.node + " life " + number;
    }

    @Override
    public boolean isAlive() {
      return alive;
    }

    @Override
    public long pausedUntilNanos() {
      return pausedUntilNanos;
    }

    @Override
    public void post(Event event) {
      if (alive) {
        member.on(event);
      }
    }

    void pause(long untilNanos) {
      pausedUntilNanos = Math.max(pausedUntilNanos, untilNanos);
    }

    @Override
    public void joined(long incarnation) {}
  }
}
