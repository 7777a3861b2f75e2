package org.ecstore.bench.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
  @TempDir private Path temp;

  @Test
  void whatACommandHasMadeItDeletes() throws IOException {
    WorkDirectory work = new WorkDirectory(temp.resolve("run/work"));
    assertEquals(Optional.empty(), work.wrong());
    work.make();
    Files.createDirectories(work.path().resolve("cluster"));
    Files.writeString(work.path().resolve("client.err"), "said");
    assertTrue(work.isOwn());
    assertEquals(Optional.empty(), work.wrong());
    work.make();
    assertTrue(Files.exists(work.path().resolve("client.err")), "one that is there goes on");
    work.delete();
    assertFalse(Files.exists(work.path()));
  }

  @Test
  void whatIsAnothersStays() throws IOException {
    WorkDirectory work = new WorkDirectory(Files.createDirectories(temp.resolve("work")));
    Path thesis = Files.writeString(work.path().resolve("thesis.txt"), "mine");
    String refusal = assertThrows(BadInputException.class, work::make).getMessage();
    assertEquals(
        "%s is there, and has no mark of this build: end what runs in it (bin/ecstore cluster down --dir %s, or a directory in it), then remove it; or give another --out"
            .formatted(work.path(), work.path()),
        refusal);
    assertFalse(work.isOwn());
    work.delete();
    assertEquals("mine", Files.readString(thesis));
  }

  /** What a link leads to is not the command's, even if a command has made that somewhere else. */
  @Test
  void aLinkOrAFileIsAnothers() throws IOException {
    WorkDirectory real = new WorkDirectory(temp.resolve("real"));
    real.make();
    WorkDirectory link =
        new WorkDirectory(Files.createSymbolicLink(temp.resolve("link"), real.path()));
    assertTrue(link.wrong().orElseThrow().contains(link.path() + " is a link,"));
    link.delete();
    assertTrue(real.isOwn());
    assertTrue(new WorkDirectory(Files.createFile(temp.resolve("file"))).wrong().isPresent());
  }

  /** One that ends while it deletes leaves a directory that is still known as its own. */
  @Test
  void theMarkIsBeforeAllOtherNames() {
    for (String name : new String[] {"0", "Work", "cluster", "client.out", "plan-1"}) {
      assertTrue(WorkDirectory.MARK.compareTo(name) < 0, name);
    }
  }
}
