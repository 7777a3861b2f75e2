package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MyCassandraCommandTest {
  @TempDir private Path temp;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int run(String arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(("bench mycassandra " + arguments).split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--quorum 3,2,2; --quorum is N-W-R, as 3-2-2 or 4-3-2, not",
        "--quorum 4-5-2; W is from 1 to N = 4, not 5",
        "--quorum 4-3-2 --hosts 3; --hosts is from N = 4 to 32",
        "--quorum 33-17-17; N is from 2 to 32",
        "--quorum 1-1-1; N is from 2 to 32",
        "--level session; --quorum N-W-R says here what --level and --copies say",
        "--copies 4; --quorum N-W-R says here what --level and --copies say",
        "--clusters mixed,oracle; --clusters is some of mixed,rocksdb,mysql,redis,je,cassandra",
        "--clusters mixed,mixed; each once",
        "--clusters cassandra --no-cassandra; leave nothing to measure",
        "--mixes A; --mixes is some of write-only,write-heavy,read-heavy,read-only",
        "--rate 0; --rate is from 1 to 1000000 a second, not 0"
      })
  void whatCannotBeIsRefusedWithWhatToGive(String arguments, String said) {
    assertEquals(2, run(arguments));
    String words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains(said), words);
  }

  @Test
  void helpNamesNothingThatIsRefused() {
    assertEquals(0, run("--help"), err::toString);
    assertTrue(out.toString().contains("--quorum"), out::toString);
    for (String refused : List.of("--copies", "--level")) {
      assertFalse(out.toString().contains(refused), refused);
    }
  }

  @Test
  void cellsThatAreNoneAreRefused() throws IOException {
    Files.write(temp.resolve("cells.jsonl"), new byte[] {(byte) 0xe9, '\n'});
    assertEquals(2, run("--quick --out " + temp));
    assertTrue(err.toString().contains("is no text in UTF-8"), err::toString);
  }

  /** Nothing was started: the directory is of a run with other settings. */
  @Test
  void measurementsOfAnotherQuorumAreNotMixed() throws IOException {
    Files.writeString(temp.resolve("cells.jsonl"), "{\"quorum\":{\"n\":3}}\n");
    assertEquals(2, run("--quick --quorum 4-3-2 --out " + temp));
    String words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains("cells.jsonl is of another measurement: "), words);
    assertTrue(words.contains("quorum is {\"n\":3} there, not {"), words);
    assertEquals(2, run("--quick --quorum 4-3-2 --clusters mixed,je --out " + temp));
    words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains("quorum is {\"n\":3} there, not {"), "the usual engine: " + words);
  }

  /** Two nodes on RocksDB, to see the course of it: then all is there, and nothing is started. */
  @Test
  @Tag("slow")
  void whatIsKeptIsNotMeasuredAgain() throws IOException {
    String arguments =
        "--quick --seconds 0.5 --warm-up 0.1 --prepare 0.1 --settle 0 --records 300 --clients 3"
            + " --heap 256 --cache 64 --collector SerialGC --quorum 2-2-1 --clusters rocksdb --mixes"
            + " write-heavy --json --out "
            + temp;
    assertEquals(0, run(arguments), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertEquals(2, json.get("results").size());
    JsonNode copies = json.at("/results/0/placement/copies");
    assertTrue(copies.path("rocksdb 2").asInt() > 0, json::toString);
    assertEquals(2, json.get("distributions").size(), json::toString);
    assertEquals(json, new ObjectMapper().readTree(temp.resolve("result.json").toFile()));
    assertTrue(Files.readString(temp.resolve("result.txt")).contains("write-heavy, reads at"));
    assertTrue(Files.exists(temp.resolve("distribution-write-heavy-reads.svg")));
    assertEquals(0, run(arguments), err::toString);
    assertTrue(err.toString().contains("all of ecstore-rocksdb is there"), err::toString);
    // In the order of the cells, not of the rounds.
    JsonNode again = new ObjectMapper().readTree(out.toString());
    assertEquals(
        Set.copyOf(json.get("results").valueStream().toList()),
        Set.copyOf(again.get("results").valueStream().toList()));
  }

  @Test
  void resultsOfOtherCommandsAreNotWrittenOver() throws IOException {
    Path result = Files.writeString(temp.resolve("result.json"), "{}");
    assertEquals(2, run("--quick --out " + temp));
    String words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains("is not empty, and has no cells.jsonl of an earlier run"), words);
    assertEquals("{}", Files.readString(result));
  }
}
