package org.ecstore.bench.cli.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says before it starts anything. */
class BookstoreCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(Stream.of("bookstore"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void helpHasEachOptionAndExamples() {
    assertEquals(0, run("--help"), err.toString());
    for (String said :
        List.of("--store", "--nodes", "--items", "--population-browsers", "--port", "Examples:")) {
      assertTrue(out.toString().contains(said), said + " in " + out);
    }
    assertEquals("", err.toString());
  }

  @Test
  void aPortThatIsTakenIsSaidBeforeAnythingStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertEquals(2, run("--port", Integer.toString(taken.getLocalPort())));
      String said = "the shop cannot listen on port " + taken.getLocalPort();
      assertTrue(err.toString().contains(said), err.toString());
      assertTrue(err.toString().contains("give another one by --port"), err.toString());
    }
    assertEquals("", out.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--store oracle|--store is ecstore or mariadb, not oracle",
        "--store ecstore,mariadb|--store is ecstore or mariadb, not ecstore,mariadb",
        "--nodes 0|--nodes is from 1 to 9, not 0",
        "--nodes 10|--nodes is from 1 to 9, not 10",
        "--nodes 3 --store mariadb|--nodes is of ecstore: leave it out",
        "--nodes x|--nodes",
        "--items 9|--items is from 10 to",
        "--items 99999999999999999999|--items",
        "--population-browsers 0|--population-browsers is from 1",
        "--port 0|--port is from 1 to 65535, not 0",
        "--port 65536|--port is from 1 to 65535, not 65536",
        "--port -1|--port is from 1 to 65535, not -1",
        "--port|--port",
        "--prot 8081|Unknown option",
        "shop|Unmatched argument"
      })
  void wrongOptionsAreSaid(String options, String said) {
    assertEquals(2, run(options.split(" ", -1)));
    assertTrue(err.toString().contains(said), err.toString());
    assertEquals("", out.toString());
  }
}
