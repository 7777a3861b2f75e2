package org.ecstore.cluster.process;

import java.util.List;

/**
 * What the process of a node gets. Immutable. Network buffers outside the heap get two thirds of
 * it: a node keeps what it holds for others within the heap, and they have what is on its way.
 *
 * @param heapBytesMin of the virtual machine's heap at first
 * @param heapBytesMax of it at most
 * @param cacheBytes of the engine, within the heap
 * @param collector of garbage, as the virtual machine calls it, as in {@code SerialGC}
 */
public record NodeResources(
    long heapBytesMin, long heapBytesMax, long cacheBytes, String collector) {
  private static final long MEBI = 1 << 20;

  /** For several processes that share a small machine. */
  public static final NodeResources SMALL =
      new NodeResources(64 * MEBI, 384 * MEBI, 48 * MEBI, "SerialGC");

  public NodeResources {
    if (heapBytesMin > heapBytesMax || cacheBytes > heapBytesMax) {
      throw new IllegalArgumentException(
          "a heap of " + heapBytesMax + " bytes cannot hold what it shall hold");
    }
  }

  public List<String> flags() {
    return List.of(
        "-Xms" + heapBytesMin / MEBI + "m",
        "-Xmx" + heapBytesMax / MEBI + "m",
        "-XX:MaxDirectMemorySize=" + heapBytesMax * 2 / 3 / MEBI + "m",
        "-XX:+Use" + collector);
  }

  String cache() {
    return cacheBytes / MEBI + "MiB";
  }
}
