package org.ecstore.engines.window;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values of versions in the window, in memory that the collector does not look at (decision 0095).
 * They stay for as long as old versions are read, which is longer than a collector takes anything
 * to be short-lived, and then leave in about the order in which they came.
 *
 * <p>A chunk of memory takes value after value. When all of them have left, it is used again: after
 * the readers that were under way (rule W5, {@link ReaderPins}), and after the caller's thread,
 * which reads without a pin, has come to rest. Until then a reader that has found a version finds
 * its value, too. Any thread may call, but for {@link #rest}.
 */
final class OffHeapValues {
  private static final Logger log = LoggerFactory.getLogger(OffHeapValues.class);

  /** Chunks that may be there beside those that a full window needs. */
  private static final int SPARE = 4;

  private final ValueSizes sizes;
  private final ReaderPins pins;
  private final WindowRules rules;

  /** Nothing under way that holds a pin looks at them. */
  private final Queue<Chunk> quiet = new ConcurrentLinkedQueue<>();

  /** Guarded by this, as all below. */
  private final Deque<Chunk> free = new ArrayDeque<>();

  private @Nullable Chunk filling;
  private int chunks;
  private int chunksMax = Integer.MAX_VALUE;

  OffHeapValues(ValueSizes sizes, ReaderPins pins, WindowRules rules) {
    this.sizes = sizes;
    this.pins = pins;
    this.rules = rules;
  }

  /** Takes no more than a window needs that has so many bytes at most. */
  synchronized void bytesMax(long bytes) {
    long most = bytes / sizes.chunk() + bytes / sizes.chunk() / 4 + SPARE;
    chunksMax = (int) Math.min(Integer.MAX_VALUE, most);
  }

  /** A place with a value; null if it is not taken, and stays where it is. */
  synchronized @Nullable Place put(Bytes value) {
    if (value.length() < sizes.shortest() || value.length() > sizes.longest()) {
      return null;
    }
    Chunk to = filling;
    if (to == null || to.left() < value.length()) {
      Chunk next = next();
      if (next == null) {
        return null;
      }
      if (to != null) {
        to.leave();
      }
      filling = next;
      to = next;
    }
    return to.put(value);
  }

  private @Nullable Chunk next() {
    if (!free.isEmpty()) {
      return free.pop().again();
    }
    if (chunks >= chunksMax) {
      return null;
    }
    try {
      Chunk made = new Chunk(ByteBuffer.allocateDirect(sizes.chunk()));
      chunks++;
      return made;
    } catch (OutOfMemoryError e) {
      log.warn(
          "there is no more memory outside the heap than {} MiB for values of the window: others"
              + " are in the heap; see -XX:MaxDirectMemorySize",
          ((long) chunks * sizes.chunk()) >> 20,
          e);
      chunksMax = chunks;
      return null;
    }
  }

  /** The caller's thread reads nothing now: chunks that are quiet are used again. */
  void rest() {
    if (quiet.isEmpty()) {
      return;
    }
    synchronized (this) {
      for (Chunk each = quiet.poll(); each != null; each = quiet.poll()) {
        free.push(each);
      }
    }
  }

  /** How much memory there is, with what is not in use now. */
  synchronized long bytes() {
    return (long) chunks * sizes.chunk();
  }

  /** Some memory; changed under the lock of all. */
  private final class Chunk {
    private final ByteBuffer memory;
    private int used;

    /** Values in it, and one while it takes more. */
    private final AtomicInteger holders = new AtomicInteger(1);

    Chunk(ByteBuffer memory) {
      this.memory = memory;
    }

    Chunk again() {
      used = 0;
      holders.set(1);
      return this;
    }

    int left() {
      return memory.capacity() - used;
    }

    Place put(Bytes value) {
      memory.put(used, value.array());
      Place place = new Place(this, used, value.length());
      used += value.length();
      holders.incrementAndGet();
      return place;
    }

    void leave() {
      if (holders.decrementAndGet() == 0) {
        rules.usedAgain(pins::afterThoseOfNow, () -> quiet.add(this));
      }
    }
  }

  /** Where a value is. Readers have a pin, or are the caller's thread. */
  static final class Place {
    private final Chunk chunk;
    private final int from;
    private final int length;

    private Place(Chunk chunk, int from, int length) {
      this.chunk = chunk;
      this.from = from;
      this.length = length;
    }

    int length() {
      return length;
    }

    /** A copy of the value. */
    Bytes bytes() {
      byte[] copy = new byte[length];
      chunk.memory.get(from, copy);
      return Bytes.wrap(copy);
    }

    /** The version has left the window: once for each place. */
    void leave() {
      chunk.leave();
    }
  }
}
