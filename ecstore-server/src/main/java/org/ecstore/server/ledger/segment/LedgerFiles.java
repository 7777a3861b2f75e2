package org.ecstore.server.ledger.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations a ledger needs, few so that a test can fail each of them. Want of room is an
 * {@link OutOfSpaceException}. Safe for use by several threads.
 */
public interface LedgerFiles {
  /** Names of the files in the ledger's directory, in no order. */
  List<String> names() throws IOException;

  /** Where a file is, for messages. */
  Path path(String name);

  /** Opens a file that is there. */
  SegmentFile open(String name) throws IOException;

  /**
   * Creates a file (replacing one of that name) of zeros, written out so that later writes need
   * neither room nor metadata. Not durable before it is forced; leaves nothing if it fails.
   */
  SegmentFile create(String name, long bytes) throws IOException;

  /** Renames a file, replacing one of the new name; durable when it returns. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file; durable when it returns. */
  void delete(String name) throws IOException;

  /** An open file. */
  interface SegmentFile extends Closeable {
    long length() throws IOException;

    /** Fills the buffer from an offset; fails if the file ends before. */
    void read(ByteBuffer into, long offset) throws IOException;

    /** Writes all of the buffer. After a failure any part of it may be written. */
    void write(ByteBuffer from, long offset) throws IOException;

    /** Cuts the file; durable when it returns. */
    void truncate(long length) throws IOException;

    /**
     * Makes what was written durable. After a failure the operating system may have dropped what it
     * could not write and may report success next time: never trust a second attempt.
     */
    void force() throws IOException;
  }
}
