package org.ecstore.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.ecstore.model.CopyRole;
import org.ecstore.model.RefusalCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {
  private static Metric counter(String name, String help, MetricTag... tags) {
    return new Metric(name, MetricKind.COUNTER, MetricUnit.COUNT, help, List.of(tags));
  }

  @ParameterizedTest
  @ValueSource(strings = {"commits", "ecstore", "ecstore.Commits", "ecstore..x", "ecstore.a-b"})
  void nameIsDottedAndLowerCase(String name) {
    assertThrows(IllegalArgumentException.class, () -> counter(name, "It is."));
  }

  @Test
  void helpIsASentenceAndATagIsAWord() {
    assertThrows(IllegalArgumentException.class, () -> counter("ecstore.x", "what it is"));
    MetricTag tag = new MetricTag("copy role", CopyRole.class);
    assertThrows(IllegalArgumentException.class, () -> counter("ecstore.x", "It is.", tag));
  }

  @Test
  void everyDeclaredMetricIsInTheListOnce() {
    long declared =
        Arrays.stream(NodeMetrics.class.getDeclaredFields())
            .filter(field -> field.getType() == Metric.class)
            .filter(field -> Modifier.isPublic(field.getModifiers()))
            .count();
    assertEquals(declared, NodeMetrics.ALL.size());
    assertEquals(declared, NodeMetrics.ALL.stream().map(Metric::name).distinct().count());
  }

  @Test
  void tagsHaveTheValuesOfTheirEnums() {
    assertEquals(
        List.of("primary", "secondary", "hot_replica"),
        NodeMetrics.READS.tags().getFirst().values());
  }

  @Test
  void seriesHasOneValueOfEachTag() {
    assertThrows(
        IllegalArgumentException.class, () -> new MetricSeries(NodeMetrics.READS, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new MetricSeries(NodeMetrics.READS, List.of("a-key-of-a-user")));
    assertThrows(
        IllegalArgumentException.class,
        () -> new MetricSeries(NodeMetrics.DURABLE, List.of("primary")));
  }

  @Test
  void instrumentsAreByTheEnumOfTheTag() {
    RecordedMetrics metrics = new RecordedMetrics();
    TaggedInstrument<CopyRole> reads =
        new TaggedInstrument<>(metrics, NodeMetrics.READS, CopyRole.class);
    reads.of(CopyRole.SECONDARY).count();
    reads.of(CopyRole.SECONDARY).count();
    assertEquals(2, metrics.value(NodeMetrics.READS, CopyRole.SECONDARY));
    assertEquals(0, metrics.value(NodeMetrics.READS, CopyRole.PRIMARY));
    for (CopyRole role : CopyRole.values()) {
      assertTrue(
          metrics.isAskedFor(new MetricSeries(NodeMetrics.READS, List.of(MetricTag.value(role)))));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new TaggedInstrument<>(metrics, NodeMetrics.READS, RefusalCode.class));
    assertThrows(
        IllegalArgumentException.class,
        () -> new TaggedInstrument<>(metrics, NodeMetrics.DURABLE, CopyRole.class));
  }
}
