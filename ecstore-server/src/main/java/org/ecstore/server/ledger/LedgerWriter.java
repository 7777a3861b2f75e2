package org.ecstore.server.ledger;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.NodeId;
import org.ecstore.server.ledger.segment.BatchWriter;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;
import org.ecstore.server.ledger.segment.OutOfSpaceException;
import org.ecstore.server.ledger.segment.Segment;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.ecstore.server.ledger.segment.SpareSegment;
import org.jspecify.annotations.Nullable;

/**
 * Appends and fences, in the order of one queue, on one thread. All appends found waiting are
 * written together and made durable by one force (rule 7); none is answered Appended before.
 *
 * <p>What happens when the disk fails:
 *
 * <ol>
 *   <li>No room for a new segment: nothing was written, so Rejected. The old segment takes no more
 *       entries from then on, because the new one, which says where the old one ends, may be there
 *       or not.
 *   <li>No room while writing (a file system that does not write in place): the segment is cut back
 *       to its durable end, durably, then Rejected. If that fails, case 3.
 *   <li>Any other failure of a write, or a failed force: the bytes may be there, now or after the
 *       next crash, so AppendUnknown. A second force would prove nothing, the system may have
 *       dropped the pages. The next fence therefore begins a new segment whose header says that the
 *       old one ends before those bytes; only when that header is durable is it certain that they
 *       are not in the ledger, and the fence is answered.
 * </ol>
 *
 * In each case the writer's term has failed: all that it still has in flight is answered like the
 * append that failed, until it fences again.
 */
public final class LedgerWriter {
  private final LedgerContents contents;
  private final LedgerFiles files;
  private final UUID cluster;
  private final LedgerSettings settings;
  private final RateLimitedLog log;
  private final CallQueue<Call> queue;
  private final BatchWriter batchWriter = new BatchWriter();
  private final SecureRandom salts = new SecureRandom();
  private final SpareSegment spare;

  private Segment active;

  /** Where the active segment's room ends; its durable end if it takes no more entries. */
  private long capacity;

  /** There may be bytes past the active segment's durable end that look like entries. */
  private boolean doubtful;

  /** The operator was told that there is no room, and not yet that there is some. */
  private boolean full;

  private @Nullable Term term;
  private final List<Append> gathered = new ArrayList<>();
  private long gatheredBytes;

  LedgerWriter(
      LedgerContents contents,
      Segment active,
      long capacity,
      LedgerFiles files,
      SpareSegment spare,
      UUID cluster,
      LedgerSettings settings,
      OperatorLog log) {
    this.contents = contents;
    this.active = active;
    this.capacity = capacity;
    this.files = files;
    this.cluster = cluster;
    this.settings = settings;
    this.log = new RateLimitedLog(log, System::nanoTime);
    this.queue = new CallQueue<>(settings.outstandingBytesMax());
    this.spare = spare;
  }

  /** A node's time as the writer. Its state belongs to the writer thread. */
  static final class Term {
    private final NodeId node;

    /** The answer to everything that is still appended in this term, once it has failed. */
    private @Nullable LedgerResult failure;

    Term(NodeId node) {
      this.node = node;
    }
  }

  /** A call of a node. */
  sealed interface Call {}

  record Append(
      LocalFileLedger caller, long token, @Nullable Term term, LedgerEntry entry, long bytes)
      implements Call {}

  /** An append that was refused because too much was waiting; it keeps its turn. */
  record Refused(LocalFileLedger caller, long token, @Nullable Term term) implements Call {}

  record Fence(LocalFileLedger caller, long token) implements Call {}

  /** Enqueues an append, or answers it if the ledger is closed. */
  void submit(Append append) {
    CallQueue.Offer offer = queue.offer(append, append.bytes());
    if (offer == CallQueue.Offer.FULL) {
      offer = queue.offer(new Refused(append.caller(), append.token(), append.term()), 0);
    }
    if (offer == CallQueue.Offer.CLOSED) {
      append
          .caller()
          .complete(append.token(), new LedgerResult.Rejected(false, "the ledger is closed"));
    }
  }

  /** Enqueues a fence, or answers it if the ledger is closed. */
  void submit(Fence fence) {
    if (queue.offer(fence, 0) == CallQueue.Offer.CLOSED) {
      fence.caller().complete(fence.token(), new LedgerResult.Failed("the ledger is closed"));
    }
  }

  /** Takes no more calls; the thread ends when those there are answered. */
  void close() {
    queue.close();
  }

  /** The thread's work. If it ends by a bug, the ledger is closed for all. */
  void run() {
    try {
      List<Call> calls = queue.takeAll();
      while (!calls.isEmpty()) {
        for (Call call : calls) {
          handle(call);
        }
        commit();
        calls = queue.takeAll();
      }
    } finally {
      queue.close();
      spare.end();
    }
  }

  private void handle(Call call) {
    switch (call) {
      case Append append -> gather(append);
      case Refused refused -> {
        commit();
        Term refusedTerm = refused.term();
        LedgerResult full = new LedgerResult.Rejected(false, "too many appends at once");
        if (refusedTerm != null && refusedTerm == term && refusedTerm.failure == null) {
          refusedTerm.failure = full;
        }
        refused.caller().complete(refused.token(), refusal(refusedTerm));
      }
      case Fence fence -> {
        commit();
        fence(fence);
      }
    }
  }

  private void gather(Append append) {
    if (!mayWrite(append.term())) {
      commit();
      queue.release(append.bytes());
      append.caller().complete(append.token(), refusal(append.term()));
      return;
    }
    if (gatheredBytes + append.bytes() > settings.batchBytesMax()) {
      commit();
      if (!mayWrite(append.term())) {
        gather(append);
        return;
      }
    }
    gathered.add(append);
    gatheredBytes += append.bytes();
  }

  private boolean mayWrite(@Nullable Term of) {
    return of != null && of == term && of.failure == null;
  }

  /** The answer to an append of a node that is not, or no longer, the writer. */
  private LedgerResult refusal(@Nullable Term of) {
    if (of == null) {
      return new LedgerResult.AppendUnknown("not the writer: fence first");
    }
    if (of.failure != null) {
      return of.failure;
    }
    return new LedgerResult.AppendUnknown(
        term == null ? "not the writer any more: fence first" : "fenced by " + term.node);
  }

  /** Writes what was gathered, makes it durable and answers it. */
  private void commit() {
    int done = 0;
    while (done < gathered.size()) {
      List<Append> rest = gathered.subList(done, gathered.size());
      LedgerResult failure = null;
      int fitting = fitting(rest);
      if (fitting == 0) {
        failure = roll(rest.getFirst().bytes());
      } else {
        failure = write(rest.subList(0, fitting));
      }
      if (failure != null) {
        fail(rest, failure);
        break;
      }
      done += fitting;
    }
    gathered.clear();
    gatheredBytes = 0;
  }

  /** How many of the appends fit into the active segment. */
  private int fitting(List<Append> appends) {
    long room = capacity - active.end();
    int count = 0;
    while (count < appends.size() && appends.get(count).bytes() <= room) {
      room -= appends.get(count).bytes();
      count++;
    }
    return count;
  }

  private @Nullable LedgerResult write(List<Append> batch) {
    List<LedgerEntry> entries = batch.stream().map(Append::entry).toList();
    long start = active.end();
    try {
      batchWriter.write(entries, active, start);
    } catch (OutOfSpaceException e) {
      return cutBack(start, e);
    } catch (IOException e) {
      return doubt("write", e);
    }
    try {
      active.file().force();
    } catch (IOException e) {
      return doubt("force", e);
    }
    contents.add(entries);
    log.settled();
    if (active.end() > capacity / 2) {
      spare.prepare();
    }
    for (Append append : batch) {
      queue.release(append.bytes());
      append.caller().complete(append.token(), new LedgerResult.Appended(append.entry().last()));
    }
    return null;
  }

  private LedgerResult cutBack(long end, OutOfSpaceException cause) {
    try {
      active.file().truncate(end);
    } catch (IOException e) {
      e.addSuppressed(cause);
      return doubt("cut after a failed write", e);
    }
    capacity = end;
    return outOfSpace(cause);
  }

  private LedgerResult outOfSpace(OutOfSpaceException cause) {
    if (!full) {
      log.warn("ledger: no room in " + files.path(active.name()).getParent() + ": " + cause);
      full = true;
    }
    return new LedgerResult.Rejected(true, "no room for the ledger");
  }

  private LedgerResult doubt(String operation, IOException cause) {
    doubtful = true;
    capacity = active.end();
    log.warn(
        "ledger: a %s of %s failed, what it was to make durable is in doubt: %s"
            .formatted(operation, files.path(active.name()), cause));
    return new LedgerResult.AppendUnknown("the " + operation + " failed: " + cause);
  }

  private void fail(List<Append> appends, LedgerResult failure) {
    if (term != null) {
      term.failure = failure;
    }
    for (Append append : appends) {
      queue.release(append.bytes());
      append.caller().complete(append.token(), failure);
    }
  }

  private void fence(Fence fence) {
    LedgerResult failure = doubtful ? roll(0) : null;
    if (failure != null) {
      fence.caller().complete(fence.token(), new LedgerResult.Failed("no new segment: " + failure));
      return;
    }
    Term begun = new Term(fence.caller().node());
    term = begun;
    fence.caller().began(begun, contents.last());
    fence
        .caller()
        .complete(fence.token(), new LedgerResult.Fenced(contents.first(), contents.last()));
  }

  /** Goes on in a new segment with room for an entry; null if that succeeded. */
  private @Nullable LedgerResult roll(long entryBytes) {
    // From here on a later segment may be found that says where this one ends.
    capacity = active.end();
    long bytes = Math.max(settings.segmentBytes(), SegmentHeader.BYTES + entryBytes);
    try {
      Optional<SpareSegment.Spare> ready = spare.take(bytes);
      SegmentHeader header =
          new SegmentHeader(
              cluster,
              active.header().number() + 1,
              salts.nextLong(),
              active.last(),
              active.end(),
              bytes,
              ready.isPresent() && ready.get().reused());
      active =
          ready.isPresent()
              ? begin(files, SpareSegment.NAME, ready.get().file(), header)
              : create(files, header);
    } catch (OutOfSpaceException e) {
      return outOfSpace(e);
    } catch (IOException e) {
      log.warn("ledger: cannot begin a new segment: " + e);
      return new LedgerResult.Rejected(false, "cannot begin a new segment: " + e);
    } finally {
      spare.free();
    }
    contents.add(active);
    if (full) {
      log.info("ledger: there is room again");
      full = false;
    }
    capacity = bytes;
    doubtful = false;
    return null;
  }

  /** Creates a segment; it is there, whole and durable, or not at all. */
  public static Segment create(LedgerFiles files, SegmentHeader header) throws IOException {
    SegmentFile file = files.create(LocalLedgerStore.UNFINISHED, header.capacity());
    return begin(files, LocalLedgerStore.UNFINISHED, file, header);
  }

  private static Segment begin(
      LedgerFiles files, String name, SegmentFile file, SegmentHeader header) throws IOException {
    boolean begun = false;
    try {
      file.write(header.encode(), 0);
      file.force();
      files.rename(name, SegmentHeader.fileName(header.number()));
      begun = true;
      return new Segment(header, file);
    } finally {
      if (!begun) {
        file.close();
      }
    }
  }
}
