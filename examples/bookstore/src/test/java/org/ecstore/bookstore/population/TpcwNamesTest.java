package org.ecstore.bookstore.population;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whom and what browsers name. */
class TpcwNamesTest {
  @Test
  void namesAreSyllables() {
    assertEquals("BA", TpcwNames.digSyl(0));
    assertEquals("OGALRI", TpcwNames.digSyl(123));
    assertEquals("NGINULATSERERIALOGBA", TpcwNames.digSyl(9_876_543_210L));
    assertThrows(IllegalArgumentException.class, () -> TpcwNames.digSyl(-1));
  }

  @Test
  void evennessIsThatOfTheTables() {
    assertEquals(1_023, TpcwNames.evennessOfCustomers(9_999));
    assertEquals(4_095, TpcwNames.evennessOfCustomers(10_000));
    assertEquals(16_383, TpcwNames.evennessOfCustomers(86_400));
    assertEquals(65_535, TpcwNames.evennessOfCustomers(160_000));
    assertEquals(262_143, TpcwNames.evennessOfCustomers(640_000));
    assertEquals(1_048_575, TpcwNames.evennessOfCustomers(2_560_000));
    assertEquals(4_194_303, TpcwNames.evennessOfCustomers(10_240_000));
    assertEquals(63, TpcwNames.evennessOfItems(1_000));
    assertEquals(511, TpcwNames.evennessOfItems(10_000));
    assertEquals(4_095, TpcwNames.evennessOfItems(100_000));
    assertEquals(32_767, TpcwNames.evennessOfItems(1_000_000));
    assertEquals(524_287, TpcwNames.evennessOfItems(10_000_000));
  }

  @Test
  void someAreNamedFarMoreOftenThanOthersAndNoneThatIsNot() {
    Random random = new Random(3);
    int[] named = new int[1_001];
    for (int i = 0; i < 200_000; i++) {
      named[(int) TpcwNames.item(1_000, random)]++;
    }
    assertEquals(0, named[0]);
    int most = Arrays.stream(named).max().orElseThrow();
    assertTrue(most > 1_000, "the most named one of 200 in the mean: " + most);
  }
}
