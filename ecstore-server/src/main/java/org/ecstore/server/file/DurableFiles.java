package org.ecstore.server.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.ecstore.key.Bytes;

/** Changes of directories and small files that are durable when they return. */
public final class DurableFiles {
  private DurableFiles() {}

  /** Makes creations, renamings and deletions in a directory durable. */
  public static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Makes all that is in a directory durable, and the directories in it. */
  public static void forceAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          forceDirectory(file);
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
          }
        }
      }
    }
  }

  /**
   * Replaces a file as a whole: a crash leaves the old content or the new one. After an exception
   * either may be there.
   */
  public static void replace(Path directory, String name, Bytes content) throws IOException {
    Path fresh = directory.resolve(name + ".tmp");
    // A new file each time: after a failed force the pages of the old one cannot be trusted.
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(content.array());
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(
        fresh,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(directory);
  }
}
