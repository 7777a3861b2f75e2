package org.ecstore.server.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.ledger.segment.DiskFiles;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.OutOfSpaceException;

/** A real ledger on a disk that is full while a test says so: no file can grow or be created. */
public final class FullDisk implements LedgerFiles {
  private final LedgerFiles disk;
  private final AtomicBoolean full;

  private FullDisk(LedgerFiles disk, AtomicBoolean full) {
    this.disk = disk;
    this.full = full;
  }

  /** Opens a ledger as {@link LocalLedgerStore#open} does. */
  public static LocalLedgerStore open(
      Path directory, UUID cluster, LedgerSettings settings, OperatorLog log, AtomicBoolean full)
      throws IOException {
    DirectoryLock lock = DirectoryLock.acquire(directory);
    FullDisk files = new FullDisk(new DiskFiles(directory), full);
    return LocalLedgerStore.open(lock, files, cluster, settings, log);
  }

  private void checkRoom() throws IOException {
    if (full.get()) {
      throw new OutOfSpaceException("No space left on device");
    }
  }

  @Override
  public List<String> names() throws IOException {
    return disk.names();
  }

  @Override
  public Path path(String name) {
    return disk.path(name);
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    return new FullFile(disk.open(name));
  }

  @Override
  public SegmentFile create(String name, long bytes) throws IOException {
    checkRoom();
    return new FullFile(disk.create(name, bytes));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  /** Some file systems need room for a write into what was allotted, too. */
  private final class FullFile implements SegmentFile {
    private final SegmentFile file;

    FullFile(SegmentFile file) {
      this.file = file;
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      file.read(into, offset);
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      checkRoom();
      file.write(from, offset);
    }

    @Override
    public void truncate(long length) throws IOException {
      file.truncate(length);
    }

    @Override
    public void force() throws IOException {
      checkRoom();
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
