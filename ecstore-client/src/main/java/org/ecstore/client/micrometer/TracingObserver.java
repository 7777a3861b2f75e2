package org.ecstore.client.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.observe.TraceParent;

/**
 * A store's operations as observations of Micrometer, of which its tracing makes spans, as for
 * OpenTelemetry: work in a transaction or on a snapshot, and within it each request. Where tracing
 * writes a {@code traceparent} (W3C) it goes to the nodes with the requests.
 *
 * <p>Safe for use by several threads; an operation ends on the thread that it began on.
 */
public final class TracingObserver implements StoreObserver {
  private static final String HEADER = "traceparent";
  private static final Pattern TRACE_PARENT =
      Pattern.compile("00-([0-9a-f]{16})([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{2})");

  private final ObservationRegistry registry;

  @SuppressWarnings("ThreadLocalUsage") // Of one store, and removed with the operation.
  private final ThreadLocal<TraceParent> current = new ThreadLocal<>();

  private TracingObserver(ObservationRegistry registry) {
    this.registry = registry;
  }

  /** One that observes by a registry. */
  public static TracingObserver of(ObservationRegistry registry) {
    return new TracingObserver(registry);
  }

  @Override
  public Observed begin(OperationKind kind, Optional<String> table) {
    Map<String, String> headers = new HashMap<>();
    Observation observation =
        Observation.createNotStarted(
                "ecstore." + kind.text(), () -> context(kind, headers), registry)
            .contextualName("ecstore " + kind.text() + table.map(name -> " " + name).orElse(""))
            .lowCardinalityKeyValue("db.system", "ecstore");
    if (observation.isNoop()) {
      return Observed.IGNORED;
    }
    // Of high cardinality: metrics that are made of observations do not have it.
    table.ifPresent(name -> observation.highCardinalityKeyValue("table", name));
    observation.start();
    Observation.Scope scope = observation.openScope();
    TraceParent before = current.get();
    trace(headers).ifPresent(current::set);
    return failure -> {
      if (before == null) {
        current.remove();
      } else {
        current.set(before);
      }
      scope.close();
      failure.ifPresent(observation::error);
      observation.stop();
    };
  }

  private static Observation.Context context(OperationKind kind, Map<String, String> headers) {
    if (!kind.isRequest()) {
      return new Observation.Context();
    }
    SenderContext<Map<String, String>> context =
        new SenderContext<>(
            (carrier, name, value) -> {
              if (carrier != null) {
                carrier.put(name.toLowerCase(Locale.ROOT), value);
              }
            },
            Kind.CLIENT);
    context.setCarrier(headers);
    context.setRemoteServiceName("ecstore");
    return context;
  }

  private static Optional<TraceParent> trace(Map<String, String> headers) {
    Matcher matcher = TRACE_PARENT.matcher(headers.getOrDefault(HEADER, ""));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long high = Long.parseUnsignedLong(matcher.group(1), 16);
    long low = Long.parseUnsignedLong(matcher.group(2), 16);
    long parent = Long.parseUnsignedLong(matcher.group(3), 16);
    return (high | low) == 0 || parent == 0
        ? Optional.empty()
        : Optional.of(new TraceParent(high, low, parent, Integer.parseInt(matcher.group(4), 16)));
  }

  @Override
  public Optional<TraceParent> trace() {
    return Optional.ofNullable(current.get());
  }
}
