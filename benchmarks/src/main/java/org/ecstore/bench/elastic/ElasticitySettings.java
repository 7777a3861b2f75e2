package org.ecstore.bench.elastic;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.NodeResources;

/**
 * What a run is of.
 *
 * @param processors of the machine that all nodes and clients share
 */
public record ElasticitySettings(Machines machines, Store store, Course course, int processors) {
  /** The part of what the first nodes do at most that clients ask for. */
  static final double LOAD_PART = 0.5;

  private static final double MILLIS = 1e3;

  /**
   * The nodes.
   *
   * @param nodes at the beginning and at the end; between there is one more
   * @param copies of each range
   * @param nodeClass what machine each stands for, with the processors that it may keep busy
   */
  public record Machines(int nodes, int copies, NodeResources resources, NodeClass nodeClass) {}

  /**
   * What they hold, and what is done with it.
   *
   * @param records that are loaded
   * @param recordBytes of each
   */
  public record Store(TableWorkload workload, long records, int recordBytes) {
    /** Of all records, once. */
    public long bytes() {
      return records * recordBytes;
    }
  }

  /**
   * The load.
   *
   * @param rate operations a second; 0 for half of what {@code saturation} finds
   * @param clients threads
   * @param saturation how long the first nodes are driven as hard as they take; zero for not at all
   * @param calm how long each of the three calm phases is
   * @param within how long the cluster may take to be balanced, each time
   * @param still for how long nothing may change until it is believed to be balanced
   */
  public record Course(
      double rate,
      int clients,
      Duration saturation,
      Duration calm,
      Duration within,
      Duration still) {
    /** How long the load may last at most; {@code nodes} within which a node has to start. */
    Duration longest(Duration nodes) {
      return calm.multipliedBy(3).plus(within.plus(nodes).multipliedBy(4)).plus(still);
    }
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("nodes", machines.nodes()).put("copies", machines.copies());
    json.put("heapBytes", machines.resources().heapBytesMax());
    json.put("cacheBytes", machines.resources().cacheBytes());
    json.put("collector", machines.resources().collector());
    machines
        .nodeClass()
        .capacity()
        .ifPresentOrElse(each -> json.put("capacity", each), () -> json.putNull("capacity"));
    json.put("workload", store.workload().name());
    json.put("records", store.records()).put("recordBytes", store.recordBytes());
    json.put("bytes", store.bytes());
    json.put("clients", course.clients());
    json.put("saturationSeconds", seconds(course.saturation()));
    json.put("calmSeconds", seconds(course.calm()));
    json.put("withinSeconds", seconds(course.within()));
    json.put("stillSeconds", seconds(course.still()));
    json.put("processors", processors);
    return json;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }
}
