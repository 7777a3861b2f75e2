package org.ecstore.client.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.junit.jupiter.api.Test;

class ServiceMetersTest {
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final Optional<String> SHOP = Optional.of("shop");
  private static final Optional<String> REPORTS = Optional.of("reports");

  private long nanos;
  private final ServiceMeters meters = new ServiceMeters(EVERY, () -> nanos);

  private void operation(Optional<String> application, OperationKind kind) {
    meters.of(application).orElseThrow().begin(kind, Optional.of("words")).ended(Optional.empty());
  }

  @Test
  void eachApplicationReportsItsOwnOperations() {
    operation(SHOP, OperationKind.COMMIT);
    operation(REPORTS, OperationKind.GET);
    operation(REPORTS, OperationKind.SCAN);
    nanos += EVERY.toNanos();
    List<ServiceSample> shop = ServiceFields.samples(meters.reports(SHOP).due().orElseThrow());
    assertEquals(1, shop.get(0).operations());
    assertEquals(0, shop.get(0).reads());
    List<ServiceSample> reports =
        ServiceFields.samples(meters.reports(REPORTS).due().orElseThrow());
    assertEquals(2, reports.get(0).operations());
    assertEquals(2, reports.get(0).reads());
    assertEquals(Optional.empty(), meters.reports(Optional.empty()).due());
    assertSame(meters.of(SHOP).orElseThrow(), meters.of(SHOP).orElseThrow());
  }

  @Test
  void nothingIsMeasuredWhereNothingIsReported() {
    ServiceMeters none = new ServiceMeters(Duration.ZERO, () -> nanos);
    assertEquals(Optional.empty(), none.of(SHOP));
    assertSame(ReportSource.NONE, none.reports(SHOP));
    assertEquals(Optional.empty(), ServiceMeters.NONE.of(SHOP));
  }
}
