package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * Reads the ledger from a position through another and hands over its logical records in order, in
 * chunks. The consumer of a chunk says when to go on, so that a slow engine holds the reading back.
 *
 * <p>Positions are handed over densely (rule 6): an entry is taken only if what it follows was
 * taken before. One that comes too early is read again, with what is missing before it; and no
 * position counts as come to because a read says that the ledger goes so far, only because the
 * record there was handed over.
 */
public class LedgerReplay {
  /**
   * A chunk is taken in one turn of the node's loop, and what else it has to do waits: where seven
   * nodes shared two cores, a mebibyte took 0.3 to 1.2 s.
   */
  private static final int CHUNK_BYTES = 1 << 18;

  private static final long RETRY_NANOS = 50_000_000L;

  /**
   * Who is about at the end, and follows it, lets some more gather: reading each entry by itself as
   * it comes costs as much as appending it. Far below the time a take-over needs.
   */
  private static final long GATHER_NANOS = 50_000_000L;

  /**
   * Who has followed to the end asks the ledger again when this node is told of a later position
   * (decision 0084), or after this time: a look beyond the end asks all bookies and coordination.
   */
  private static final long UNTOLD_NANOS = 1_000_000_000L;

  /** A target that is never reached: what is appended is handed over soon after it is durable. */
  public static final Position ENDLESS = new Position(Long.MAX_VALUE);

  /** A logical record, where its first part stands, and where its last. */
  public record Placed(Position first, Position position, LedgerRecord record) {}

  /** How a replay ends. */
  public enum End {
    /** Every record through the target was handed over. */
    REACHED,
    /** Records that were asked for are trimmed. */
    TRIMMED
  }

  /** Takes a chunk and the position that is complete with it; runs {@code more} to go on. */
  @FunctionalInterface
  public interface Chunks {
    void take(List<Placed> records, Position through, Runnable more);
  }

  /** Makes a replay; tests that plant a bug put in their own. */
  @FunctionalInterface
  public interface Factory {
    LedgerReplay create(
        NodeContext context, Position from, Position target, Chunks chunks, Consumer<End> end);
  }

  private final NodeContext context;
  private Position target;
  private final Chunks chunks;
  private final Consumer<End> end;
  private RecordAssembler assembler = new RecordAssembler();
  private Position next;
  private Position firstKept = Position.ZERO;
  private Position whole = Position.ZERO;
  private boolean begun;
  private boolean cancelled;
  private long failures;
  private String lastFailure = "";
  private Runnable onFailure = () -> {};

  /** When the ledger was last asked. */
  private long askedNanos;

  /** How long the ledger took for the last chunk, and how long it took to decode that. */
  private long ledgerNanos;

  private long decodeNanos;

  public LedgerReplay(
      NodeContext context, Position from, Position target, Chunks chunks, Consumer<End> end) {
    this.context = context;
    this.next = from;
    this.target = target;
    this.chunks = chunks;
    this.end = end;
  }

  /** Starts reading, or goes on. */
  public void read() {
    if (cancelled) {
      return;
    }
    begun = true;
    if (next.isAfter(target)) {
      end.accept(End.REACHED);
      return;
    }
    askedNanos = context.nanos();
    context.ledger(token -> context.ports().ledger().read(token, next, CHUNK_BYTES), this::arrived);
  }

  /** Before it is read: checkpoints are passed by, and not handed over. */
  void passCheckpointsBy() {
    assembler = RecordAssembler.withoutCheckpoints();
  }

  /** Whether reading has started: from then on nothing below {@link #next} is handed over. */
  boolean begun() {
    return begun;
  }

  /** What is handed over next, at the earliest. */
  protected final Position next() {
    return next;
  }

  /** The same replay is for one more who wants these records. Below {@link #next} it has none. */
  void include(Position from, Position through) {
    if (!begun) {
      next = Position.min(next, from);
    }
    target = Position.max(target, through);
  }

  /** After {@link End#TRIMMED}: the first position that is still there. */
  public Position firstKept() {
    return firstKept;
  }

  /**
   * Up to where every record was handed over as a whole, as of the last chunk: below a run of parts
   * that is not complete there, also where the target lies within it.
   */
  public Position whole() {
    return whole;
  }

  /** Runs after each read that fails, or leaves records out. Before it is read. */
  public void onFailure(Runnable listener) {
    onFailure = listener;
  }

  /** How many reads failed, or left records out, and were tried again. */
  public long failures() {
    return failures;
  }

  /** For people: which reads failed and were tried again; empty if none. */
  public String troubles() {
    return failures == 0 ? "" : failures + " reads failed, the last one: " + lastFailure;
  }

  /** How long it took until the ledger answered with the last chunk. */
  long ledgerNanos() {
    return ledgerNanos;
  }

  /** How long it took to decode that. */
  long decodeNanos() {
    return decodeNanos;
  }

  /** Nothing more is handed over. */
  public void cancel() {
    cancelled = true;
  }

  private void arrived(LedgerResult result) {
    if (cancelled) {
      return;
    }
    switch (result) {
      case LedgerResult.Entries entries -> take(entries);
      case LedgerResult.Trimmed trimmed -> {
        firstKept = trimmed.first();
        end.accept(End.TRIMMED);
      }
      case LedgerResult.Failed failed -> {
        failed(failed.detail());
        context.after(RETRY_NANOS, this::read);
      }
      case LedgerResult.Fenced unexpected -> throw unexpected(unexpected);
      case LedgerResult.Appended unexpected -> throw unexpected(unexpected);
      case LedgerResult.AppendUnknown unexpected -> throw unexpected(unexpected);
      case LedgerResult.Rejected unexpected -> throw unexpected(unexpected);
      case LedgerResult.TrimDone unexpected -> throw unexpected(unexpected);
    }
  }

  private void failed(String detail) {
    failures++;
    lastFailure = detail;
    onFailure.run();
  }

  private static IllegalStateException unexpected(LedgerResult result) {
    return new IllegalStateException("not the answer to a read: " + result);
  }

  private void take(LedgerResult.Entries read) {
    long arrived = context.nanos();
    ledgerNanos = arrived - askedNanos;
    assembler = goesOnWith(assembler);
    List<Placed> records = new ArrayList<>();
    Position through = new Position(next.value() - 1);
    long bytes = 0;
    boolean gap = false;
    for (LedgerEntry entry : read.entries()) {
      gap = entry.after().isAfter(through) && !through.equals(target);
      if (gap) {
        break;
      }
      long position = entry.first().value();
      for (Bytes raw : entry.records()) {
        bytes += raw.length();
        Position at = new Position(position++);
        if (next.isAtOrBelow(at) && at.isAtOrBelow(target)) {
          Optional<RecordAssembler.Assembled> whole = assembler.feed(at, raw);
          whole.ifPresent(
              done ->
                  records.add(
                      new Placed(assembler.completedFrom(), done.position(), done.record())));
        }
      }
      through = Position.max(through, Position.min(entry.last(), target));
    }
    boolean lacks = gap || (read.entries().isEmpty() && next.isAtOrBelow(read.end()));
    if (lacks) {
      failed("records after " + through + " were left out");
    }
    if (through.value() < next.value()) {
      boolean isAtEnd = target.equals(ENDLESS) && !lacks;
      awaitMore(context.nanos() + (isAtEnd ? UNTOLD_NANOS : 0));
      return;
    }
    next = through.next();
    Position complete = complete(assembler.openSince());
    whole = complete;
    decodeNanos = context.nanos() - arrived;
    boolean gathers = target.equals(ENDLESS) && bytes < CHUNK_BYTES / 2;
    chunks.take(
        records,
        next.isAfter(target) ? target : complete,
        gathers ? () -> context.after(GATHER_NANOS, this::read) : this::read);
  }

  /** Reads on a little later; until {@code atLeastNanos} only if there is something to read. */
  private void awaitMore(long atLeastNanos) {
    context.after(
        RETRY_NANOS,
        () -> {
          if (isTold() || context.nanos() - atLeastNanos >= 0) {
            read();
          } else if (!cancelled) {
            awaitMore(atLeastNanos);
          }
        });
  }

  /** Whether what comes next is decided, as far as this node was told (rule 8). */
  private boolean isTold() {
    return next.isAtOrBelow(context.told(context.self()).position());
  }

  /** A chunk may begin within a run of parts: those in the chunk before it are kept. */
  @RuleSeam(1)
  protected RecordAssembler goesOnWith(RecordAssembler before) {
    return before;
  }

  /**
   * A chunk may end within a run of parts. What notes how far it has come must not note a place in
   * the middle: a reader that starts there would skip the run.
   *
   * @param openSince where a run begins that is not complete yet
   */
  @RuleSeam(1)
  protected Position complete(Optional<Position> openSince) {
    return openSince
        .filter(open -> open.isAtOrBelow(next))
        .map(open -> new Position(Math.max(0, open.value() - 1)))
        .orElse(new Position(next.value() - 1));
  }
}
