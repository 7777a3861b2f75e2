package org.ecstore.server.ledger.segment;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.server.file.DurableFiles;

/** The files of a ledger on a disk. */
public final class DiskFiles implements LedgerFiles {
  private static final int ZEROS_BYTES = 1 << 20;

  private final Path directory;

  public DiskFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public Path path(String name) {
    return directory.resolve(name);
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    return new DiskFile(
        FileChannel.open(path(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public SegmentFile create(String name, long bytes) throws IOException {
    Files.deleteIfExists(path(name));
    DiskFile file =
        new DiskFile(
            FileChannel.open(
                path(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, bytes));
      for (long offset = 0; offset < bytes; offset += zeros.capacity()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - offset));
        file.write(zeros, offset);
      }
      return file;
    } catch (IOException e) {
      discard(name, file, e);
      throw e;
    }
  }

  private void discard(String name, DiskFile file, IOException failure) {
    try {
      file.close();
      Files.deleteIfExists(path(name));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        path(from), path(to), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    DurableFiles.forceDirectory(directory);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(path(name));
    DurableFiles.forceDirectory(directory);
  }

  /** Java names no error numbers, so want of room is told by the text of the system's message. */
  private static IOException named(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("No space left") || message.contains("uota exceeded")
        ? new OutOfSpaceException(failure)
        : failure;
  }

  private record DiskFile(FileChannel channel) implements SegmentFile {
    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      long at = offset;
      while (into.hasRemaining()) {
        int count = channel.read(into, at);
        if (count < 0) {
          throw new EOFException("file ends at " + at);
        }
        at += count;
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      long at = offset;
      try {
        while (from.hasRemaining()) {
          at += channel.write(from, at);
        }
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void truncate(long length) throws IOException {
      channel.truncate(length);
      channel.force(true);
    }

    @Override
    public void force() throws IOException {
      try {
        channel.force(false);
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
