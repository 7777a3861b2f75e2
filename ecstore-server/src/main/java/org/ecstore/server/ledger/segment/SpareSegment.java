package org.ecstore.server.ledger.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;
import org.jspecify.annotations.Nullable;

/**
 * A file for the next segment, so that none has to be written when it is needed, which would hold
 * up every commit of that time. It is the file of a segment that was trimmed, if there is one: its
 * blocks are there, and nothing need be written at all. Else it is one of zeros, made beside the
 * writer and little by little; even so forces of other files wait for what the disk has to write.
 * Safe for use by several threads: the writer takes it, the reader, which trims, keeps it.
 */
public final class SpareSegment {
  /** The name of the file until it is a segment. */
  public static final String NAME = "spare-segment.tmp";

  /** A smaller segment is made at once. */
  private static final long BYTES_MIN = 16 << 20;

  private static final int STEP_BYTES = 1 << 20;
  private static final int STEPS_PER_FORCE = 4;
  private static final long PAUSE_MILLIS = 10;

  private final LedgerFiles files;
  private final long bytes;
  private @Nullable CompletableFuture<Optional<Spare>> made;

  /** The name is still that of a file that was taken, and no other file may have it. */
  private boolean taken;

  private volatile boolean hurried;
  private volatile boolean ended;

  /**
   * A file of the length of a segment, written out.
   *
   * @param reused whether it has the entries of an older segment; else zeros
   */
  public record Spare(SegmentFile file, boolean reused) {}

  /**
   * The spare of a ledger.
   *
   * @param bytes of a segment
   */
  public SpareSegment(LedgerFiles files, long bytes) {
    this.files = files;
    this.bytes = bytes;
  }

  /** Begins to make one, unless there is one or the ledger's segments are small. */
  public void prepare() {
    if (bytes < BYTES_MIN) {
      return;
    }
    CompletableFuture<Optional<Spare>> making = begun();
    if (making != null) {
      hurried = false;
      Thread.ofPlatform()
          .name("ecstore-ledger-spare")
          .daemon()
          .start(() -> making.complete(make().map(file -> new Spare(file, false))));
    }
  }

  /** What is to become the spare; null if there is one, or none is wanted any more. */
  private synchronized @Nullable CompletableFuture<Optional<Spare>> begun() {
    if (made != null || taken || ended) {
      return null;
    }
    made = new CompletableFuture<>();
    return made;
  }

  /**
   * Keeps the file of a segment that no reader reads any more; then it is no longer of that
   * segment's name, durably. False if it is not wanted, or could not be kept: it has to be deleted.
   */
  public boolean keep(Segment trimmed) throws IOException {
    if (trimmed.file().length() != bytes) {
      return false;
    }
    CompletableFuture<Optional<Spare>> keeping = begun();
    if (keeping == null) {
      return false;
    }
    boolean kept = false;
    try {
      files.rename(trimmed.name(), NAME);
      kept = true;
    } catch (IOException e) {
      // Whatever name it has now: what is left under that of the spare is replaced or taken away.
    } finally {
      keeping.complete(kept ? Optional.of(new Spare(trimmed.file(), true)) : Optional.empty());
    }
    return kept;
  }

  /**
   * The file, of so many bytes; from now on it is the caller's, and so is its name until {@link
   * #free}, which must follow in any case. Absent if there is none, or none could be made: the
   * caller will learn why when it makes one itself.
   */
  public Optional<Spare> take(long wanted) {
    CompletableFuture<Optional<Spare>> making;
    synchronized (this) {
      making = made;
      if (making == null || wanted != bytes) {
        return Optional.empty();
      }
      hurried = true;
      made = null;
      taken = true;
    }
    return making.join();
  }

  /** What was taken has another name, or is given up. */
  public synchronized void free() {
    taken = false;
  }

  /** Makes no more, and takes away what there is. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    take(bytes).ifPresent(left -> discard(left.file()));
  }

  private Optional<SegmentFile> make() {
    SegmentFile file;
    try {
      file = files.create(NAME, STEP_BYTES);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
    try {
      fill(file);
      return Optional.of(file);
    } catch (IOException | RuntimeException e) {
      discard(file);
      return Optional.empty();
    }
  }

  private void fill(SegmentFile file) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(STEP_BYTES);
    int steps = 1;
    for (long offset = STEP_BYTES; offset < bytes && !ended; offset += STEP_BYTES) {
      zeros.clear().limit((int) Math.min(STEP_BYTES, bytes - offset));
      file.write(zeros, offset);
      steps++;
      if (steps % STEPS_PER_FORCE == 0) {
        file.force();
      }
      pause();
    }
    file.force();
  }

  private void pause() {
    if (!hurried) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        hurried = true; // No code interrupts it: it is no use to wait any more.
      }
    }
  }

  private void discard(SegmentFile file) {
    try {
      file.close();
      files.delete(NAME);
    } catch (IOException e) {
      // It is taken away when the ledger is opened again.
    }
  }
}
