package org.ecstore.tools.records;

import java.io.IOException;
import java.util.Optional;

/** Records of a file, one after the other. */
public interface RecordSource {
  /**
   * The next record; absent behind the last one.
   *
   * @throws BadRecordException if what is there is none
   */
  Optional<RecordLine> next() throws IOException, BadRecordException;

  /** How many records were read, with a bad one. */
  long number();

  /** The line that the last record begins in, from 1 on. */
  long line();
}
