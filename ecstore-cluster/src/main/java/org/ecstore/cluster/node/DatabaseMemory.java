package org.ecstore.cluster.node;

/**
 * What a database server under a node may keep of its data in memory. Immutable.
 *
 * @param cacheBytes where the data are on disk: the buffer pool of MariaDB
 * @param storeBytes where all data are in memory: the most that Redis takes, before it is full
 */
public record DatabaseMemory(long cacheBytes, long storeBytes) {
  private static final long MEBI = 1 << 20;

  /** Of the memory, servers take at most this part, as heaps of nodes do. */
  private static final int SERVERS_PART = 4;

  /** The least that a server gets. */
  public static final long BYTES_MIN = 64 * MEBI;

  public DatabaseMemory {
    if (cacheBytes < 1 || storeBytes < 1) {
      throw new IllegalArgumentException(
          "a database server needs memory, not " + cacheBytes + " and " + storeBytes);
    }
  }

  /** As much of the one as of the other. */
  public static DatabaseMemory of(long bytes) {
    return new DatabaseMemory(bytes, bytes);
  }

  /** What the server under each of some nodes gets that share a machine, if it has one. */
  static DatabaseMemory of(Machine machine, int nodes) {
    return of(Math.max(BYTES_MIN, machine.memoryBytes() / SERVERS_PART / nodes / MEBI * MEBI));
  }
}
