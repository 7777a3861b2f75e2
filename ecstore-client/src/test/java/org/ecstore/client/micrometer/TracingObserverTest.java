package org.ecstore.client.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.TraceParent;
import org.junit.jupiter.api.Test;

/** Observations of a store's operations, and what of them goes to the nodes. */
class TracingObserverTest {
  private static final TraceParent TRACE =
      new TraceParent(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, 1);

  /** Does what Micrometer's tracing does: a span, and a header for what is sent. */
  private static final class Spans implements ObservationHandler<Observation.Context> {
    private final List<String> lines = new ArrayList<>();
    private final String header;

    Spans(String header) {
      this.header = header;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }

    @Override
    public void onStart(Observation.Context context) {
      lines.add(context.getContextualName() + " in " + parent(context));
      if (context instanceof SenderContext<?> sender) {
        inject(sender);
      }
    }

    private static String parent(Observation.Context context) {
      return context.getParentObservation() == null
          ? "nothing"
          : String.valueOf(context.getParentObservation().getContextView().getContextualName());
    }

    private <C> void inject(SenderContext<C> sender) {
      sender.getSetter().set(sender.getCarrier(), "Traceparent", header);
    }

    @Override
    public void onStop(Observation.Context context) {
      lines.add("/" + context.getContextualName() + (context.getError() == null ? "" : " failed"));
    }
  }

  private static TracingObserver observer(Spans spans) {
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(spans);
    return TracingObserver.of(registry);
  }

  @Test
  void requestsAreWithinTheirWorkAndCarryItsTrace() {
    Spans spans = new Spans("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    TracingObserver observer = observer(spans);
    Observed work = observer.begin(OperationKind.TRANSACT, Optional.empty());
    assertEquals(Optional.empty(), observer.trace());
    Observed get = observer.begin(OperationKind.GET, Optional.of("users"));
    assertEquals(Optional.of(TRACE), observer.trace());
    get.ended(Optional.empty());
    assertEquals(Optional.empty(), observer.trace());
    work.ended(Optional.of(new IllegalStateException("failed")));
    assertEquals(
        List.of(
            "ecstore transact in nothing",
            "ecstore get users in ecstore transact",
            "/ecstore get users",
            "/ecstore transact failed"),
        spans.lines);
  }

  @Test
  void whatIsNoTraceIsNotCarried() {
    for (String header :
        List.of(
            "",
            "nonsense",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01")) {
      TracingObserver observer = observer(new Spans(header));
      Observed get = observer.begin(OperationKind.GET, Optional.empty());
      assertEquals(Optional.empty(), observer.trace(), header);
      get.ended(Optional.empty());
    }
  }

  @Test
  void withoutAHandlerNothingIsObserved() {
    TracingObserver observer = TracingObserver.of(ObservationRegistry.create());
    assertEquals(Observed.IGNORED, observer.begin(OperationKind.GET, Optional.of("users")));
  }
}
