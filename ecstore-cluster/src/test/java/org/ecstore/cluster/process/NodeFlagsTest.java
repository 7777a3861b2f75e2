package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
  void aNodesProcessHasALimitOutsideTheHeapToo() {
    List<String> flags = NodeResources.SMALL.flags();
    assertTrue(flags.contains("-XX:MaxDirectMemorySize=256m"), flags::toString);
  }
}
