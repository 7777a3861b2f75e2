package org.ecstore.bench.cli.options;

import java.util.Optional;
import org.ecstore.bench.qos.TableWorkload;
import picocli.CommandLine.Option;

/** What nodes of a measurement get, and what clients do to their store: a mixin of commands. */
public final class MeasuredStoreOptions {
  private static final long RECORDS_MAX = 1_000_000_000L;
  private static final int HEAP_MIN = 128;
  private static final int HEAP_MAX = 1 << 20;
  private static final int CACHE_MIN = 8;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description = "The heap of each node, in MiB. ${DEFAULT-VALUE}.")
  private int heap;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description =
          "The engine's cache of each node, within its heap, in MiB; of mysql the buffer pool of its"
              + " server. That of redis may hold as much as --heap. ${DEFAULT-VALUE}.")
  private int cache;

  @Option(
      names = "--workload",
      paramLabel = "W",
      description = {
        "What clients do: zipf or uniform, and read (100 %% reads), read-heavy (95 %%),"
            + " write-heavy (50 %%) or write (0 %%), as in zipf-read. ${DEFAULT-VALUE}."
      })
  private String workload;

  /**
   * What they are if they are not given.
   *
   * @param heap of each node, in MiB
   * @param cache of each node's engine, in MiB
   * @param workload as {@link TableWorkload#of} takes it
   */
  public MeasuredStoreOptions(int heap, int cache, String workload) {
    this.heap = heap;
    this.cache = cache;
    this.workload = workload;
  }

  /** In MiB. */
  public int heap() {
    return heap;
  }

  /** In MiB. */
  public int cache() {
    return cache;
  }

  /** What clients do, as it was given. */
  public String workload() {
    return workload;
  }

  /** What clients do; absent with a fault. */
  public Optional<TableWorkload> workload(OptionFaults faults) {
    Optional<TableWorkload> wanted = TableWorkload.of(workload);
    faults.require(
        wanted.isPresent(),
        "--workload is one of %s, not \"%s\""
            .formatted(String.join(", ", TableWorkload.names()), workload));
    return wanted;
  }

  /** Looks at heap and cache. */
  public void checkMemory(OptionFaults faults) {
    faults.require(
        heap >= HEAP_MIN && heap <= HEAP_MAX,
        "--heap is from %d to %d MiB, not %d".formatted(HEAP_MIN, HEAP_MAX, heap));
    faults.require(
        cache >= CACHE_MIN && cache <= heap / 2,
        "--cache is from %d MiB to half of --heap, not %d".formatted(CACHE_MIN, cache));
  }

  /** Looks at {@code --records}, which each command says in its own words. */
  public static void checkRecords(OptionFaults faults, long records) {
    faults.require(
        records >= 2 && records <= RECORDS_MAX,
        "--records is from 2 to %d, not %d".formatted(RECORDS_MAX, records));
  }
}
