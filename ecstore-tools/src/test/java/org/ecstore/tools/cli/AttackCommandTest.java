package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.attack.AttackKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command lines of attacks, and of what is run every night. */
class AttackCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private void assertRefused(String why, String... args) {
    err.getBuffer().setLength(0);
    assertEquals(ExitStatus.BAD_INPUT, run(args));
    assertEquals("ecstore attack: " + why, err.toString().strip());
  }

  @Test
  void whatCannotBeDoneIsRefusedInOneLine() throws Exception {
    assertRefused(
        "--kind has \"magic\": give some of"
            + " random,partial,mutated,forged,holder,replayed,greedy",
        "attack",
        "--kind=forged,magic");
    assertRefused("--nodes must be from 2 to 16, not 1", "attack", "--nodes=1");
    assertRefused("--frames must be from 1 to 1000000000, not 0", "attack", "--frames=0");
    Files.writeString(directory.resolve("file"), "");
    assertRefused("--dir " + directory + " is not empty", "attack", "--dir=" + directory);
  }

  @Test
  void helpTellsOfEachKind() {
    assertEquals(ExitStatus.OK, run("attack", "--help"));
    for (AttackKind kind : AttackKind.values()) {
      assertTrue(out.toString().contains(kind.word() + " ("), kind::word);
    }
  }

  @Test
  void nightIsSimulationAttackAndTorture() {
    assertEquals(ExitStatus.OK, run("nightly", "--dry-run", "--seed=5"));
    List<String> commands = out.toString().lines().toList();
    assertEquals(15, commands.size());
    assertEquals("ecstore sim --adapters --seeds 20000 --first-seed 5", commands.getFirst());
    assertEquals("ecstore sim --adapters --readers --seeds 2000 --first-seed 5", commands.get(1));
    assertEquals("ecstore attack --frames 1000000 --seed 5", commands.get(2));
    assertEquals(
        "ecstore torture --nodes 5 --seconds 300 --forger --glutton --seed 14", commands.get(12));
    assertEquals(
        "ecstore torture --engines je,mysql,redis --seconds 300 --seed 15 --history h.jsonl",
        commands.get(13));
    assertEquals("bin/judge-history h.jsonl", commands.getLast());
  }
}
