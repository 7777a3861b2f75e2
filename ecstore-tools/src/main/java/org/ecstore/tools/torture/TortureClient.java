package org.ecstore.tools.torture;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Session;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.id.Position;
import org.ecstore.model.ReadLevel;
import org.ecstore.tools.torture.workload.DeclinedException;
import org.ecstore.tools.torture.workload.Workload;
import org.ecstore.verify.history.Line;
import org.ecstore.verify.history.MicroOp;
import org.ecstore.verify.history.Recorder;

/**
 * A client: one transaction at a time, each attempt a transaction of its own in the history. It
 * begins and commits by itself, so that nothing is run again behind the history's back; a commit
 * whose reply got lost is settled by the library, by its id, before the commit returns (rule 5). A
 * process number whose outcome stays unknown is not used again, nor is its session. For one thread.
 */
final class TortureClient {
  /** What clients share. */
  record Shared(
      TortureSettings settings,
      Workload workload,
      Recorder recorder,
      TortureTally tally,
      AtomicLong processes) {}

  private final Shared shared;
  private final EcStore store;
  private final Start start;
  private final SplittableRandom random;
  private long process;
  private Session session;

  TortureClient(Shared shared, EcStore store, Start start, SplittableRandom random) {
    this.shared = shared;
    this.start = start;
    this.store = store;
    this.random = random;
    this.process = shared.processes().getAndIncrement();
    this.session = newSession();
  }

  private Session newSession() {
    return store.session().with(shared.settings().isolation());
  }

  /** Goes on as long as it may. */
  void run(BooleanSupplier goesOn) {
    while (goesOn.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      attempt(shared.workload().next(random));
    }
  }

  /**
   * Whether it is known to have committed. One that only reads is mostly a snapshot, which any copy
   * answers, and else a transaction.
   */
  boolean attempt(List<MicroOp> steps) {
    boolean writes = steps.stream().anyMatch(MicroOp::writes);
    ReadLevel level = start.level(writes, random);
    long invoked = shared.recorder().invoke(process, steps, level);
    boolean inTransaction = writes || random.nextInt(4) == 0;
    return inTransaction
        ? transact(steps, session.with(level), invoked)
        : read(steps, session.with(level), invoked);
  }

  private boolean read(List<MicroOp> steps, Session at, long invoked) {
    OptionalLong snapshot = OptionalLong.empty();
    try (ManualSnapshot from = at.snapshot()) {
      snapshot = OptionalLong.of(from.readPoint().position().value());
      List<MicroOp> seen = shared.workload().read(from, steps);
      done(seen, snapshot, OptionalLong.empty(), invoked);
      from.lastRead().ifPresent(shared.tally()::answered);
      return true;
    } catch (EcStoreException e) {
      failed(steps, snapshot, e);
    } catch (RuntimeException e) {
      shared.tally().misbehaviour(e.toString());
      failed(steps, snapshot, "BUG", e.toString());
    }
    return false;
  }

  private void done(List<MicroOp> seen, OptionalLong snapshot, OptionalLong number, long invoked) {
    long completed =
        shared.recorder().complete(process, Line.Type.OK, seen, snapshot, number, Optional.empty());
    shared.tally().ok(invoked, completed);
  }

  /** Whether it is known to have committed. */
  private boolean transact(List<MicroOp> steps, Session at, long invoked) {
    OptionalLong snapshot = OptionalLong.empty();
    boolean committing = false;
    try (ManualTransaction tx = at.begin()) {
      snapshot = OptionalLong.of(tx.readPoint().position().value());
      List<MicroOp> seen = shared.workload().run(tx, steps);
      committing = true;
      tx.commit();
      Optional<Position> number = tx.commitNumber();
      done(
          seen,
          snapshot,
          number.map(position -> OptionalLong.of(position.value())).orElse(OptionalLong.empty()),
          invoked);
      return true;
    } catch (DeclinedException e) {
      failed(steps, snapshot, "DECLINED", String.valueOf(e.getMessage()));
    } catch (UnknownOutcomeException e) {
      unknown(steps, snapshot, e.code().name(), e.getMessage());
    } catch (EcStoreException e) {
      failed(steps, snapshot, e);
    } catch (RuntimeException e) {
      shared.tally().misbehaviour(e.toString());
      if (committing) {
        unknown(steps, snapshot, "BUG", e.toString());
      } else {
        failed(steps, snapshot, "BUG", e.toString());
      }
    }
    return false;
  }

  /** What a client has to reckon with while nodes come and go. */
  static boolean expected(ErrorCode code) {
    return switch (code) {
      case CONFLICT, UNKNOWN_OUTCOME, SNAPSHOT_TOO_OLD, UNAVAILABLE, OVERLOADED -> true;
      case CHANGES_LOST, TOO_LARGE, OVER_QUOTA, ALREADY_EXISTS, WRONG_ARGUMENT, CLOSED, PROTOCOL ->
          false;
    };
  }

  private void failed(List<MicroOp> steps, OptionalLong snapshot, EcStoreException e) {
    if (!expected(e.code())) {
      shared.tally().misbehaviour(e.toString());
    }
    failed(steps, snapshot, e.code().name(), e.getMessage());
  }

  private void failed(List<MicroOp> steps, OptionalLong snapshot, String code, String detail) {
    complete(Line.Type.FAIL, steps, snapshot, code, detail);
    shared.tally().fail(code);
  }

  private void unknown(List<MicroOp> steps, OptionalLong snapshot, String code, String detail) {
    complete(Line.Type.INFO, steps, snapshot, code, detail);
    shared.tally().info(code);
    process = shared.processes().getAndIncrement();
    session = newSession();
  }

  private void complete(
      Line.Type type, List<MicroOp> steps, OptionalLong snapshot, String code, String detail) {
    shared
        .recorder()
        .complete(
            process,
            type,
            steps,
            snapshot,
            OptionalLong.empty(),
            Optional.of(code.equals("CONFLICT") ? code : code + ": " + detail));
  }
}
