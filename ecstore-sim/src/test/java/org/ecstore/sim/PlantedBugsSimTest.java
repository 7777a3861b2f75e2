package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds every planted bug; if it misses one, it would miss such a bug of ours. */
final class PlantedBugsSimTest {
  private static final int SEEDS_MAX = 1000;

  /** Where to begin with those that about one seed in seven hundred meets. */
  private static final Map<String, Long> FIRST_SEEDS =
      Map.of("returning-primary-keeps-its-role", 2_001L, "copy-closes-between-parts", 701L);

  static Stream<String> names() {
    return Plants.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void isFound(String name) {
    long first = FIRST_SEEDS.getOrDefault(name, 1L);
    SeedRuns.Report report =
        SeedRuns.run(first, SEEDS_MAX, 2, Plants.named(name), true, seed -> {});
    assertEquals(1, report.violations(), () -> name + " was not found: " + report);
  }

  @Test
  void thereAreTheOnesThatMatter() {
    assertTrue(names().count() >= 22, () -> Plants.all().keySet().toString());
    assertThrows(IllegalArgumentException.class, () -> Plants.named("no such bug"));
  }
}
