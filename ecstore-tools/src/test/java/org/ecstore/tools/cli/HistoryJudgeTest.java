package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the judge of histories is run: by a shell here, in place of Python. */
@Timeout(60)
class HistoryJudgeTest {
  private static final Optional<Path> SHELL = Optional.of(Path.of("/bin/sh"));

  @TempDir private Path temp;
  private Path program = Path.of("judge");
  private Path history = Path.of("history");

  @BeforeEach
  void begin() {
    program = temp.resolve("judge");
    history = temp.resolve("h.jsonl");
  }

  @Test
  void itsWordsAndItsStatusAreTold() throws Exception {
    Files.writeString(program, "echo \"looks at $1\"\necho 'verdict: 1 anomalies' >&2\nexit 1\n");
    Files.writeString(history, "");
    HistoryJudge judge = new HistoryJudge(SHELL, Optional.of(program));
    assertEquals(Optional.empty(), judge.hindrance(history));
    List<String> said = new ArrayList<>();
    assertEquals(1, judge.judge(history, said::add));
    assertEquals(List.of("looks at " + history, "verdict: 1 anomalies"), said);
  }

  @Test
  void whatHindersItIsSaid() throws Exception {
    Optional<Path> there = Optional.of(Files.writeString(program, "exit 0\n"));
    assertEquals(
        Optional.of("there is no history"), new HistoryJudge(SHELL, there).hindrance(history));
    Files.writeString(history, "");
    assertEquals(
        Optional.of("there is no python3 on the PATH"),
        new HistoryJudge(Optional.empty(), there).hindrance(history));
    Optional<String> unknown =
        Optional.of("it is not known where it is: start this by bin/ecstore");
    assertEquals(unknown, new HistoryJudge(SHELL, Optional.empty()).hindrance(history));
    assertEquals(
        unknown, new HistoryJudge(SHELL, Optional.of(temp.resolve("none"))).hindrance(history));
  }
}
