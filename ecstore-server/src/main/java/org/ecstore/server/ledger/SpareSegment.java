package org.ecstore.server.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.server.ledger.LedgerFiles.SegmentFile;
import org.jspecify.annotations.Nullable;

/**
 * A file of zeros for the next segment, made beside the writer and little by little: to write one
 * at once, when it is needed, would hold up every commit of that time, and a force of another file
 * waits for what the disk has to write. For the writer's thread only, but for the thread it starts.
 */
final class SpareSegment {
  /** The name of the file until it is a segment. */
  static final String NAME = "spare-segment.tmp";

  /** A smaller segment is made at once. */
  private static final long BYTES_MIN = 16 << 20;

  private static final int STEP_BYTES = 1 << 20;
  private static final int STEPS_PER_FORCE = 4;
  private static final long PAUSE_MILLIS = 10;

  private final LedgerFiles files;
  private final long bytes;
  private @Nullable CompletableFuture<Optional<SegmentFile>> made;
  private volatile boolean hurried;
  private volatile boolean ended;

  /**
   * The spare of a ledger.
   *
   * @param bytes of a segment
   */
  SpareSegment(LedgerFiles files, long bytes) {
    this.files = files;
    this.bytes = bytes;
  }

  /** Begins to make one, unless there is one or the ledger's segments are small. */
  void prepare() {
    if (made == null && bytes >= BYTES_MIN) {
      CompletableFuture<Optional<SegmentFile>> making = new CompletableFuture<>();
      made = making;
      hurried = false;
      Thread.ofPlatform()
          .name("ecstore-ledger-spare")
          .daemon()
          .start(() -> making.complete(make()));
    }
  }

  /**
   * The file, of so many bytes, all zeros and written out; from now on it is the caller's. Absent
   * if there is none, or none could be made: the caller will learn why when it makes one itself.
   */
  Optional<SegmentFile> take(long wanted) {
    CompletableFuture<Optional<SegmentFile>> making = made;
    if (making == null || wanted != bytes) {
      return Optional.empty();
    }
    hurried = true;
    made = null;
    return making.join();
  }

  /** Makes no more, and takes away what there is. */
  void end() {
    ended = true;
    Optional<SegmentFile> left = take(bytes);
    if (left.isPresent()) {
      discard(left.get());
    }
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
        hurried = true; // Nobody interrupts it: it is no use to wait any more.
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
