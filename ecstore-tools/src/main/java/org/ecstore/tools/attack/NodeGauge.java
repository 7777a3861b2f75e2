package org.ecstore.tools.attack;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into a node's process by the management interface of its virtual machine. */
public final class NodeGauge implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  private final long pid;
  private final JMXConnector connector;
  private final MBeanServerConnection beans;
  private final MemoryMXBean memory;

  /**
   * What a process holds, after a garbage collection. Absent figures are -1.
   *
   * @param heapBytes in use
   * @param directBytes of buffers outside the heap
   * @param residentBytes of the whole process in memory
   * @param files that are open, connections among them
   */
  public record Vitals(long heapBytes, long directBytes, long residentBytes, long files) {}

  /** Of a process of our own, on this machine, by its id. */
  @SuppressWarnings("BanJNDI")
  public NodeGauge(long pid) throws IOException {
    this.pid = pid;
    this.connector = JMXConnectorFactory.connect(new JMXServiceURL(address(pid)));
    this.beans = connector.getMBeanServerConnection();
    this.memory =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
  }

  private static String address(long pid) throws IOException {
    VirtualMachine machine;
    try {
      machine = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException e) {
      throw new IOException("process " + pid + " cannot be looked into", e);
    }
    try {
      return machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
  }

  /** Collects garbage, and looks. */
  public Vitals look() throws IOException {
    memory.gc();
    return new Vitals(
        memory.getHeapMemoryUsage().getUsed(),
        attribute("java.nio:type=BufferPool,name=direct", "MemoryUsed"),
        residentBytes(),
        files());
  }

  /** What its heap may become at most, in bytes. */
  public long heapBytesMax() {
    return memory.getHeapMemoryUsage().getMax();
  }

  /** Open files. */
  long files() throws IOException {
    return attribute("java.lang:type=OperatingSystem", "OpenFileDescriptorCount");
  }

  private long attribute(String bean, String name) throws IOException {
    try {
      return (Long) beans.getAttribute(new ObjectName(bean), name);
    } catch (JMException e) {
      return -1;
    }
  }

  private long residentBytes() throws IOException {
    Path status = PROC.resolve(Long.toString(pid)).resolve("status");
    if (!Files.exists(status)) {
      return -1;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElse(-1);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
