package org.ecstore.server.ledger;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.ledger.segment.DiskFiles;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.Segment;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.ecstore.server.ledger.segment.SpareSegment;
import org.ecstore.server.ledger.segment.WrongLedgerException;

/**
 * The commit ledger of a cluster that lives in one process (rules 1, 6, 7), in the files of one
 * directory. One thread writes, one reads; nodes use it through {@link #handle handles}. Safe for
 * use by several threads.
 */
public final class LocalLedgerStore implements LedgerService {
  /** A segment that is not whole yet. */
  static final String UNFINISHED = "next-segment.tmp";

  private final DirectoryLock lock;
  private final LedgerContents contents;
  private final LedgerWriter writer;
  private final LedgerReader reader;
  private final Thread writerThread;
  private final Thread readerThread;

  private LocalLedgerStore(
      DirectoryLock lock, LedgerContents contents, LedgerWriter writer, LedgerReader reader) {
    this.lock = lock;
    this.contents = contents;
    this.writer = writer;
    this.reader = reader;
    this.writerThread = Thread.ofPlatform().name("ecstore-ledger-writer").unstarted(writer::run);
    this.readerThread = Thread.ofPlatform().name("ecstore-ledger-reader").unstarted(reader::run);
  }

  /**
   * Opens a ledger, or creates it where there is none.
   *
   * @param cluster the cluster it must belong to
   * @param log is told what was cut off and what fails
   * @throws CorruptLedgerException if something durable cannot be read; nothing was changed
   * @throws WrongLedgerException if it belongs to another cluster or has an unknown format
   * @throws org.ecstore.server.file.DirectoryInUseException if it is open already
   */
  public static LocalLedgerStore open(
      Path directory, UUID cluster, LedgerSettings settings, OperatorLog log) throws IOException {
    return open(directory, cluster, settings, LedgerClaim.NONE, log);
  }

  /**
   * As {@link #open(Path, UUID, LedgerSettings, OperatorLog)}, of a ledger that must reach as far
   * as engines have it.
   *
   * @throws org.ecstore.server.parts.MixedPartsException if it does not; nothing was changed
   */
  public static LocalLedgerStore open(
      Path directory, UUID cluster, LedgerSettings settings, LedgerClaim claim, OperatorLog log)
      throws IOException {
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      return open(lock, new DiskFiles(directory), cluster, settings, claim, log);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  static LocalLedgerStore open(
      DirectoryLock lock, LedgerFiles files, UUID cluster, LedgerSettings settings, OperatorLog log)
      throws IOException {
    return open(lock, files, cluster, settings, LedgerClaim.NONE, log);
  }

  private static LocalLedgerStore open(
      DirectoryLock lock,
      LedgerFiles files,
      UUID cluster,
      LedgerSettings settings,
      LedgerClaim claim,
      OperatorLog log)
      throws IOException {
    List<Segment> segments = new LedgerRecovery(files, cluster, claim, log).open();
    if (segments.isEmpty()) {
      long salt = new SecureRandom().nextLong();
      SegmentHeader first =
          new SegmentHeader(cluster, 1, salt, 0, 0, settings.segmentBytes(), false);
      segments.add(LedgerWriter.create(files, first));
    }
    Segment active = segments.getLast();
    LedgerContents contents = new LedgerContents(segments, settings.tailCacheBytes());
    SpareSegment spare = new SpareSegment(files, settings.segmentBytes());
    LedgerWriter writer =
        new LedgerWriter(
            contents, active, active.file().length(), files, spare, cluster, settings, log);
    LedgerReader reader =
        new LedgerReader(contents, files, spare, log, settings.readsOutstandingMax());
    LocalLedgerStore store = new LocalLedgerStore(lock, contents, writer, reader);
    store.writerThread.start();
    store.readerThread.start();
    return store;
  }

  @Override
  public Optional<LedgerExtent> extent() {
    return Optional.of(contents.extent());
  }

  /**
   * The ledger for a node of this process.
   *
   * @param sink takes results on the threads of this store; must not block or throw
   */
  @Override
  public LocalFileLedger handle(NodeId node, Consumer<Event> sink) {
    return new LocalFileLedger(node, writer, reader, sink);
  }

  /**
   * Answers what was begun, then closes the files and gives the directory back. Calls that come
   * later are refused.
   */
  @Override
  public void close() throws IOException {
    writer.close();
    reader.close();
    boolean interrupted = join(writerThread);
    interrupted |= join(readerThread);
    try {
      contents.close();
    } finally {
      lock.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a thread to end; whether this thread was interrupted meanwhile. */
  private static boolean join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
