package org.ecstore.server.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The right to work in a directory, held by one owner in one process at a time. The operating
 * system takes it back from a process that ends, however it ends, so a lock is never stale. Its
 * lock belongs to a whole process and is lost when any handle of the file is closed, so a set of
 * directories guards against a second owner in this process before the file is touched. Safe for
 * use by several threads.
 */
public final class DirectoryLock implements AutoCloseable {
  /** The file in the directory. */
  public static final String FILE_NAME = "lock";

  /** What is read of a holder; earlier builds read 20 of it. */
  private static final int HOLDER_BYTES_MAX = 80;

  /** What a holder writes, or has not written yet. */
  private static final Pattern HOLDER = Pattern.compile("([0-9]+(, [ -~]*)?)?");

  /** With what the holders do. */
  private static final Map<Path, String> HELD = new HashMap<>();

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
    return acquire(directory, "", false);
  }

  /**
   * The same, of a directory in which several work one after the other.
   *
   * @param what the holder does, for those who wait: some words, as in {@code cluster up}
   */
  public static DirectoryLock acquire(Path directory, String what) throws IOException {
    return acquire(directory, what, false);
  }

  /** The same, of a directory of results: its file goes with the lock. */
  public static DirectoryLock acquireForOnce(Path directory) throws IOException {
    return acquire(directory, "", true);
  }

  /**
   * Whether the file of the lock is not there, or is of such a lock. Another one would be written
   * over, and so would what a link leads to.
   */
  public static boolean isFreeToLock(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    synchronized (HELD) {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          || HELD.containsKey(directory.toRealPath())) {
        // A lock that this process holds would be lost when its file is closed.
        return true;
      }
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Files.size(file) <= HOLDER_BYTES_MAX
          && HOLDER.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).matches();
    }
  }

  private static DirectoryLock acquire(Path directory, String what, boolean isForOnce)
      throws IOException {
    Files.createDirectories(directory);
    Path real = directory.toRealPath();
    synchronized (HELD) {
      String held = HELD.get(real);
      if (held != null) {
        throw new DirectoryInUseException(
            directory,
            "this process" + (held.isEmpty() ? "" : " (" + held + ")"),
            "close what has it open");
      }
      DirectoryLock lock = lock(directory, real, what, isForOnce);
      HELD.put(real, what);
      return lock;
    }
  }

  private static DirectoryLock lock(Path directory, Path real, String what, boolean isForOnce)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            real.resolve(FILE_NAME),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    boolean locked = false;
    try {
      FileLock held = channel.tryLock();
      if (held == null) {
        throw new DirectoryInUseException(
            directory, "another process" + holder(channel), "end that one first");
      }
      locked = true;
      channel.truncate(0);
      String holder = ProcessHandle.current().pid() + (what.isEmpty() ? "" : ", " + what);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.US_ASCII)), 0);
      return new DirectoryLock(real, channel, isForOnce);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  /**
   * What the holder wrote, for the reader of the message: a process id and perhaps what it does, or
   * nothing yet.
   */
  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(HOLDER_BYTES_MAX);
    channel.read(text, 0);
    String holder = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    return holder.isEmpty() ? "" : " (" + holder + ")";
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
