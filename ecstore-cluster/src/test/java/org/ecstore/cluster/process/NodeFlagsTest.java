package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;

class NodeFlagsTest {
  @Test
  void everyNodeEndsWhenItFindsNoMemory() throws Exception {
    List<String> flags = NodeFlags.read();
    assertTrue(flags.contains("-XX:+ExitOnOutOfMemoryError"), flags::toString);
    assertTrue(flags.stream().allMatch(flag -> flag.startsWith("-")), flags::toString);
  }

  @Test
  void whatAProcessHasIsReadFromItsCommandLine() {
    List<String> given = List.of("-Xmx1g", "-XX:+UseParallelGC");
    List<String> words = new ArrayList<>(List.of("/jdk/bin/java"));
    words.addAll(JvmFlags.beside(NodeResources.SMALL.flags(), given));
    words.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=x", "-Xlog:aot=off"));
    words.addAll(given);
    words.add("org.ecstore.Main");
    assertEquals(given, JvmFlags.ofMemory(words));
  }

  @Test
  void aNodesProcessHasALimitOutsideTheHeapToo() {
    List<String> flags = NodeResources.SMALL.flags();
    assertTrue(flags.contains("-XX:MaxDirectMemorySize=256m"), flags::toString);
  }

  @Test
  void aNodeOfLessThanAProcessorHasTheQuickCompilerAlone() {
    assertEquals(
        List.of("-XX:TieredStopAtLevel=1"),
        NodeFlags.ofCapacity(Optional.of(new BigDecimal("0.99"))));
    assertEquals(List.of(), NodeFlags.ofCapacity(Optional.of(new BigDecimal("1.00"))));
    assertEquals(List.of(), NodeFlags.ofCapacity(Optional.empty()));
  }
}
