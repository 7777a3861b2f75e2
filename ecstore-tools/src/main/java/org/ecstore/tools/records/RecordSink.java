package org.ecstore.tools.records;

import java.io.IOException;

/** Where records go that are exported. */
public interface RecordSink {
  /** The bytes that stand before all records. */
  byte[] header();

  /** The bytes of a record. */
  byte[] bytes(RecordLine line) throws IOException;
}
