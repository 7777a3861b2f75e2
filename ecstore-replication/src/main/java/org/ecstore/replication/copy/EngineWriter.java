package org.ecstore.replication.copy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * The one way into the engine for writes: in order, one call at a time, what comes meanwhile
 * gathered into one batch. A call that fails (no room, I/O) is made again until it succeeds, and
 * nothing overtakes it: a metadata entry about a closed position must never be durable before the
 * writes it speaks of.
 */
public final class EngineWriter {
  private static final long RETRY_NANOS = 200_000_000L;

  /** How far writes reach is noted within this time, and no more often. */
  private static final long NOTE_NANOS = 100_000_000L;

  /** A clear takes as long as there is to delete: it is held up once it fails again and again. */
  private static final int CLEAR_FAILURES = 3;

  private static final int BATCH_WRITES_MAX = 4096;
  private static final long BATCH_BYTES_MAX = 8 << 20;

  private sealed interface Work {
    record Apply(List<VersionedWrite> writes, List<MetadataEntry> metadata, List<Runnable> then)
        implements Work {}

    record Load(List<Row> rows, Runnable then) implements Work {}

    record Clear(KeyRange keys, Runnable then) implements Work {}

    record Sync(Runnable then) implements Work {}
  }

  private final NodeContext context;
  private final Deque<Work> queue = new ArrayDeque<>();
  private boolean busy;
  private boolean clearing;

  /** Calls that have succeeded. */
  private long done;

  /** How often the call under way has failed. */
  private int failures;

  private boolean flushAsked;
  private long waitingWrites;

  /** Keys and values of the last batch in the queue, if the last one is a batch. */
  private long lastBytes;

  private long written;
  private Position newest = Position.ZERO;
  private Position noted = Position.ZERO;
  private long notes;
  private long noteNanos;
  private boolean noteAsked;
  private Optional<String> trouble = Optional.empty();

  public EngineWriter(NodeContext context) {
    this.context = context;
    this.noteNanos = context.nanos() - NOTE_NANOS;
  }

  /** Takes up what a restarted engine has noted. Called once, before anything is written. */
  public void load(Holdings held) {
    noted = held.through();
  }

  /** Applies writes and metadata; {@code then} runs when they are readable. */
  public void apply(List<VersionedWrite> writes, List<MetadataEntry> metadata, Runnable then) {
    waitingWrites += writes.size();
    written += writes.size();
    long bytes = 0;
    for (VersionedWrite write : writes) {
      newest = Position.max(newest, write.version());
      bytes += write.bytes();
    }
    if (queue.peekLast() instanceof Work.Apply last
        && last.writes().size() + writes.size() <= BATCH_WRITES_MAX
        && lastBytes + bytes <= BATCH_BYTES_MAX) {
      lastBytes += bytes;
      last.writes().addAll(writes);
      last.metadata().addAll(metadata);
      last.then().add(then);
    } else {
      List<Runnable> continuations = new ArrayList<>();
      continuations.add(then);
      lastBytes = bytes;
      queue.add(new Work.Apply(new ArrayList<>(writes), new ArrayList<>(metadata), continuations));
    }
    next();
  }

  /** Puts rows of a transfer into the store, after everything before. */
  public void load(List<Row> rows, Runnable then) {
    queue.add(new Work.Load(rows, then));
    next();
  }

  /** Deletes all versions in an interval, after everything before. */
  public void clear(KeyRange keys, Runnable then) {
    queue.add(new Work.Clear(keys, then));
    next();
  }

  /** Runs {@code then} when everything before is durable. */
  public void sync(Runnable then) {
    queue.add(new Work.Sync(then));
    next();
  }

  /** Writes handed in that are not readable yet. */
  public long waitingWrites() {
    return waitingWrites;
  }

  /** Writes handed in since this process began. */
  long written() {
    return written;
  }

  /** The highest version among them. */
  Position newest() {
    return newest;
  }

  /** Why writes do not go through at present, if they do not. */
  public Optional<String> trouble() {
    return trouble;
  }

  /** Calls that have succeeded, of whatever kind. */
  long done() {
    return done;
  }

  /** Whether a call is under way that may be so for ever, as its store does not answer. */
  boolean isHeldUp() {
    return busy && (!clearing || failures >= CLEAR_FAILURES);
  }

  private void next() {
    if (!busy && !flushAsked) {
      flushAsked = true;
      context.atFlush(
          () -> {
            flushAsked = false;
            submit();
          });
    }
  }

  private void submit() {
    Work head = queue.peekFirst();
    if (busy || head == null) {
      return;
    }
    busy = true;
    clearing = head instanceof Work.Clear;
    queue.removeFirst();
    run(head);
  }

  private void run(Work work) {
    switch (work) {
      case Work.Apply apply ->
          context.engine(
              token -> context.ports().engine().apply(token, batch(apply)),
              result -> finished(work, result));
      case Work.Load load ->
          context.engine(
              token -> context.ports().engine().load(token, load.rows()),
              result -> finished(work, result));
      case Work.Clear clear ->
          context.engine(
              token -> context.ports().engine().clear(token, clear.keys()),
              result -> finished(work, result));
      case Work.Sync sync ->
          context.engine(
              token -> context.ports().engine().sync(token), result -> finished(work, result));
    }
  }

  private static EngineBatch batch(Work.Apply apply) {
    return new EngineBatch(apply.writes(), apply.metadata());
  }

  /**
   * Notes in the engine how far writes reach by now, unless it is noted: the ledger must be found
   * to reach as far. Not with each batch: for a store on a server that would be a call each.
   */
  void note() {
    if (newest.isAfter(noted)) {
      noted = newest;
      noteNanos = context.nanos();
      notes++;
      apply(List.of(), List.of(Holdings.writtenEntry(newest)), () -> {});
    }
  }

  /** How often that was noted. */
  long notes() {
    return notes;
  }

  private void noteSoon() {
    if (noteAsked || newest.isAtOrBelow(noted)) {
      return;
    }
    long wait = noteNanos + NOTE_NANOS - context.nanos();
    if (wait <= 0) {
      note();
      return;
    }
    noteAsked = true;
    context.after(
        wait,
        () -> {
          noteAsked = false;
          note();
        });
  }

  private void finished(Work work, EngineResult result) {
    if (result instanceof EngineResult.Failed failed) {
      if (trouble.isEmpty()) {
        context.ports().log().warn("engine refuses writes, will try again: " + failed.detail());
      }
      trouble = Optional.of(failed.detail());
      failures++;
      context.after(RETRY_NANOS, () -> run(work));
      return;
    }
    if (trouble.isPresent()) {
      context.ports().log().info("engine takes writes again");
      trouble = Optional.empty();
    }
    busy = false;
    failures = 0;
    done++;
    switch (work) {
      case Work.Apply apply -> {
        waitingWrites -= apply.writes().size();
        apply.then().forEach(Runnable::run);
        noteSoon();
      }
      case Work.Load load -> load.then().run();
      case Work.Clear clear -> clear.then().run();
      case Work.Sync sync -> sync.then().run();
    }
    if (!queue.isEmpty()) {
      next();
    }
  }
}
