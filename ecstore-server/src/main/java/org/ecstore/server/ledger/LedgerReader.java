package org.ecstore.server.ledger;

import java.io.IOException;
import java.util.List;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.Position;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.SpareSegment;

/** Reads and trims, one call after another, on a thread of its own beside the writer's. */
final class LedgerReader {
  private final LedgerContents contents;
  private final LedgerFiles files;
  private final SpareSegment spare;
  private final OperatorLog log;
  private final CallQueue<Call> queue;

  LedgerReader(
      LedgerContents contents,
      LedgerFiles files,
      SpareSegment spare,
      OperatorLog log,
      int outstandingMax) {
    this.contents = contents;
    this.files = files;
    this.spare = spare;
    this.log = new RateLimitedLog(log, System::nanoTime);
    this.queue = new CallQueue<>(outstandingMax);
  }

  /** A call of a node. */
  sealed interface Call {
    LocalFileLedger caller();

    long token();
  }

  record Read(LocalFileLedger caller, long token, Position from, int bytesMax) implements Call {}

  record Trim(LocalFileLedger caller, long token, Position below) implements Call {}

  /** Enqueues a call, or answers it if it cannot be taken. */
  void submit(Call call) {
    switch (queue.offer(call, 1)) {
      case TAKEN -> {}
      case FULL ->
          call.caller().complete(call.token(), new LedgerResult.Failed("too many reads at once"));
      case CLOSED ->
          call.caller().complete(call.token(), new LedgerResult.Failed("the ledger is closed"));
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
          LedgerResult result = answer(call);
          queue.release(1);
          call.caller().complete(call.token(), result);
        }
        calls = queue.takeAll();
      }
    } finally {
      queue.close();
    }
  }

  private LedgerResult answer(Call call) {
    try {
      return switch (call) {
        case Read read -> contents.read(read.from().value(), read.bytesMax());
        case Trim trim -> {
          contents.trim(trim.below().value(), files, spare);
          yield new LedgerResult.TrimDone(contents.first());
        }
      };
    } catch (LedgerContents.UnreadableException e) {
      String damage =
          new CorruptLedgerException(files.path(e.file()), e.offset(), "an unreadable entry")
              .toString();
      log.warn(damage);
      return new LedgerResult.Failed(damage);
    } catch (IOException e) {
      log.warn("ledger: a read or trim failed: " + e);
      return new LedgerResult.Failed(e.toString());
    }
  }
}
