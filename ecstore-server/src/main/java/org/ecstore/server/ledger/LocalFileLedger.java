package org.ecstore.server.ledger;

import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.server.ledger.segment.EntryFormat;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of a {@link LocalLedgerStore} as one node of the process sees it. Calls come from the
 * node's event loop and only enqueue; results go to the node's sink from the threads of the store,
 * which must never block.
 *
 * <p>Fencing (rule 6): a fence takes its place in the one queue of the writer thread, behind every
 * append begun before. When its turn comes those are settled, and from then on the store writes
 * only for the new writer.
 */
public final class LocalFileLedger implements Ledger {
  private final NodeId node;
  private final LedgerWriter writer;
  private final LedgerReader reader;
  private final Consumer<Event> sink;

  /** This node's time as the writer, while it lasted or lasts. Guarded by this. */
  private LedgerWriter.@Nullable Term term;

  /** The highest position of that time, appended or found there. Guarded by this. */
  private long highest;

  LocalFileLedger(NodeId node, LedgerWriter writer, LedgerReader reader, Consumer<Event> sink) {
    this.node = node;
    this.writer = writer;
    this.reader = reader;
    this.sink = sink;
  }

  @Override
  public void fence(long token) {
    writer.submit(new LedgerWriter.Fence(this, token));
  }

  @Override
  public synchronized void append(long token, LedgerEntry entry) {
    Check.that(!entry.records().isEmpty(), "an entry has at least one record");
    long bytes = EntryFormat.bytes(entry);
    Check.that(
        bytes <= EntryFormat.ENTRY_BYTES_MAX, "an entry is not too long", entry.first(), bytes);
    if (term != null) {
      Check.that(
          entry.after().value() == highest,
          "an entry follows the last one",
          entry.after(),
          highest);
      highest = entry.last().value();
    }
    writer.submit(new LedgerWriter.Append(this, token, term, entry, bytes));
  }

  @Override
  public void read(long token, Position from, int bytesMax) {
    reader.submit(new LedgerReader.Read(this, token, from, bytesMax));
  }

  @Override
  public void trim(long token, Position below) {
    reader.submit(new LedgerReader.Trim(this, token, below));
  }

  NodeId node() {
    return node;
  }

  /** Tells this handle, before its node, that it is the writer. */
  synchronized void began(LedgerWriter.Term begun, Position last) {
    term = begun;
    highest = last.value();
  }

  void complete(long token, LedgerResult result) {
    sink.accept(new Event.LedgerDone(token, result));
  }
}
