package org.ecstore.client.report;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What a store measures, of each of its applications by itself: a report is of the application that
 * the connection which carries it is of. Thread-safe.
 */
public final class ServiceMeters {
  /** Nothing is measured. */
  public static final ServiceMeters NONE = new ServiceMeters(Duration.ZERO, () -> 0);

  private final Duration every;
  private final LongSupplier clock;
  private final Map<Optional<String>, ServiceMeter> meters = new ConcurrentHashMap<>();

  /**
   * Measures nothing yet.
   *
   * @param every how long a report is about; zero for none
   * @param clock nanoseconds of a clock that goes on
   */
  public ServiceMeters(Duration every, LongSupplier clock) {
    this.every = every;
    this.clock = clock;
  }

  /**
   * That of an application, which begins to measure when it is first asked for; absent if nothing
   * is measured.
   *
   * @param application one of the few that the store has; empty if it has no name
   */
  public Optional<ServiceMeter> of(Optional<String> application) {
    return every.isZero()
        ? Optional.empty()
        : Optional.of(meters.computeIfAbsent(application, name -> new ServiceMeter(every, clock)));
  }

  /** What its connections tell along with requests. */
  public ReportSource reports(Optional<String> application) {
    return of(application).<ReportSource>map(meter -> meter).orElse(ReportSource.NONE);
  }
}
