package org.ecstore.cluster.node;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What nodes run on, or the part of it that a container lets them have.
 *
 * @param memoryBytes of it all
 * @param processors that threads can run on at the same time
 */
public record Machine(long memoryBytes, int processors) {
  /** This one. */
  public static Machine here() {
    long memory =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            // A virtual machine takes a quarter of the memory for its heap, unless told otherwise.
            : Runtime.getRuntime().maxMemory() * 4;
    return new Machine(memory, Runtime.getRuntime().availableProcessors());
  }
}
