package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class DecimalTextTest {
  @Test
  void decimalsAreWrittenAsPeopleWriteThem() {
    for (String good : List.of("0.3", "12", "1.", ".5", "-1", " 2 ")) {
      assertEquals(new BigDecimal(good.strip()), DecimalText.read(good));
    }
    for (String bad : List.of("", ".", "NaN", "1e999999999", "0x1", "1,5", "1 000", "--1")) {
      assertThrows(TypeConversionException.class, () -> DecimalText.read(bad), bad);
    }
  }
}
