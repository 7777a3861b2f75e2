package org.ecstore.bench.cli;

import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.store.EcStoreDb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import site.ycsb.DBException;

/**
 * What ecStore's nodes get, how their clients read, and where other stores' programs are kept; how
 * many nodes there are is for those that extend it to ask, or for their command.
 */
class NodeOptions {
  private static final int NODES_MAX = 99;
  private static final long HEAP_MIN = 64;
  private static final long HEAP_MAX = 1 << 20;
  private static final long CACHE_MIN = 8;
  private static final List<String> COLLECTORS =
      List.of("SerialGC", "ParallelGC", "G1GC", "ZGC", "ShenandoahGC");

  private static final String NODES =
      "Node processes of ecStore to start; one has its ledger in files, several on bookies.";

  /** What only nodes have that are started. */
  static final List<String> OF_NODES =
      List.of("--nodes", "--copies", "--heap", "--cache", "--collector");

  @Option(
      names = "--peers-dir",
      paramLabel = "DIR",
      description =
          "Where programs of other stores are kept that were fetched; ~/.cache/ecstore/peers if not"
              + " given.")
  @Nullable Path peersDirectory;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "3",
      description = "Copies of each range, as far as there are nodes. ${DEFAULT-VALUE}.")
  int copies;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "session",
      description =
          "How fresh reads are: session, strong, local or bounded-MILLIS; or quorum-N-W-R, by which"
              + " single keys are read and written. ${DEFAULT-VALUE}.")
  String level = "";

  @Option(
      names = "--isolation",
      paramLabel = "I",
      defaultValue = "serializable",
      description = "What commits validate: serializable or snapshot. ${DEFAULT-VALUE}.")
  String isolation = "";

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      defaultValue = "2048",
      description = "The heap of each node, in MiB. ${DEFAULT-VALUE}.")
  long heap;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      defaultValue = "1024",
      description =
          "The engine's cache of each node, within its heap, in MiB; of mysql the buffer pool of its"
              + " server. That of redis may hold as much as --heap. ${DEFAULT-VALUE}.")
  long cache;

  @Option(
      names = "--collector",
      paramLabel = "GC",
      defaultValue = "ParallelGC",
      description = "The garbage collector of the nodes. ${DEFAULT-VALUE}.")
  String collector = "";

  /** What is wrong with them; empty if nothing is. */
  String wrong() {
    if (copies < 1) {
      return "--copies is at least 1, not " + copies;
    }
    if (heap < HEAP_MIN || heap > HEAP_MAX) {
      return "--heap is from %d to %d MiB, not %d".formatted(HEAP_MIN, HEAP_MAX, heap);
    }
    if (cache < CACHE_MIN || cache >= heap) {
      return "--cache is from %d MiB and must leave room in --heap: not %d of %d MiB"
          .formatted(CACHE_MIN, cache, heap);
    }
    if (!COLLECTORS.contains(collector)) {
      return "--collector is one of " + COLLECTORS + ", not " + collector;
    }
    try {
      EcStoreDb.level(level);
      EcStoreDb.isolation(isolation);
      return "";
    } catch (DBException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** As {@link #wrong}, of a number of nodes. */
  private static String wrongNumber(int nodes) {
    return nodes < 1 || nodes > NODES_MAX
        ? "--nodes is from 1 to %d, not %d".formatted(NODES_MAX, nodes)
        : "";
  }

  /** What nodes get, of which there is one number. */
  static class OfOneNumber extends NodeOptions {
    @Option(
        names = "--nodes",
        paramLabel = "N",
        defaultValue = "1",
        description = NODES + " ${DEFAULT-VALUE}.")
    int nodes = 1;

    @Override
    String wrong() {
      String wrong = wrongNumber(nodes);
      return wrong.isEmpty() ? super.wrong() : wrong;
    }
  }

  /** What nodes get, of which there are several numbers in turns. */
  static final class OfSeveralNumbers extends NodeOptions {
    @Option(
        names = "--nodes",
        split = ",",
        paramLabel = "N",
        defaultValue = "1",
        description =
            NODES
                + " Of several numbers each is a store of its own, measured in turns with the others."
                + " ${DEFAULT-VALUE}.")
    List<Integer> counts = List.of();

    @Override
    String wrong() {
      if (counts.stream().distinct().count() < counts.size()) {
        return "--nodes names one of its numbers twice";
      }
      return counts.stream()
          .map(NodeOptions::wrongNumber)
          .filter(wrong -> !wrong.isEmpty())
          .findFirst()
          .orElseGet(super::wrong);
    }

    /** The fewest of them. */
    int fewest() {
      return counts.stream().mapToInt(Integer::intValue).min().orElse(1);
    }
  }
}
