package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.flags.JvmFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeResourcesTest {
  private static final long MEBI = 1 << 20;

  private static NodeResources of(long memoryMebi, int processors, int nodes) {
    return NodeResources.of(new Machine(memoryMebi * MEBI, processors), nodes);
  }

  /** The rows of the table in docs/configuration.md. */
  @ParameterizedTest
  @CsvSource({
    "1024, 1, 1, 256, 32, SerialGC",
    "2048, 2, 3, 256, 32, SerialGC",
    "4096, 2, 1, 1024, 128, SerialGC",
    "8192, 4, 1, 2048, 256, G1GC",
    "8192, 1, 1, 2048, 256, SerialGC",
    "16384, 8, 3, 1365, 170, G1GC",
    "24576, 2, 3, 2048, 256, G1GC",
    "65536, 16, 1, 16384, 2048, G1GC",
    "262144, 64, 1, 31744, 3968, G1GC"
  })
  void heapCacheAndCollectorFollowFromTheMachine(
      long memory, int processors, int nodes, long heap, long cache, String collector) {
    NodeResources each = of(memory, processors, nodes);
    assertEquals(heap, each.heapBytesMax() / MEBI);
    assertEquals(cache, each.cacheBytes() / MEBI);
    assertEquals(collector, each.collector());
  }

  @Test
  void nodesOfOneMachineLeaveThreeQuartersOfIt() {
    for (long memory = 4096; memory <= 1 << 20; memory *= 2) {
      for (int nodes = 1; nodes <= 4; nodes++) {
        NodeResources each = of(memory, 8, nodes);
        assertTrue(nodes * each.heapBytesMax() <= memory * MEBI / 4, each::toString);
        assertTrue(each.heapBytesMin() <= each.heapBytesMax(), each::toString);
        assertTrue(each.isCacheOfHeap(), each::toString);
      }
    }
  }

  /** Beside heaps, and with those of all nodes at most half of the machine. */
  @Test
  void databaseServersShareAnotherQuarter() {
    for (long memory = 4096; memory <= 1 << 20; memory *= 2) {
      for (int nodes = 1; nodes <= 9; nodes++) {
        DatabaseMemory each = of(memory, 8, nodes).database();
        assertEquals(each.cacheBytes(), each.storeBytes());
        assertTrue(nodes * each.cacheBytes() <= memory * MEBI / 4, each::toString);
        assertTrue(nodes * (each.cacheBytes() + MEBI) > memory * MEBI / 4, each::toString);
      }
    }
    assertEquals(DatabaseMemory.of(64 * MEBI), of(2048, 2, 9).database(), "the least");
    assertEquals(DatabaseMemory.of(682 * MEBI), of(24_576, 2, 9).database());
  }

  @Test
  void ofAHeapAndACacheThatAreSaidEachServerHasThatWhichIsMeant() {
    NodeResources said = new NodeResources(64 * MEBI, 512 * MEBI, 48 * MEBI, "SerialGC", 1);
    assertEquals(new DatabaseMemory(48 * MEBI, 512 * MEBI), said.database());
    assertEquals(
        said.database(),
        NodeResources.of(new Machine(8192 * MEBI, 2), 3, 512 * MEBI, 48 * MEBI).database());
  }

  @Test
  void thisMachineHasMemoryAndProcessors() {
    Machine here = Machine.here();
    assertTrue(here.memoryBytes() > 256 * MEBI && here.processors() > 0, here::toString);
  }

  @Test
  void givenFlagsTakeThePlaceOfOursThatTheyWouldContradict() {
    List<String> own = NodeResources.SMALL.flags();
    assertEquals(own, JvmFlags.beside(own, List.of("-Dx=y", "-XX:+UseStringDeduplication")));
    String later = "-XX:CompileThresholdScaling=4";
    assertEquals(
        List.of("-Xms64m", "-Xmx384m", "-XX:MaxDirectMemorySize=256m", later),
        JvmFlags.beside(own, List.of("-XX:+UseZGC")));
    List<String> withoutHeap = List.of("-XX:+UseSerialGC", later);
    assertEquals(withoutHeap, JvmFlags.beside(own, List.of("-Xmx32m")));
    assertEquals(withoutHeap, JvmFlags.beside(own, List.of("-XX:MaxRAMPercentage=50")));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 1, 1", "2, 2, 4", "4, 2, 1", "4, 3, 4", "16, 8, 1", "16, 9, 4"})
  void nodesThatCrowdTheirProcessorsCompileLater(int processors, int nodes, int scale) {
    NodeResources each = of(65_536, processors, nodes);
    assertEquals(scale, each.compileScale());
    assertEquals(
        scale == 1 ? 0 : 1,
        each.flags().stream().filter(flag -> flag.startsWith("-XX:CompileThreshold")).count());
  }

  @Test
  void flagsThatNoVirtualMachineTakesAreRefusedWithItsReason() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String reason =
        JvmFlags.whyNotStarted(java, List.of("-XX:+UseSerialGC", "-XX:+UseG1GC")).orElseThrow();
    assertTrue(reason.contains("Multiple garbage collectors selected"), reason);
    List<String> both = JvmFlags.beside(NodeResources.SMALL.flags(), List.of("-XX:+UseG1GC"));
    assertEquals(Optional.empty(), JvmFlags.whyNotStarted(java, both));
  }
}
