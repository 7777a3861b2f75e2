package org.ecstore.bench.peer.local;

import java.util.Map;
import org.ecstore.bench.store.BenchDb;
import site.ycsb.DBException;

/** Makes clients of one running peer. Safe for use by several threads. */
public interface PeerClients extends AutoCloseable {
  /** A client, initialized; for one thread, which cleans it up. */
  BenchDb client() throws DBException;

  /** What the running peer says of itself: version, durability, memory. */
  Map<String, String> settings() throws DBException;

  /** Lets go of what all clients share. */
  @Override
  void close();
}
