package org.ecstore.tools.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of options before a process starts. */
class LivenessCommandTest {
  private final StringWriter said = new StringWriter();

  private int run(String words) {
    PrintWriter to = new PrintWriter(said, true);
    return EcStoreMain.commandLine()
        .setOut(to)
        .setErr(to)
        .execute(("measure liveness " + words).split(" "));
  }

  private String words() {
    return said.toString().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--stop-database | --stop-database: nodes of the kind je have no database server: name",
        "--kill-database --engines je,rocksdb | --kill-database: nodes of the kind je, rocksdb have",
        "--stop-database --engines je | in --engines",
        "--stop-database --kill-database --engines je,redis | a run has one of them",
        "--stop-database --engines redis | add another kind, or --relaxed",
        "--relaxed --nodes 4 | --relaxed goes with --engines",
        "--engines je,redis --nodes 6 | --nodes follows from --hosts and --engines"
      })
  void whatCannotBeIsSaid(String options, String expected) {
    assertEquals(ExitStatus.BAD_INPUT, run(options));
    assertTrue(words().contains(expected), said::toString);
  }

  @Test
  void helpSaysWhatTheReportHasOfADatabase() {
    assertEquals(ExitStatus.OK, run("--help"));
    for (String some :
        new String[] {"--stop-database", "--kill-database", "takenOverSeconds", "wholeAgain"}) {
      assertTrue(words().contains(some), said::toString);
    }
  }
}
