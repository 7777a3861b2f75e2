package org.ecstore.cluster.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A log file that is appended to and begun anew when it is full: what it held is then in {@code
 * FILE.1}, what that held in {@code FILE.2}, and so on up to a number of files, the oldest of which
 * is deleted. A line is never in two files, so a file may exceed its size by a line. Where files
 * cannot be renamed it goes on with the one that it has. Safe for use by several threads.
 */
final class LogFile extends OutputStream {
  private final Path file;
  private final long bytesMax;
  private final int files;
  private @Nullable OutputStream out;
  private long bytes;

  /** When to think of the next file; more than the limit after a failure. */
  private long rollAt;

  private boolean atLineStart;

  /**
   * Opens a file, or makes it.
   *
   * @param files how many there may be, this one among them
   */
  LogFile(Path file, long bytesMax, int files) throws IOException {
    this.file = file;
    this.bytesMax = bytesMax;
    this.files = files;
    this.rollAt = bytesMax;
    Path directory = file.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    open();
  }

  private OutputStream open() throws IOException {
    OutputStream opened =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    out = opened;
    bytes = Files.size(file);
    atLineStart = true;
    return opened;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] from, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    if (atLineStart && bytes > 0 && bytes + length > rollAt) {
      roll();
    }
    OutputStream to = out;
    if (to == null) {
      to = open();
    }
    to.write(from, offset, length);
    bytes += length;
    atLineStart = from[offset + length - 1] == '\n';
  }

  private void roll() throws IOException {
    close();
    try {
      for (int i = files; i == files || Files.exists(old(i)); i++) {
        Files.deleteIfExists(old(i));
      }
      if (files == 1) {
        Files.deleteIfExists(file);
      }
      for (int i = files - 1; i > 0; i--) {
        Path from = i == 1 ? file : old(i - 1);
        if (Files.exists(from)) {
          Files.move(from, old(i), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      // Only this file could tell it. It is tried again when as much has come as fits.
      rollAt = bytes + bytesMax;
      return;
    }
    rollAt = bytesMax;
  }

  /** The i-th file before the current one. */
  private Path old(int i) {
    return file.resolveSibling(file.getFileName() + "." + i);
  }

  @Override
  public synchronized void flush() throws IOException {
    if (out != null) {
      out.flush();
    }
  }

  /** Closes the file; what is written afterwards opens it again. */
  @Override
  public synchronized void close() throws IOException {
    OutputStream closing = out;
    out = null;
    if (closing != null) {
      closing.close();
    }
  }
}
