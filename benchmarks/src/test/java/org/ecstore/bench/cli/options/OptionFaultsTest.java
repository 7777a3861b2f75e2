package org.ecstore.bench.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.server.file.DirectoryLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionFaultsTest {
  private static final String LOG = "runs.jsonl";

  @TempDir private Path temp;

  private interface Check {
    void of(OptionFaults faults) throws IOException;
  }

  /** What is wrong; empty if nothing is. */
  private static String wrong(Check check) throws IOException {
    OptionFaults faults = new OptionFaults();
    check.of(faults);
    return faults.isEmpty() ? "" : String.valueOf(faults.exception().getMessage());
  }

  private String freeOrOwn() throws IOException {
    return wrong(faults -> faults.mustBeFreeOrOwn("--out", temp, LOG, true));
  }

  @Test
  void resultsGoOnWhereTheirLogIs() throws IOException {
    assertEquals("", freeOrOwn());
    assertEquals(
        "", wrong(faults -> faults.mustBeFreeOrOwn("--out", temp.resolve("none"), LOG, true)));
    Files.writeString(temp.resolve("result.json"), "{}");
    assertTrue(freeOrOwn().contains("is not empty, and has no runs.jsonl of an earlier run"));
    Files.writeString(temp.resolve(LOG), "");
    assertTrue(freeOrOwn().contains("is not empty"), "it says nothing");
    Files.writeString(temp.resolve(LOG), "{\"seed\":1}\n");
    assertEquals("", freeOrOwn());
    Files.writeString(temp.resolve(LOG), "junk\n");
    assertTrue(freeOrOwn().contains("line 1: is no JSON"));
  }

  @Test
  void whereNodesWillBeThereIsNothingElse() throws IOException {
    Path mine = Files.createDirectories(temp.resolve("work"));
    Files.writeString(mine.resolve("thesis.txt"), "mine");
    assertTrue(freeOrOwn().contains("is not empty"));
    Files.writeString(temp.resolve(LOG), "{\"seed\":1}\n");
    assertEquals("", wrong(faults -> faults.mustBeFreeOrOwn("--out", temp, LOG, false)));
    assertTrue(freeOrOwn().contains(mine + " is there, and has no mark of this build"));
  }

  /** One that was interrupted before its first run is told to be run again. */
  @Test
  void aRunThatEndedAtOnceGoesOn() throws IOException {
    new WorkDirectory(temp.resolve("work")).make();
    Files.writeString(temp.resolve(DirectoryLock.FILE_NAME), "1234");
    assertEquals("", freeOrOwn());
  }

  @Test
  void aLockIsWrittenOverAndNoOtherFile() throws IOException {
    Path file = Files.writeString(temp.resolve(DirectoryLock.FILE_NAME), "1234");
    assertEquals("", wrong(faults -> faults.mustBeFree("--out", temp)));
    Files.writeString(file, "of my bicycle");
    for (Check check :
        List.<Check>of(
            faults -> faults.mustBeFree("--out", temp),
            faults -> faults.mayBeDirectory("--out", temp),
            faults -> faults.mustBeFreeOrOwn("--out", temp, LOG, true))) {
      assertTrue(wrong(check).contains(file + " is of no command"));
    }
    assertTrue(wrong(faults -> faults.mayBeDirectory("--out", file)).contains("is no directory"));
  }
}
