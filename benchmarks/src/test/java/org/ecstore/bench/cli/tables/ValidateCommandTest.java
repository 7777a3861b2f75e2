package org.ecstore.bench.cli.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.validate.Validating;
import org.ecstore.server.Release;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.txn.qos.table.TableWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  @TempDir private Path temp;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int run(String command, String arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(Stream.of("qos", command), Arrays.stream(arguments.split(" ", -1)))
                .toArray(String[]::new));
  }

  private int validate(Path table, String arguments) {
    return run(
        "validate",
        "--table %s --out %s %s".formatted(table, temp.resolve("out"), arguments).strip());
  }

  private Path table(String build) throws IOException {
    MeasuredSubject subject = Validating.subject(build, Runtime.getRuntime().availableProcessors());
    Files.writeString(temp.resolve("je.runs.jsonl"), subject.json() + "\n");
    return Files.writeString(temp.resolve("je.csv"), TableWriter.full(Validating.table(subject)));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    Files.createFile(temp.resolve("out"));
    int status =
        validate(
            table("0.1.0"),
            "--plans 0 --runs 0 --seconds 0 --warm-up -1 --settle -1 --check 0.5s --window 1");
    assertEquals(2, status);
    for (String fault :
        List.of(
            "--plans is from 1",
            "--runs is from 1",
            "--seconds is from",
            "--warm-up is from",
            "--settle is from",
            "--check is 1s at least",
            "--window is from 2",
            "is no directory",
            "build is 0.1.0 there, not " + Release.version())) {
      assertTrue(err.toString().contains(fault), () -> fault + " in " + err);
    }
    assertEquals("", out.toString());
  }

  @Test
  void aPreviewSaysObjectivesAndPlansAndStartsNothing() throws IOException {
    assertEquals(0, validate(table(Release.version()), "--plans 3 --dry-run"), err::toString);
    String text = out.toString();
    assertEquals(3, text.lines().filter(line -> line.contains(" will do for ")).count(), text);
    assertTrue(text.contains("1 node (je, class small, zipf-read) will do for "), text);
    assertTrue(text.contains("plan 3: 3 runs are missing of 3, about "), text);
    assertTrue(text.contains("together about "), text);
    assertFalse(Files.exists(temp.resolve("out")));
  }

  @Test
  void runsOfAnotherValidationAreRefused() throws IOException {
    Files.createDirectory(temp.resolve("out"));
    Files.writeString(temp.resolve("out/validation.runs.jsonl"), "{\"seed\":7}\n");
    assertEquals(2, validate(table(Release.version()), "--plans 1"));
    assertTrue(err.toString().contains("seed is 7 there, not 1"), err::toString);
  }

  private JsonNode result() throws IOException {
    assertTrue(out.toString().contains("{"), err::toString);
    return new ObjectMapper().readTree(out.toString().lines().toList().getLast());
  }

  @Test
  @Tag("slow")
  void aPlanIsTriedOnProcessesOnce() throws IOException {
    assertEquals(
        0,
        run(
            "measure",
            "--clients 1,4 --nodes 1 --runs 1 --seconds 0.5 --warm-up 0.2 --settle 0 --records 300"
                + " --class tiny --capacity 0.5 --heap 256 --cache 32 --out "
                + temp.resolve("tables")),
        () -> err + " " + out);
    Path table = temp.resolve("tables/je-tiny-zipf-read.csv");
    String small = "--plans 1 --runs 1 --settle 0 --check 1s --window 2 --json";
    int status = validate(table, small);
    JsonNode result = result();
    JsonNode plan = result.at("/plans/0");
    assertEquals(result.path("faults").isEmpty() ? 0 : 1, status, () -> err + " " + out);
    assertEquals(1, plan.path("nodes").asInt(), result::toString);
    assertTrue(plan.path("measuredMillis").asDouble() > 0, result::toString);
    assertEquals("je", result.at("/settings/engine").asText());
    assertEquals(1, plan.path("runs").size());
    for (String file : List.of("result.json", "result.txt", "response-time.svg")) {
      assertTrue(Files.size(temp.resolve("out").resolve(file)) > 0, file);
    }
    assertEquals(status, validate(table, small), "it is all there");
    assertEquals(result, result());
  }

  /** A directory may be of another command, or of the user. */
  @Test
  void whatItHasNotMadeItselfStaysAsItIs() throws IOException {
    Path thesis = temp.resolve("out").resolve("work").resolve("thesis.txt");
    Files.createDirectories(thesis.getParent());
    Files.writeString(thesis, "mine");
    Path result = Files.writeString(temp.resolve("out/result.json"), "{\"benchmark\": \"qos\"}");
    for (String arguments : List.of("--plans 1 --dry-run", "--plans 1")) {
      assertEquals(2, validate(table(Release.version()), arguments), out::toString);
      assertTrue(
          err.toString().contains("is not empty, and has no validation.runs.jsonl"), err::toString);
    }
    // Nor may what it will delete be there, in a directory of its own.
    Files.writeString(temp.resolve("out/validation.runs.jsonl"), "{\"seed\":7}\n");
    assertEquals(2, validate(table(Release.version()), "--plans 1 --dry-run"));
    assertTrue(err.toString().contains("work is there, and has no mark"), err::toString);
    assertEquals("mine", Files.readString(thesis));
    assertEquals("{\"benchmark\": \"qos\"}", Files.readString(result));
  }

  @Test
  void aTableThatCannotBeReadIsAFaultLikeOthers() throws IOException {
    assertEquals(2, validate(temp.resolve("nosuch.csv"), "--plans 0"));
    assertTrue(err.toString().contains("--plans is from 1"), err::toString);
    assertTrue(
        err.toString().contains("--table: " + temp.resolve("nosuch.csv") + ": no such file"),
        err::toString);
    Path table = table(Release.version());
    Path runs = temp.resolve("je.runs.jsonl");
    Files.writeString(runs, "junk\n");
    assertEquals(2, validate(table, "--window 1"));
    assertTrue(err.toString().contains(runs + ", line 1: is no JSON"), err::toString);
    assertTrue(err.toString().contains("--window is from 2"), err::toString);
    Files.write(runs, "Grün\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(2, validate(table, ""));
    assertTrue(err.toString().contains(runs + ": is no text in UTF-8"), err::toString);
  }
}
