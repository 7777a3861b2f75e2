package org.ecstore.bench.hosts;

import java.util.Optional;
import org.ecstore.cluster.node.NodeResources;

/**
 * What each of several hosts gets of a machine that they share.
 *
 * @param memoryBytes for all of them
 * @param diskBytes that are free
 */
public record HostShare(long memoryBytes, long diskBytes) {
  private static final long MEBI = 1 << 20;

  /** What a process takes beside its heap: code, threads, buffers; a bookie in some. */
  static final long BESIDE_HEAP_BYTES = 256 * MEBI;

  private static final long HEAP_MIN_BYTES = 192 * MEBI;
  private static final long HEAP_MAX_BYTES = 2048 * MEBI;

  /** With its key, what JE and the ledger write around it. */
  private static final long RECORD_BYTES = 1200;

  /** What an engine writes for each copy until it cleans, and what the ledger's copies take. */
  private static final long WRITTEN_PER_COPY = 3;

  private static final long WRITTEN_BY_LEDGER = 6;

  /** What is wrong with so many hosts and records; empty if they fit. */
  public Optional<String> wrong(int hosts, int copies, long records) {
    if (heap(hosts) < HEAP_MIN_BYTES) {
      return Optional.of(
          "%d hosts do not fit into %d MiB: each is a process with a heap of %d MiB at least and %d MiB beside it, so %d of them do"
              .formatted(
                  hosts,
                  memoryBytes / MEBI,
                  HEAP_MIN_BYTES / MEBI,
                  BESIDE_HEAP_BYTES / MEBI,
                  memoryBytes / (HEAP_MIN_BYTES + BESIDE_HEAP_BYTES)));
    }
    long needed =
        records * RECORD_BYTES * (WRITTEN_PER_COPY * Math.min(copies, hosts) + WRITTEN_BY_LEDGER);
    if (needed > diskBytes) {
      return Optional.of(
          "%,d records in all on %d hosts may take %,d MiB of disk, and there are %,d MiB"
              .formatted(records, hosts, needed / MEBI, diskBytes / MEBI));
    }
    return Optional.empty();
  }

  private long heap(int hosts) {
    return Math.min(HEAP_MAX_BYTES, memoryBytes / hosts - BESIDE_HEAP_BYTES);
  }

  /** What each gets. */
  public NodeResources of(int hosts) {
    long heap = heap(hosts) / MEBI * MEBI;
    return new NodeResources(64 * MEBI, heap, heap / 3, "SerialGC", 1);
  }
}
