package org.ecstore.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.store.Target;

/** One measurement of a load as JSON: numbers for people and programs, and the distribution. */
public final class LoadReport {
  /** More processors than that used by others meanwhile, and figures are doubtful. */
  public static final double BUSY_CORES = 0.2;

  private static final double MICRO = 1e3;
  private static final double SECOND = 1e9;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LoadReport() {}

  /**
   * What was done to the store.
   *
   * @param name of the workload
   * @param records that the store held
   * @param details that make it another load, as {@code distribution}: {@code zipfian}
   */
  public record Work(String name, long records, Map<String, String> details) {
    public Work {
      details = Map.copyOf(details);
    }
  }

  /** A measurement. */
  public static ObjectNode json(Target target, Work work, Pace pace, Measured measured) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("store", target.name());
    ObjectNode settings = json.putObject("settings");
    target.settings().forEach(settings::put);
    json.put("workload", work.name());
    json.put("records", work.records());
    if (!work.details().isEmpty()) {
      ObjectNode details = json.putObject("load");
      new TreeMap<>(work.details()).forEach(details::put);
    }
    json.put("clients", pace.clients());
    json.put("loop", pace.isOpen() ? "open" : "closed");
    if (pace.isOpen()) {
      json.put("rate", pace.rate());
    }
    json.put("warmUpSeconds", rounded(pace.warmUp().toNanos() / SECOND, 3));
    json.put("seconds", rounded(measured.nanos() / SECOND, 3));
    if (pace.isOpen()) {
      json.put("due", measured.due()).put("undone", measured.undone().getTotalCount());
    }
    json.put("operations", measured.operations());
    json.put("throughput", rounded(measured.perSecond(), 1));
    json.put("recordsPerSecond", rounded(measured.recordsPerSecond(), 1));
    json.set("latencyMicros", latency(measured.latency()));
    if (measured.latencies().size() > 1) {
      ObjectNode kinds = json.putObject("byKind");
      new TreeMap<>(measured.latencies())
          .forEach((kind, some) -> kinds.set(kind, latency(some).put("histogram", encoded(some))));
    }
    json.put("aborts", measured.aborts());
    json.put("errors", measured.failed());
    if (measured.failed() > 0) {
      ObjectNode errors = json.putObject("errorsByKind");
      new TreeMap<>(measured.errors()).forEach(errors::put);
    }
    processors(json, target, measured);
    OptionalLong disk = target.bytesOnDisk();
    disk.ifPresent(bytes -> json.put("bytesOnDisk", bytes));
    json.put("histogram", encoded(measured.latency()));
    return json;
  }

  private static void processors(ObjectNode json, Target target, Measured measured) {
    double seconds = measured.nanos() / SECOND;
    ObjectNode cpu = json.putObject("cpuSecondsPer1000");
    ObjectNode cores = json.putObject("cores");
    if (!target.processes().isEmpty()) {
      cpu.put("servers", rounded(measured.serverSecondsPer1000(), 6));
      cores.put("servers", rounded(measured.serversNanos() / SECOND / seconds, 3));
    }
    cpu.put("clients", rounded(measured.clientSecondsPer1000(), 6));
    cores.put("clients", rounded(measured.clientNanos() / SECOND / seconds, 3));
    measured
        .othersNanos()
        .ifPresent(nanos -> cores.put("others", rounded(nanos / SECOND / seconds, 3)));
  }

  private static ObjectNode latency(Histogram nanos) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("count", nanos.getTotalCount());
    json.put("mean", rounded(nanos.getMean() / MICRO, 1));
    json.put("p50", micros(nanos, 50));
    json.put("p95", micros(nanos, 95));
    json.put("p99", micros(nanos, 99));
    json.put("p99.9", micros(nanos, 99.9));
    json.put("max", rounded(nanos.getMaxValue() / MICRO, 1));
    return json;
  }

  private static double micros(Histogram nanos, double percentile) {
    return rounded(nanos.getValueAtPercentile(percentile) / MICRO, 1);
  }

  private static double rounded(double value, int digits) {
    double scale = Math.pow(10, digits);
    return Math.round(value * scale) / scale;
  }

  /** HdrHistogram's own compressed form, in nanoseconds. */
  private static String encoded(Histogram nanos) {
    ByteBuffer into = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    int length = nanos.encodeIntoCompressedByteBuffer(into);
    byte[] bytes = new byte[length];
    into.flip();
    into.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The distribution of a measurement's JSON, in nanoseconds. */
  public static Histogram histogram(String encoded) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
    } catch (java.util.zip.DataFormatException
        | java.nio.BufferUnderflowException
        | IllegalArgumentException e) {
      throw new IllegalArgumentException("no histogram: " + e.getMessage(), e);
    }
  }
}
