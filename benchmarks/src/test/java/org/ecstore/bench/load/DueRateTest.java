package org.ecstore.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DueRateTest {
  private static DueRate parsed(String text) {
    return DueRate.parse(text, 1000).orElseThrow();
  }

  @Test
  void aNumberIsOfEachSecond() {
    assertEquals(250.5, parsed("250.5").of(4000));
    assertTrue(parsed("250.5").isOpen());
    assertFalse(parsed("250.5").isPart());
  }

  @Test
  void aPartIsOfWhatThereCanBe() {
    assertEquals(1600, parsed("80%").of(2000), 1e-9);
    assertTrue(parsed("80%").isOpen());
    assertTrue(parsed("80%").isPart());
  }

  @Test
  void noneIsAClosedLoop() {
    assertEquals(DueRate.NONE, parsed("0"));
    assertFalse(parsed("0").isOpen());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "1001", "NaN", "Infinity", "0%", "101%", "-5%", "NaN%", "%", "", "a"})
  void whatIsNeitherIsNone(String text) {
    assertEquals(Optional.empty(), DueRate.parse(text, 1000));
  }
}
