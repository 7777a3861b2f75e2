package org.ecstore.server.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * The right to work in a directory, held by one owner in one process at a time. The operating
 * system takes it back from a process that ends, however it ends, so a lock is never stale. Its
 * lock belongs to a whole process and is lost when any handle of the file is closed, so a set of
 * directories guards against a second owner in this process before the file is touched. Safe for
 * use by several threads.
 */
public final class DirectoryLock implements AutoCloseable {
  private static final String FILE_NAME = "lock";
  private static final Set<Path> HELD = new HashSet<>();

  private final Path directory;
  private final FileChannel channel;
  private final boolean isForOnce;

  private DirectoryLock(Path directory, FileChannel channel, boolean isForOnce) {
    this.directory = directory;
    this.channel = channel;
    this.isForOnce = isForOnce;
  }

  /**
   * Creates the directory if it is absent and takes the lock.
   *
   * @throws DirectoryInUseException if someone holds it
   */
  public static DirectoryLock acquire(Path directory) throws IOException {
    return acquire(directory, false);
  }

  /** The same, of a directory of results: its file goes with the lock. */
  public static DirectoryLock acquireForOnce(Path directory) throws IOException {
    return acquire(directory, true);
  }

  private static DirectoryLock acquire(Path directory, boolean isForOnce) throws IOException {
    Files.createDirectories(directory);
    Path real = directory.toRealPath();
    synchronized (HELD) {
      if (HELD.contains(real)) {
        throw new DirectoryInUseException(directory, "this process", "close what has it open");
      }
      DirectoryLock lock = lock(directory, real, isForOnce);
      HELD.add(real);
      return lock;
    }
  }

  private static DirectoryLock lock(Path directory, Path real, boolean isForOnce)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            real.resolve(FILE_NAME),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      FileLock held = channel.tryLock();
      if (held == null) {
        throw new DirectoryInUseException(
            directory, "another process" + holder(channel), "end that one first");
      }
      locked = true;
      channel.truncate(0);
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      return new DirectoryLock(real, channel, isForOnce);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  /** What the holder wrote, for the reader of the message: a process id, or nothing yet. */
  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    return pid.isEmpty() ? "" : " (" + pid + ")";
  }

  /** The directory, by its real name. */
  public Path directory() {
    return directory;
  }

  /** Gives the directory back. */
  @Override
  public void close() {
    synchronized (HELD) {
      if (!channel.isOpen()) {
        return;
      }
      try (channel) {
        if (isForOnce) {
          // While it is held: else it may be that of another process.
          Files.deleteIfExists(directory.resolve(FILE_NAME));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot release the lock of " + directory, e);
      } finally {
        HELD.remove(directory);
      }
    }
  }
}
