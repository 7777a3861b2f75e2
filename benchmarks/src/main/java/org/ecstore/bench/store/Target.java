package org.ecstore.bench.store;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import site.ycsb.DBException;

/** A store that runs, to be measured. Safe for use by several threads. */
public interface Target extends AutoCloseable {
  /** As users name it, as in {@code ecstore}. */
  String name();

  /** What there is to know of it to repeat the measurement: version, durability, nodes. */
  Map<String, String> settings();

  /** A client of it, initialized; for one thread, which cleans it up. */
  BenchDb client() throws DBException;

  /** Its processes, as far as they are known. */
  List<Long> processes();

  /** What it takes on disk, if that is known. */
  OptionalLong bytesOnDisk();

  @Override
  void close();
}
