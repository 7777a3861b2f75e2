package org.ecstore.tools.cli.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input of {@code qos mode}, {@code status}, {@code approve} and {@code reject}. */
class ControlCommandsTest {
  private static final ControlSettings NOW = new ControlSettings(ControlMode.ASK, 7, 250);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private void refused(String why, String... args) {
    int status =
        EcStoreMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    assertEquals(ExitStatus.BAD_INPUT, status, out::toString);
    assertTrue(err.toString().contains(why), err::toString);
    assertEquals("", out.toString());
  }

  @Test
  void allThatIsWrongWithAModeIsSaidAtOnce() {
    refused(
        "ecstore qos mode: the mode must be freeze, observe, ask or act, not \"on\"; --nodes-max"
            + " must be a whole number from 1 to 1000, not \"0\"; --cost-max must be the price of"
            + " an hour with three decimals at most, as 0.3, or 0 for no bound, not \"cheap\"",
        "qos",
        "mode",
        "on",
        "--nodes-max",
        "0",
        "--cost-max",
        "cheap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "0.3001", ".5", "1e3", "0.3 EUR", "12345678901", "0,3"})
  void aPriceIsANumberOfThreeDecimalsAtMost(String price) {
    assertThrows(BadInputException.class, () -> ModeChange.read(null, null, price));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1001", "2147483648", "-5", "five", "", "1.5"})
  void nodesAreFromOneToTheMostThereCanBe(String nodes) {
    assertThrows(BadInputException.class, () -> ModeChange.read(null, nodes, null));
  }

  @Test
  void whatIsNotGivenStaysAsItIs() {
    assertTrue(ModeChange.read(null, null, null).isEmpty());
    assertEquals(NOW, ModeChange.read(null, null, null).of(NOW));
    assertEquals(
        new ControlSettings(ControlMode.ACT, 7, 250), ModeChange.read("act", null, null).of(NOW));
    assertEquals(
        new ControlSettings(ControlMode.ASK, 1000, 250),
        ModeChange.read(null, "1000", null).of(NOW));
    assertEquals(
        new ControlSettings(ControlMode.ASK, 7, 0), ModeChange.read(null, null, "0").of(NOW));
    assertEquals(
        new ControlSettings(ControlMode.FREEZE, 5, 9_999_999_999_999L),
        ModeChange.read("freeze", "5", "9999999999.999").of(NOW));
    assertEquals(
        new ControlChange(
            Optional.of(ControlMode.OBSERVE), OptionalInt.of(1), OptionalLong.of(300)),
        ModeChange.read("observe", "1", "0.3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n7", "0", "-1", "7.0", "1234567890123456789", ""})
  void actionsAreNamedByTheirNumbers(String number) {
    // An option would be taken for one, so it is said that what follows is none.
    refused("is no number of an action: qos status shows", "qos", "approve", "--", number);
    refused("is no number of an action: qos status shows", "qos", "reject", "--", number);
  }

  @Test
  void theActionHasToBeNamed() {
    refused("Missing required parameter: 'NUMBER'", "qos", "approve");
    refused("Missing required parameter: 'NUMBER'", "qos", "reject");
  }

  @Test
  void theClusterHasToBeNamed() {
    refused("give its directory in --dir DIR", "qos", "status");
    refused("give its directory in --dir DIR", "qos", "mode");
    refused("give its directory in --dir DIR", "qos", "mode", "act");
    refused("give its directory in --dir DIR", "qos", "approve", "7");
    refused("there is no cluster in", "qos", "status", "--dir", directory.toString());
    refused("there is no cluster in", "qos", "reject", "7", "--dir", directory.toString());
    refused("--wait must be at least 1", "qos", "mode", "--wait", "0", "--dir", "x");
  }

  @Test
  void theGroupSaysWhatThereIs() {
    refused("qos what: ", "qos");
    for (String command : new String[] {"plan", "mode", "status", "approve", "reject"}) {
      assertTrue(err.toString().contains(command), err::toString);
    }
  }
}
