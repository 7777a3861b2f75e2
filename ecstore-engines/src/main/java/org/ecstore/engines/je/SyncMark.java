package org.ecstore.engines.je;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A small file beside the log that says how many transactions were synced at least. Berkeley DB
 * takes the first damaged record of its log for the end of it; this tells an unsynced tail, cut by
 * a crash, from a damaged log. The file itself is never synced: whatever value survives was true.
 */
final class SyncMark implements AutoCloseable {
  private static final String NAME = "synced";

  private final FileChannel file;

  private SyncMark(FileChannel file) {
    this.file = file;
  }

  static SyncMark open(Path directory) throws IOException {
    return new SyncMark(
        FileChannel.open(
            directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
  }

  /** The transactions of a directory that were synced at least. */
  static long read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return 0;
    }
    byte[] stored = Files.readAllBytes(file);
    if (stored.length != 2 * Long.BYTES) {
      return 0;
    }
    ByteBuffer buffer = ByteBuffer.wrap(stored);
    long count = buffer.getLong();
    return buffer.getLong() == ~count ? count : 0;
  }

  void write(long count) {
    ByteBuffer buffer = ByteBuffer.allocate(2 * Long.BYTES).putLong(count).putLong(~count).flip();
    try {
      file.write(buffer, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
