package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnginesCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--cache 99999999999999; --cache must be from 1 to ",
        "--cache 17592186044416; --cache must be from 1 to ",
        "--cache 1048576; MiB, the heap of this process, not 1048576",
        "--cache 0; --cache must be from 1 to ",
        "--kinds rocksdb --cache 1048577; --cache must be from 1 to 1048576 MiB, not 1048577",
        "--value 2000000000; --value must be from 1 to 1048576, not 2000000000",
        "--value 0; --value must be from 1 to ",
        "--records 0; --records must be at least 1, not 0",
        "--operations 99; --operations must be from 100 to 1000000000, not 99",
        "--rounds 2147483647; --rounds must be from 1 to 1000, not 2147483647",
        "--kinds redis; needs a server"
      })
  void whatCannotBeIsRefusedBeforeAnythingIsFilled(String arguments, String said) {
    assertEquals(2, run(("bench engines " + arguments).split(" ", -1)), err::toString);
    String words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains(said), words);
  }

  /** It is outside of it for other kinds. */
  @Test
  void theHeapBoundsTheCacheOfJeAlone() {
    assertDoesNotThrow(() -> EnginesCommand.checkCache(List.of("rocksdb"), 2_000, 1_000));
    assertThrows(
        BadInputException.class,
        () -> EnginesCommand.checkCache(List.of("rocksdb", "je"), 2_000, 1_000));
  }

  @Test
  void aKindThatIsNoneIsSaidWithoutControlCharacters() {
    assertEquals(2, run("bench", "engines", "--kinds", "m\u001b[31m"));
    assertTrue(err.toString().contains("\"m\\u001b[31m\""), err::toString);
  }

  /** The clock of the processor may not have moved. */
  @Test
  void aRatioOfWhatTookNoTimeIsUnknown() {
    assertEquals("0.50", EnginesCommand.ratio(10, 20));
    assertEquals("unknown (too few operations)", EnginesCommand.ratio(0, 0));
    assertEquals("unknown (too few operations)", EnginesCommand.ratio(10, 0));
    assertEquals("unknown (too few operations)", EnginesCommand.ratio(0, 10));
  }

  /** Values of the greatest length: their batches have a bound. */
  @Test
  void valuesOfTheGreatestLengthAreMeasured() {
    int status =
        run(
            ("bench engines --kinds je --records 40 --value 1048576 --operations 100 --rounds 1"
                    + " --cache 16")
                .split(" ", -1));
    assertEquals(0, status, err::toString);
    assertEquals(6, out.toString().lines().count(), out::toString);
  }
}
