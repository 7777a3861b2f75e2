package org.ecstore.cluster.node;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the process of a node gets, and the database server under it. Immutable. Network buffers
 * outside the heap get two thirds of it: a node keeps what it holds for others within the heap, and
 * they have what is on its way.
 *
 * @param heapBytesMin of the virtual machine's heap at first
 * @param heapBytesMax of it at most
 * @param cacheBytes of the engine, within the heap
 * @param collector of garbage, as the virtual machine calls it, as in {@code SerialGC}
 * @param compileScale how many times later than by itself the virtual machine compiles a method:
 *     from 1, which is its own measure. Compilers take half of what a start costs.
 * @param database of the server that the node keeps its data on, if it has one
 */
public record NodeResources(
    long heapBytesMin,
    long heapBytesMax,
    long cacheBytes,
    String collector,
    int compileScale,
    DatabaseMemory database) {
  private static final long MEBI = 1 << 20;
  private static final long GIBI = 1 << 30;

  /** Of the memory, nodes' heaps take at most this part; the rest is for files and buffers. */
  private static final int HEAPS_PART = 4;

  /** What a node holds for others takes up to eight tenths of its heap (docs/limits.md). */
  private static final int CACHE_PART = 8;

  private static final long HEAP_MIN = 256 * MEBI;

  /** Above it references take twice the room. */
  private static final long HEAP_MAX = 31 * GIBI;

  private static final long CACHE_MIN = 8 * MEBI;

  /** A collector that stops the world moves a GiB within the time in which a node is missed. */
  private static final long SERIAL_HEAP_MAX = GIBI;

  /** Of several nodes that start on the same processors (docs/measured.md, all killed at once). */
  private static final int SHARED_COMPILE_SCALE = 4;

  /** For several processes that share a small machine. */
  public static final NodeResources SMALL =
      new NodeResources(64 * MEBI, 384 * MEBI, 48 * MEBI, "SerialGC", SHARED_COMPILE_SCALE);

  public NodeResources {
    if (heapBytesMin > heapBytesMax || cacheBytes > heapBytesMax) {
      throw new IllegalArgumentException(
          "a heap of " + heapBytesMax + " bytes cannot hold what it shall hold");
    }
    if (compileScale < 1) {
      throw new IllegalArgumentException("compileScale is " + compileScale);
    }
  }

  /**
   * Where cache and heap are said: a server that keeps its data on disk has as much of a cache as
   * the engine of another node, one that has them in memory as much as a heap.
   */
  public NodeResources(
      long heapBytesMin, long heapBytesMax, long cacheBytes, String collector, int compileScale) {
    this(
        heapBytesMin,
        heapBytesMax,
        cacheBytes,
        collector,
        compileScale,
        new DatabaseMemory(cacheBytes, heapBytesMax));
  }

  /**
   * What each of some nodes gets that share a machine: together a quarter of its memory for heaps,
   * of each an eighth for the engine's cache, and the collector that fits heap and processors;
   * database servers have another quarter, if each node has one. Where nodes are more than half of
   * the processors they compile later, so that all serve sooner.
   */
  public static NodeResources of(Machine machine, int nodes) {
    long heap =
        Math.clamp(machine.memoryBytes() / HEAPS_PART / nodes / MEBI * MEBI, HEAP_MIN, HEAP_MAX);
    return of(machine, nodes, heap, cacheOf(heap)).with(DatabaseMemory.of(machine, nodes));
  }

  /**
   * The same with a heap and a cache that are known.
   *
   * @param heapBytes of each at most
   * @param cacheBytes of each engine, within the heap
   */
  public static NodeResources of(Machine machine, int nodes, long heapBytes, long cacheBytes) {
    String collector =
        heapBytes > SERIAL_HEAP_MAX && machine.processors() > 1 ? "G1GC" : SMALL.collector();
    return new NodeResources(
        Math.max(SMALL.heapBytesMin(), heapBytes / CACHE_PART / MEBI * MEBI),
        heapBytes,
        cacheBytes,
        collector,
        nodes > 1 && nodes * 2 > machine.processors() ? SHARED_COMPILE_SCALE : 1);
  }

  /** The same with another memory of the database server. */
  public NodeResources with(DatabaseMemory other) {
    return new NodeResources(
        heapBytesMin, heapBytesMax, cacheBytes, collector, compileScale, other);
  }

  /** The engine's cache where none is configured, in bytes, of a heap of some bytes. */
  public static long cacheOf(long heapBytes) {
    return Math.max(CACHE_MIN, heapBytes / CACHE_PART);
  }

  /** Whether the cache follows from the heap, so that it need not be configured. */
  public boolean isCacheOfHeap() {
    return cacheBytes == cacheOf(heapBytesMax);
  }

  public List<String> flags() {
    Stream<String> memory =
        Stream.of(
            "-Xms" + heapBytesMin / MEBI + "m",
            "-Xmx" + heapBytesMax / MEBI + "m",
            "-XX:MaxDirectMemorySize=" + heapBytesMax * 2 / 3 / MEBI + "m",
            "-XX:+Use" + collector);
    Stream<String> compilers =
        compileScale == 1
            ? Stream.empty()
            : Stream.of("-XX:CompileThresholdScaling=" + compileScale);
    return Stream.concat(memory, compilers).toList();
  }
}
