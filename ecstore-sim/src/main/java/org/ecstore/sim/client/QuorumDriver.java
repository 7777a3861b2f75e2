package org.ecstore.sim.client;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.history.QuorumHistory;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * A client of quorums (rule 13): writes registers, which others write and delete too, waits until W
 * copies have what it wrote, and reads from R.
 */
public final class QuorumDriver {
  private static final long ATTEMPT_NANOS = 8 * SwarmSettings.SECOND;
  private static final int TIMEOUT_MILLIS = 3_000;
  private static final int REGISTERS = 8;
  private static final int PASSERS_MAX = 1_000_000;

  private final World world;
  private final SimClient client;
  private final SimWorkload workload;
  private final Quorum quorum;
  private final long thinkNanosMax;
  private final SimHistory transactions;
  private final QuorumHistory history;
  private final LongSupplier ledgerEnd;
  private final SimRandom random;
  private int passed;
  private @Nullable AttemptRun writing;
  private boolean stopping;
  private boolean stopped;
  private int registersRead;
  private String last = "";
  private ReadPoint seen = ReadPoint.ZERO;

  public QuorumDriver(
      World world,
      SwarmSettings settings,
      SimClient client,
      SimWorkload workload,
      Quorum quorum,
      SimHistory transactions,
      QuorumHistory history,
      LongSupplier ledgerEnd) {
    this.world = world;
    this.client = client;
    this.workload = workload;
    this.quorum = quorum;
    this.thinkNanosMax = settings.thinkNanosMax();
    this.transactions = transactions;
    this.history = history;
    this.ledgerEnd = ledgerEnd;
    this.random = client.random();
  }

  /**
   * The quorums of a run's clients: all with one N, mostly such that meet.
   *
   * @param copies of each range, where nothing is wrong
   */
  public static List<Quorum> quorums(SimRandom random, int copies) {
    if (copies == 1 && random.chance(0.8)) {
      return List.of();
    }
    int n = random.chance(0.8) ? copies : random.between(1, 3);
    int w = random.between(1, n);
    Quorum usual = new Quorum(n, w, random.between(n + 1 - w, n));
    Quorum other = new Quorum(n, random.between(1, n), random.between(1, n));
    return switch (random.between(0, 3)) {
      case 0 -> List.of();
      case 1 -> List.of(usual);
      case 2 -> List.of(usual, usual);
      default -> List.of(usual, other);
    };
  }

  public Quorum quorum() {
    return quorum;
  }

  public void start() {
    think();
  }

  /** Ends after what is under way. */
  public void stop() {
    stopping = true;
  }

  public boolean stopped() {
    return stopped;
  }

  /**
   * Reads each register until a quorum answers, as one does where enough copies are there.
   *
   * @param over the connections to take: to nodes that run
   */
  public void readAll(SimClient over) {
    read(over, registersRead);
  }

  /** What was read in the end counts no more: all is read once more. */
  public void readsAnew() {
    registersRead = 0;
  }

  /** Whether each register has been read since. */
  public boolean hasReadAll() {
    return registersRead == REGISTERS;
  }

  private void read(SimClient over, int register) {
    long invoked = world.nowNanos();
    Bytes key = SimKeys.register(register);
    over.call(
        over.anyNode(),
        new ClientRequest.QuorumGet(key, quorum, seen, TIMEOUT_MILLIS),
        (TIMEOUT_MILLIS + 500) * SwarmSettings.MILLI,
        reply -> {
          world.line("client " + client.number(), "last quorum read of " + key + ": " + reply);
          check(reply);
          if (reply.isPresent() && reply.get() instanceof ClientReply.QuorumValue value) {
            took(key, value, invoked);
            // Here the sequencer can be asked: who never asks it marks all its answers.
            if (quorum.isStrict() && value.mayBeStale()) {
              last = "it may be stale: " + value;
            } else {
              registersRead++;
            }
          } else {
            last = String.valueOf(reply);
          }
          if (!hasReadAll()) {
            world.scheduler().after(100 * SwarmSettings.MILLI, () -> readAll(over));
          }
        });
  }

  /** What the last read that got no value was answered. */
  public String lastRefusal() {
    return last;
  }

  private void think() {
    long most = world.faulty() ? Math.min(thinkNanosMax, 10 * SwarmSettings.SECOND) : 200_000_000L;
    world.scheduler().after(random.skewedNanos(SwarmSettings.MILLI, most), this::next);
  }

  private void next() {
    if (stopping) {
      stopped = true;
      return;
    }
    Bytes key = SimKeys.register(random.between(0, REGISTERS - 1));
    if (random.chance(0.4)) {
      write(key);
    } else {
      read(key, random.between(1, 4));
    }
  }

  private void write(Bytes key) {
    AttemptRun run =
        new AttemptRun(
            client,
            workload.writeRegister(key),
            world.nowNanos() + ATTEMPT_NANOS,
            end -> written(key, end));
    writing = run;
    run.start();
  }

  private void written(Bytes key, Optional<SimHistory.Attempt> end) {
    AttemptRun run = writing;
    writing = null;
    if (run != null) {
      run.earlier().forEach(transactions::add);
    }
    end.ifPresent(transactions::add);
    world.line("client " + client.number(), "quorum write: " + end);
    if (end.isEmpty() || end.get().outcome() != SimHistory.Outcome.COMMITTED) {
      think();
      return;
    }
    long number = end.get().number();
    see(new Position(number));
    client.call(
        client.anyNode(),
        new ClientRequest.QuorumWait(new Position(number), List.of(key), quorum, TIMEOUT_MILLIS),
        (TIMEOUT_MILLIS + 500) * SwarmSettings.MILLI,
        reply -> {
          world.line("client " + client.number(), "quorum of " + number + ": " + reply);
          check(reply);
          if (reply.isPresent()
              && reply.get() instanceof ClientReply.QuorumReached reached
              && reached.copies() >= quorum.w()) {
            history.add(
                new QuorumHistory.Write(
                    key, number, quorum, client.number(), world.nowNanos(), ledgerEnd.getAsLong()));
          }
          think();
        });
  }

  private void see(Position position) {
    seen = new ReadPoint(Position.max(seen.position(), position), MapVersion.ZERO);
  }

  private void check(Optional<ClientReply> reply) {
    if (reply.isPresent()
        && reply.get() instanceof ClientReply.Refused refused
        && refused.code() == RefusalCode.BAD_REQUEST) {
      world.violated("a right request is not refused", quorum + ": " + refused);
    }
  }

  /** Reads a key some times in a row, so that one read soon follows the other. */
  private void read(Bytes key, int times) {
    long invoked = world.nowNanos();
    client.call(
        client.anyNode(),
        new ClientRequest.QuorumGet(key, quorum, seen, TIMEOUT_MILLIS),
        (TIMEOUT_MILLIS + 500) * SwarmSettings.MILLI,
        reply -> {
          world.line("client " + client.number(), "quorum read of " + key + ": " + reply);
          check(reply);
          if (reply.isPresent() && reply.get() instanceof ClientReply.QuorumValue value) {
            took(key, value, invoked);
          }
          if (times > 1 && !stopping) {
            world
                .scheduler()
                .after(random.skewedNanos(1, 20 * SwarmSettings.MILLI), () -> read(key, times - 1));
          } else {
            think();
          }
        });
  }

  /** Clients who have seen nothing before come to a node, read each register once, and go. */
  public void passBy(NodeId node) {
    for (int register = 0; register < REGISTERS && !stopping; register++) {
      Bytes key = SimKeys.register(register);
      int passer = (client.number() + 1) * PASSERS_MAX + passed++;
      long invoked = world.nowNanos();
      client.call(
          node,
          new ClientRequest.QuorumGet(key, quorum, ReadPoint.ZERO, TIMEOUT_MILLIS),
          (TIMEOUT_MILLIS + 500) * SwarmSettings.MILLI,
          reply -> {
            world.line("client " + passer, "quorum read of " + key + ": " + reply);
            check(reply);
            if (reply.isPresent() && reply.get() instanceof ClientReply.QuorumValue value) {
              add(key, value, invoked, passer);
            }
          });
    }
  }

  private void took(Bytes key, ClientReply.QuorumValue value, long invoked) {
    see(value.at());
    add(key, value, invoked, client.number());
  }

  private void add(Bytes key, ClientReply.QuorumValue value, long invoked, int reader) {
    world.trace().mix(value.at().value());
    if (quorum.isStrict()) {
      world.happened(
          value.mayBeStale() ? "a quorum read may be stale" : "a quorum read is confirmed");
    }
    if (value.copies().size() < quorum.r()) {
      world.violated("R copies answer a quorum read", quorum + ": " + value);
    }
    history.add(
        new QuorumHistory.Read(
            key,
            value.row(),
            value.at().value(),
            quorum,
            reader,
            invoked,
            world.nowNanos(),
            value.copies() + (value.writtenBack() ? ", written back" : ""),
            value.copies().stream().map(ClientReply.AnsweringCopy::node).toList(),
            value.mayBeStale(),
            ledgerEnd.getAsLong()));
  }
}
