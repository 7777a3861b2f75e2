package org.ecstore.client.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.key.Bytes;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

class ServiceMeterTest {
  private static final long MILLI = 1_000_000;
  private static final Duration EVERY = Duration.ofSeconds(30);

  private long nanos = -7;
  private final ServiceMeter meter = new ServiceMeter(EVERY, () -> nanos);

  private void operation(OperationKind kind, String table, long millis) {
    Observed observed = meter.begin(kind, Optional.of(table));
    nanos += millis * MILLI;
    observed.ended(Optional.empty());
  }

  private List<ServiceSample> report() {
    nanos += EVERY.toNanos();
    return ServiceFields.samples(meter.due().orElseThrow());
  }

  @Test
  void aReportIsDueOnceInItsTime() {
    operation(OperationKind.GET, "users", 2);
    assertEquals(Optional.empty(), meter.due());
    assertEquals(1, report().size());
    assertEquals(Optional.empty(), meter.due());
    nanos += EVERY.toNanos();
    assertEquals(Optional.empty(), meter.due(), "nothing was done meanwhile");
  }

  @Test
  void tablesAreToldApart() {
    operation(OperationKind.GET, "users", 2);
    operation(OperationKind.SCAN, "users", 2);
    operation(OperationKind.COMMIT, "users", 2);
    operation(OperationKind.COMMIT, "orders", 8);
    List<ServiceSample> samples = report();
    assertEquals(List.of("users", "orders"), samples.stream().map(ServiceSample::table).toList());
    assertEquals(3, samples.get(0).operations());
    assertEquals(2, samples.get(0).reads());
    assertEquals(0, samples.get(samples.size() - 1).reads());
    assertEquals(8 * MILLI, samples.get(samples.size() - 1).meanNanos());
    double p99 = samples.get(0).times().percentile(0.99);
    assertEquals(2 * MILLI, p99, 0.2 * MILLI);
  }

  /** Paper: Cassandra QoS, §IV. */
  @Test
  void theAverageMovesByAnEighth() {
    operation(OperationKind.GET, "users", 8);
    operation(OperationKind.GET, "users", 16);
    assertEquals(9 * MILLI, report().get(0).meanNanos());
  }

  private void onAnotherThread(Runnable work) throws InterruptedException {
    Thread other = new Thread(work);
    while ((other.getId() - Thread.currentThread().getId()) % Long.SIZE == 0) {
      other = new Thread(work);
    }
    other.start();
    other.join();
  }

  private void operations(int count, long millis) {
    for (int each = 0; each < count; each++) {
      operation(OperationKind.GET, "users", millis);
    }
  }

  /** Paper: Cassandra QoS, §IV: the average of the threads' moving averages. */
  @Test
  void threadsHaveAveragesOfTheirOwn() throws InterruptedException {
    operations(50, 8);
    onAnotherThread(() -> operations(50, 24));
    assertEquals(16 * MILLI, report().get(0).meanNanos());
    operation(OperationKind.GET, "users", 8);
    assertEquals(8 * MILLI, report().get(0).meanNanos(), "the other thread did nothing since");
  }

  @Test
  void oneLongOperationIsNoHalfOfWhatTwoThreadsDid() throws InterruptedException {
    operations(99, 2);
    onAnotherThread(() -> operation(OperationKind.SCAN, "users", 2_002));
    assertEquals(22 * MILLI, report().get(0).meanNanos());
  }

  @Test
  void whatIsWithinAnotherOperationIsNotCounted() {
    Observed put = meter.begin(OperationKind.QUORUM_PUT, Optional.of("users"));
    operation(OperationKind.COMMIT, "users", 3);
    put.ended(Optional.empty());
    Observed work = meter.begin(OperationKind.TRANSACT, Optional.empty());
    operation(OperationKind.GET, "users", 3);
    work.ended(Optional.empty());
    assertEquals(2, report().get(0).operations());
  }

  private void failed(long millis, RuntimeException failure) {
    Observed observed = meter.begin(OperationKind.GET, Optional.of("users"));
    nanos += millis * MILLI;
    observed.ended(Optional.of(failure));
  }

  /** What is refused at once would have a splendid response time. */
  @Test
  void failedOperationsAreNotAnsweredFast() {
    operations(98, 8);
    failed(1, new IllegalStateException());
    failed(1, new EcStoreException(ErrorCode.OVERLOADED, "too much", null));
    ServiceSample sample = report().get(0);
    assertEquals(2, sample.failures());
    assertEquals(100, sample.operations());
    assertEquals(98, sample.answers());
    assertEquals(98, sample.answerTimes().count());
    assertEquals(100, sample.reads());
    assertEquals(8 * MILLI, sample.meanNanos());
    assertTrue(sample.times().percentile(0.99) > 60_000 * MILLI, "endless, if it is not left out");
    assertEquals(8.0 * MILLI, (double) sample.answerTimes().percentile(0.99), 0.8 * MILLI);
  }

  @Test
  void whatTheStoreRefusesForGoodIsAnAnswer() {
    failed(3, new EcStoreException(ErrorCode.CONFLICT, "another came first", null));
    failed(3, new EcStoreException(ErrorCode.OVER_QUOTA, "it is full", null));
    ServiceSample sample = report().get(0);
    assertEquals(0, sample.failures());
    assertEquals(2, sample.answers());
    assertEquals(3 * MILLI, sample.meanNanos());
  }

  @Test
  void manyTablesWithLongNamesStayWithinAReport() {
    for (int i = 0; i < 500; i++) {
      operation(OperationKind.GET, "x".repeat(100) + i, 1 + i % 50);
    }
    nanos += EVERY.toNanos();
    Bytes report = meter.due().orElseThrow();
    assertTrue(report.length() <= Limits.REPORT_BYTES_MAX, () -> report.length() + " bytes");
    List<ServiceSample> samples = ServiceFields.samples(report);
    assertEquals("", samples.get(0).table(), "tables beyond the limit count together");
    assertTrue(samples.get(0).operations() > 400);
  }
}
