package org.ecstore.model.objective;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of what clients measure of the service that they have. */
public final class ServiceFields {
  /** Samples of one report. */
  public static final int SAMPLES_MAX = 64;

  private static final int FORM = 1;

  private ServiceFields() {}

  /**
   * A report of {@link Limits#REPORT_BYTES_MAX} bytes at most.
   *
   * @param samples of as many as fit, the first ones; the others are left out
   */
  public static Bytes report(List<ServiceSample> samples) {
    WireWriter out = new WireWriter().u8(FORM);
    int written = 0;
    for (ServiceSample sample : samples) {
      WireWriter one = new WireWriter();
      write(one, sample);
      if (written == SAMPLES_MAX || out.length() + one.length() > Limits.REPORT_BYTES_MAX) {
        break;
      }
      out.raw(one.array(), 0, one.length());
      written++;
    }
    return out.toBytes();
  }

  /**
   * The samples of a report.
   *
   * @throws MalformedMessageException if it is none of a form that is known
   */
  public static List<ServiceSample> samples(Bytes report) {
    WireReader in = new WireReader(report);
    int form = in.u8();
    if (form != FORM) {
      throw new MalformedMessageException("a report of form " + form + ", which is not known");
    }
    List<ServiceSample> samples = new ArrayList<>();
    while (in.remaining() > 0) {
      if (samples.size() == SAMPLES_MAX) {
        throw new MalformedMessageException("more than " + SAMPLES_MAX + " samples");
      }
      samples.add(read(in));
    }
    return samples;
  }

  /** A sample. */
  public static void write(WireWriter out, ServiceSample sample) {
    out.text(sample.table()).varint(sample.reads()).varint(sample.failures());
    out.varint(sample.meanNanos());
    List<Integer> used = new ArrayList<>();
    for (int i = 0; i < LatencySketch.INTERVALS; i++) {
      if (sample.times().count(i) > 0) {
        used.add(i);
      }
    }
    out.list(used, (to, i) -> to.u8(i).varint(sample.times().count(i)));
  }

  /**
   * A sample. Who adds up many of them may have counted further than an interval does: it says then
   * as much as an interval can.
   */
  public static ServiceSample read(WireReader in) {
    String table = in.text();
    if (table.length() > Objective.TABLE_BYTES_MAX) {
      throw new MalformedMessageException("the name of a table is too long");
    }
    long reads = in.natural();
    long failures = in.natural();
    long mean = in.natural();
    long[] counts = new long[LatencySketch.INTERVALS];
    in.list(LatencySketch.INTERVALS, from -> count(from, counts));
    return new ServiceSample(table, reads, failures, mean, LatencySketch.of(counts));
  }

  private static int count(WireReader in, long[] counts) {
    int interval = in.u8();
    if (interval >= counts.length) {
      throw new MalformedMessageException("no interval of response times: " + interval);
    }
    counts[interval] = Math.min(LatencySketch.COUNT_MAX, in.natural());
    return interval;
  }

  public static void writeFigures(WireWriter out, ServiceFigures figures) {
    out.varint(figures.agoMillis()).varint(figures.spanMillis());
    out.varint(figures.operations()).varint(figures.reads()).varint(figures.failures());
    out.varint(figures.meanMicros()).varint(figures.p95Micros()).varint(figures.p99Micros());
  }

  /** Figures. */
  public static ServiceFigures readFigures(WireReader in) {
    return new ServiceFigures(
        in.natural(),
        in.natural(),
        in.natural(),
        in.natural(),
        in.natural(),
        in.natural(),
        in.natural(),
        in.natural());
  }
}
