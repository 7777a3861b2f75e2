package org.ecstore.cluster.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.NamingConvention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.MetricUnit;
import org.ecstore.core.metrics.Metrics;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a node as meters of a registry. Histograms have fixed buckets, so that what a
 * scrape costs does not grow with what was measured. Safe for use by several threads.
 */
public final class MicrometerMetrics implements Metrics {
  /** 100 µs to 5 s, in steps of about two. */
  private static final Duration[] TIMES =
      LongStream.of(
              100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
              1_000_000, 2_500_000, 5_000_000)
          .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
          .toArray(Duration[]::new);

  /** 1 to 1024. */
  private static final double[] SIZES =
      IntStream.rangeClosed(0, 10).mapToDouble(power -> 1 << power).toArray();

  private final MeterRegistry registry;
  private final Map<MetricSeries, Instrument> instruments = new ConcurrentHashMap<>();

  /** Over a registry, which belongs to the caller. */
  public MicrometerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Instrument of(MetricSeries series) {
    return instruments.computeIfAbsent(series, this::made);
  }

  private Instrument made(MetricSeries series) {
    return switch (series.metric().kind()) {
      case COUNTER -> counter(series);
      case GAUGE -> gauge(series);
      case HISTOGRAM ->
          series.metric().unit() == MetricUnit.NANOSECONDS ? timer(series) : summary(series);
    };
  }

  private Instrument counter(MetricSeries series) {
    Metric metric = series.metric();
    return Counter.builder(metric.name())
            .description(metric.help())
            .baseUnit(unitOf(metric))
            .tags(tagsOf(series))
            .register(registry)
        ::increment;
  }

  private Instrument gauge(MetricSeries series) {
    Metric metric = series.metric();
    AtomicLong last = new AtomicLong();
    Gauge.builder(metric.name(), last, AtomicLong::get)
        .description(metric.help())
        .baseUnit(unitOf(metric))
        .tags(tagsOf(series))
        .strongReference(true)
        .register(registry);
    return last::set;
  }

  private Instrument timer(MetricSeries series) {
    Timer timer =
        Timer.builder(series.metric().name())
            .description(series.metric().help())
            .tags(tagsOf(series))
            .serviceLevelObjectives(TIMES)
            .register(registry);
    return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
  }

  private Instrument summary(MetricSeries series) {
    Metric metric = series.metric();
    return DistributionSummary.builder(metric.name())
            .description(metric.help())
            .baseUnit(unitOf(metric))
            .tags(tagsOf(series))
            .serviceLevelObjectives(SIZES)
            .register(registry)
        ::record;
  }

  private static List<Tag> tagsOf(MetricSeries series) {
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < series.tagValues().size(); i++) {
      tags.add(Tag.of(series.metric().tags().get(i).name(), series.tagValues().get(i)));
    }
    return tags;
  }

  /** Things that are counted are in no unit. */
  private static @Nullable String unitOf(Metric metric) {
    return metric.unit() == MetricUnit.COUNT ? null : metric.unit().name().toLowerCase(Locale.ROOT);
  }

  /** What a metric is called in a registry's own system. */
  static String nameIn(NamingConvention convention, Metric metric) {
    Meter.Type type =
        switch (metric.kind()) {
          case COUNTER -> Meter.Type.COUNTER;
          case GAUGE -> Meter.Type.GAUGE;
          case HISTOGRAM ->
              metric.unit() == MetricUnit.NANOSECONDS
                  ? Meter.Type.TIMER
                  : Meter.Type.DISTRIBUTION_SUMMARY;
        };
    return convention.name(metric.name(), type, unitOf(metric));
  }
}
