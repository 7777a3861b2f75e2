package org.ecstore.server.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.OutOfSpaceException;

/**
 * Files in memory on a disk that keeps promises and no more: what was not forced may be lost at a
 * crash, sector by sector in any combination. A force that fails writes some sectors and drops the
 * others, which stay readable until the crash and are not written by a later force.
 */
public final class SimulatedDisk implements LedgerFiles {
  private static final int SECTOR_BYTES = 512;

  private final Random random;
  private final TreeMap<String, Content> files = new TreeMap<>();
  private final Map<Operation, Integer> counts = new HashMap<>();
  private Faults faults = (operation, count) -> Fault.NONE;
  private boolean off;

  public SimulatedDisk(long seed) {
    this(new Random(seed));
  }

  private SimulatedDisk(Random random) {
    this.random = random;
  }

  enum Operation {
    CREATE,
    WRITE,
    FORCE,
    RENAME,
    TRUNCATE,
    DELETE,
    READ
  }

  /** How an operation fails. A write fails in its middle. */
  enum Fault {
    NONE,
    FULL,
    BROKEN,
    POWER_LOSS
  }

  /** Says whether the n-th (from 1) operation of a kind fails. */
  interface Faults {
    Fault of(Operation operation, int count);
  }

  synchronized void faults(Faults next) {
    counts.clear();
    faults = next;
  }

  /** Whether the power is gone and nothing works any more. */
  synchronized boolean isOff() {
    return off;
  }

  /** How often an operation was begun since the faults were set. */
  synchronized int count(Operation operation) {
    return counts.getOrDefault(operation, 0);
  }

  private static final class Content {
    private byte[] now = new byte[0];
    private byte[] durable = new byte[0];
    private final BitSet dirty = new BitSet();
  }

  /** The disk as it is found after a loss of power; this one works no more. */
  synchronized SimulatedDisk powerLoss() {
    off = true;
    SimulatedDisk next = new SimulatedDisk(random);
    for (Map.Entry<String, Content> file : files.entrySet()) {
      Content content = file.getValue();
      writeOut(content, random.nextInt(101));
      Content found = new Content();
      found.durable = content.durable.clone();
      found.now = content.durable.clone();
      next.files.put(file.getKey(), found);
    }
    return next;
  }

  /** Makes about some percentage of the dirty sectors durable and forgets that the others are. */
  private void writeOut(Content content, int percent) {
    int length = content.now.length;
    if (content.durable.length != length) {
      content.durable = Arrays.copyOf(content.durable, length);
    }
    for (int i = content.dirty.nextSetBit(0); i >= 0; i = content.dirty.nextSetBit(i + 1)) {
      int from = i * SECTOR_BYTES;
      int to = Math.min(length, from + SECTOR_BYTES);
      if (from < to && random.nextInt(100) < percent) {
        System.arraycopy(content.now, from, content.durable, from, to - from);
      }
    }
    content.dirty.clear();
  }

  /** Whether the operation is to fail by half; throws at once for the other faults. */
  private Fault begin(Operation operation) throws IOException {
    if (off) {
      throw new IOException("the power is off");
    }
    int count = counts.merge(operation, 1, Integer::sum);
    Fault fault = faults.of(operation, count);
    if (fault == Fault.POWER_LOSS) {
      off = true;
    }
    return fault;
  }

  private static void fail(Fault fault) throws IOException {
    switch (fault) {
      case NONE -> {}
      case FULL -> throw new OutOfSpaceException("No space left on device");
      case BROKEN -> throw new IOException("Input/output error");
      case POWER_LOSS -> throw new IOException("the power is off");
    }
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(files.keySet());
  }

  @Override
  public Path path(String name) {
    return Path.of("/simulated", name);
  }

  @Override
  public synchronized SegmentFile open(String name) throws IOException {
    Content content = files.get(name);
    if (content == null) {
      throw new IOException("no file " + name);
    }
    return new File(content);
  }

  @Override
  public synchronized SegmentFile create(String name, long bytes) throws IOException {
    fail(begin(Operation.CREATE));
    Content content = new Content();
    content.now = new byte[Math.toIntExact(bytes)];
    content.dirty.set(0, (int) (bytes / SECTOR_BYTES) + 1);
    files.put(name, content);
    return new File(content);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    Fault fault = begin(Operation.RENAME);
    boolean renamed = fault == Fault.NONE || random.nextBoolean();
    if (renamed) {
      Content content = files.remove(from);
      if (content == null) {
        throw new IOException("no file " + from);
      }
      files.put(to, content);
    }
    fail(fault);
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    fail(begin(Operation.DELETE));
    files.remove(name);
  }

  /** The whole content of a file, for tests that look at it or damage it. */
  synchronized byte[] content(String name) {
    Content content = files.get(name);
    if (content == null) {
      throw new AssertionError("no file " + name);
    }
    return content.now.clone();
  }

  /** Changes a byte under everyone's hands. */
  synchronized void damage(String name, int offset) {
    Content content = files.get(name);
    if (content == null) {
      throw new AssertionError("no file " + name);
    }
    content.now[offset] ^= 0x20;
  }

  /** A disk that holds copies of files. */
  static SimulatedDisk holding(Map<String, byte[]> contents, long seed) {
    SimulatedDisk disk = new SimulatedDisk(seed);
    contents.forEach(
        (name, bytes) -> {
          Content content = new Content();
          content.now = bytes.clone();
          content.durable = bytes.clone();
          disk.files.put(name, content);
        });
    return disk;
  }

  /** All files with their contents. */
  public synchronized Map<String, byte[]> contents() {
    Map<String, byte[]> all = new TreeMap<>();
    files.forEach((name, content) -> all.put(name, content.now.clone()));
    return all;
  }

  private final class File implements SegmentFile {
    private final Content content;

    File(Content content) {
      this.content = content;
    }

    @Override
    public long length() {
      synchronized (SimulatedDisk.this) {
        return content.now.length;
      }
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      synchronized (SimulatedDisk.this) {
        fail(begin(Operation.READ));
        if (offset + into.remaining() > content.now.length) {
          throw new EOFException();
        }
        into.put(content.now, (int) offset, into.remaining());
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      synchronized (SimulatedDisk.this) {
        Fault fault = begin(Operation.WRITE);
        int count = fault == Fault.NONE ? from.remaining() : random.nextInt(from.remaining() + 1);
        int at = (int) offset;
        if (at + count > content.now.length) {
          content.now = Arrays.copyOf(content.now, at + count);
        }
        from.get(content.now, at, count);
        if (count > 0) {
          content.dirty.set(at / SECTOR_BYTES, (at + count - 1) / SECTOR_BYTES + 1);
        }
        fail(fault);
      }
    }

    @Override
    public void truncate(long length) throws IOException {
      synchronized (SimulatedDisk.this) {
        fail(begin(Operation.TRUNCATE));
        content.now = Arrays.copyOf(content.now, (int) length);
        content.durable = Arrays.copyOf(content.durable, (int) length);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (SimulatedDisk.this) {
        Fault fault = begin(Operation.FORCE);
        switch (fault) {
          case NONE -> writeOut(content, 100);
          case FULL, BROKEN -> writeOut(content, random.nextInt(100));
          case POWER_LOSS -> {}
        }
        fail(fault);
      }
    }

    @Override
    public void close() {}
  }
}
