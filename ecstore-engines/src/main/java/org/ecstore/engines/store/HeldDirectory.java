package org.ecstore.engines.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;

/**
 * The directory of a store that is open: of one kind ({@link StoreDirectory}), in use by this store
 * alone, with an identity by which the store is known outside of it too. The store's own files are
 * in a folder of it.
 */
public final class HeldDirectory implements AutoCloseable {
  static final String LOCK = "lock";
  static final String IDENTITY = "identity";
  static final String IDENTITY_FRESH = IDENTITY + ".new";
  static final String DATA = "data";

  /**
   * Those of this process: a second channel on a locked file that is closed again would drop the
   * process's lock on it, so that the file alone does not do.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final StoreDirectory.Format format;
  private final FileChannel channel;
  private final UUID identity;

  private HeldDirectory(
      Path directory, StoreDirectory.Format format, FileChannel channel, UUID identity) {
    this.directory = directory;
    this.format = format;
    this.channel = channel;
    this.identity = identity;
  }

  /**
   * Takes a directory, which is created if need be.
   *
   * @throws EngineLockedException if it is in use
   * @throws EngineOpenException if it is of another kind or format, or cannot be used
   */
  public static HeldDirectory take(Path directory, StoreDirectory.Format format) {
    HeldDirectory held = takeUnclaimed(directory, format);
    boolean claimed = false;
    try {
      held.claim();
      claimed = true;
      return held;
    } finally {
      if (!claimed) {
        held.close();
      }
    }
  }

  /**
   * Takes a directory for a store that has nothing in it as long as its server has not taken it: it
   * is of no kind before {@link #claim}, so that after a first start that fails it may be another
   * one's.
   *
   * @throws EngineLockedException if it is in use
   * @throws EngineOpenException if it is of another kind or format, or cannot be used
   */
  public static HeldDirectory takeUnclaimed(Path directory, StoreDirectory.Format format) {
    try {
      Path real = Files.createDirectories(directory).toRealPath();
      if (!HELD.add(real)) {
        throw EngineLockedException.byThisProcess(directory);
      }
      boolean taken = false;
      try {
        StoreDirectory.check(real, format);
        HeldDirectory held = locked(real, format);
        taken = true;
        return held;
      } finally {
        if (!taken) {
          HELD.remove(real);
        }
      }
    } catch (IOException e) {
      throw new EngineOpenException(
          directory, "cannot use directory " + directory + " for an engine: " + e, e);
    }
  }

  private static HeldDirectory locked(Path real, StoreDirectory.Format format) throws IOException {
    FileChannel channel =
        FileChannel.open(real.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw EngineLockedException.byAnotherProcess(
            real, new IOException("the file \"lock\" there is locked"));
      }
      UUID identity = identity(real);
      Files.createDirectories(real.resolve(DATA));
      locked = true;
      return new HeldDirectory(real, format, channel, identity);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static UUID identity(Path real) throws IOException {
    Path file = real.resolve(IDENTITY);
    if (!Files.exists(file)) {
      write(file, UUID.randomUUID());
    }
    String text = Files.readString(file).strip();
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new EngineOpenException(real, file + " has no identity of a store: " + text, e);
    }
  }

  private static void write(Path file, UUID identity) throws IOException {
    Path fresh = file.resolveSibling(IDENTITY_FRESH);
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap((identity + "\n").getBytes(StandardCharsets.US_ASCII)));
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Makes it one of its kind, if it is not.
   *
   * @throws EngineOpenException if it cannot be used
   */
  public void claim() {
    StoreDirectory.claim(directory, format);
  }

  /** Itself, as it is called. */
  public Path path() {
    return directory;
  }

  /** The folder for the store's own files. */
  public Path data() {
    return directory.resolve(DATA);
  }

  /** By which the store is known, outside of its directory too: made with the directory. */
  public UUID identity() {
    return identity;
  }

  /** Lets it go: another store may take it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock ends with the process at the latest.
    } finally {
      HELD.remove(directory);
    }
  }
}
