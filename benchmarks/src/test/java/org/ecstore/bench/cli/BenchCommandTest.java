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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.report.BenchReport;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void helpSaysPercentAsItIs() {
    assertEquals(0, run("bench", "smallbank", "--help"), err::toString);
    String help = out.toString().replaceAll("\\s+", " ");
    assertTrue(help.contains("a few of them are 90 %, or uniform. hotspot."), help);
    for (String ofOthers : LoadOptions.OF_OTHER_STORES) {
      assertFalse(help.contains(ofOthers), help);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"qos measure", "bench engines"})
  void helpNamesTheKindsOfEngines(String command) {
    String[] words = (command + " --help").split(" ", -1);
    assertEquals(0, run(words), err::toString);
    String help = out.toString().replaceAll("\\s+", " ");
    assertTrue(help.contains("je, mysql (a server each), redis (a server each), rocksdb"), help);
  }

  @Test
  void everyHelpHasExamples() {
    CommandLine bench =
        Objects.requireNonNull(EcStoreMain.commandLine().getSubcommands().get("bench"));
    assertTrue(bench.getUsageMessage().contains("Examples:\n  ecstore bench "));
    bench
        .getSubcommands()
        .forEach(
            (name, command) -> {
              String help = command.getUsageMessage();
              assertTrue(help.contains("Examples:\n  ecstore bench "), help);
              assertTrue(help.contains("\n  ecstore bench " + name), help);
            });
  }

  private String costs() throws IOException {
    Path file = temp.resolve("costs.json");
    Files.writeString(file, BenchReport.costs(CostModel.TYPICAL).toString());
    return file.toString();
  }

  /** Rounds take hours, and the first of a new run would replace all of them. */
  @Test
  void whatIsKeptOfHostsIsNotWrittenOver() throws IOException {
    Path kept = Files.writeString(temp.resolve("hosts.txt"), "of five rounds");
    assertEquals(2, run("bench", "hosts", "--out", temp.toString()));
    assertTrue(err.toString().contains(kept + " is there"), err::toString);
    assertEquals("of five rounds", Files.readString(kept));
  }

  @Test
  void numbersPlotsAndPageAreLeft() throws IOException {
    Path left = temp.resolve("left");
    int status =
        run(
            "bench",
            "paper",
            "--figure",
            "12,4,6",
            "--quick",
            "--json",
            "--costs",
            costs(),
            "--out",
            left.toString());
    assertEquals(0, status, err.toString());
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(report, new ObjectMapper().readTree(left.resolve("figures.json").toFile()));
    assertEquals(CostModel.TYPICAL, BenchReport.costs(report));
    List<Integer> numbers = new ArrayList<>();
    for (JsonNode figure : report.get("figures")) {
      numbers.add(figure.get("figure").asInt());
      assertTrue(!figure.get("claims").isEmpty() && !figure.get("plots").isEmpty());
      for (JsonNode plot : figure.get("plots")) {
        String svg = Files.readString(left.resolve(plot.asText()));
        assertTrue(svg.contains("<svg") && svg.contains("</svg>"), plot.asText());
      }
      for (JsonNode claim : figure.get("claims")) {
        assertEquals(claim.get("holds").asBoolean(), claim.get("verdict").asText().equals("holds"));
        assertTrue(claim.get("decided").asText().endsWith("in 5 repetitions"), claim::toString);
      }
      for (JsonNode chart : figure.get("charts")) {
        for (JsonNode series : chart.get("series")) {
          assertTrue(
              series.get("x").size() > 0 && series.get("x").size() == series.get("y").size());
        }
      }
    }
    assertEquals(List.of(4, 6, 12), numbers);
    assertTrue(Files.readString(left.resolve("figures.md")).contains("(figure-06.svg)"));
  }

  @Test
  void sameSeedAndCostsGiveTheSameNumbers() throws IOException {
    List<String> reports = new ArrayList<>();
    for (String seed : List.of("7", "7", "8")) {
      out.getBuffer().setLength(0);
      assertEquals(
          0,
          run(
              "bench",
              "paper",
              "--figure",
              "12",
              "--quick",
              "--json",
              "--costs",
              costs(),
              "--seed",
              seed));
      reports.add(out.toString().replaceAll("\"seed\":[0-9]+", ""));
    }
    assertEquals(reports.get(0), reports.get(1));
    assertTrue(!reports.get(0).equals(reports.get(2)));
  }

  @Tag("nightly")
  @Test
  void someFiguresAreMeasuredOnProcessesToo() throws IOException {
    int status =
        run(
            "bench",
            "paper",
            "--figure",
            "4,5,7,12,17",
            "--quick",
            "--json",
            "--processes",
            "3",
            "--costs",
            costs());
    assertEquals(0, status, err.toString());
    for (JsonNode figure : new ObjectMapper().readTree(out.toString()).get("figures")) {
      boolean measured = figure.get("figure").asInt() != 7;
      assertEquals(measured, figure.get("how").asText().contains("3 node processes"));
      JsonNode chart = figure.get("charts").get(figure.get("charts").size() - 1);
      assertEquals(measured, chart.get("title").asText().contains("3 processes"));
      for (JsonNode series : chart.get("series")) {
        series.get("y").forEach(y -> assertTrue(y.asDouble() > 0, figure::toString));
      }
    }
  }

  @Test
  void unknownFiguresAndFilesWithoutCostsAreRefused() throws IOException {
    assertEquals(2, run("bench", "paper", "--figure", "3"));
    assertTrue(err.toString().contains("no figure 3 here"), err.toString());
    assertEquals(2, run("bench", "paper", "--figure", "all,4"));
    Path empty = Files.writeString(temp.resolve("empty.json"), "{}");
    assertEquals(2, run("bench", "paper", "--figure", "4", "--costs", empty.toString()));
    assertTrue(err.toString().contains("has no costs"), err.toString());
    assertEquals(2, run("bench", "paper", "--figure", "4", "--costs", temp + "/nowhere"));
    assertEquals(2, run("bench", "paper", "--figure", "4", "--processes", "2"));
    assertTrue(err.toString().contains("--processes is 3 at least"), err.toString());
    assertEquals(2, run("bench"));
  }

  @Test
  void helpNamesTheCommands() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("bench"), out.toString());
    for (String command : List.of("paper", "calibrate")) {
      assertEquals(0, run("bench", command, "--help"));
    }
  }

  @Test
  void whereResultsOfHostsGoIsKnownBeforeTheFirstCluster() throws IOException {
    Path file = Files.createFile(temp.resolve("t1.csv"));
    // That many do not fit on any disk, which is said after what is wrong with the directory.
    String many = "1000000000";
    assertEquals(2, run("bench", "hosts", "--records", many, "--out", file.toString()));
    assertTrue(err.toString().contains(file + " is no directory"), err::toString);
    Path directory = temp.resolve("hosts");
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      assertEquals(
          2,
          run(
              "bench",
              "hosts",
              "--hosts",
              "1",
              "--records",
              "5",
              "--warm-up",
              "0",
              "--out",
              directory.toString()));
      assertTrue(err.toString().contains(directory + " is in use by"), err::toString);
    }
    assertEquals("", out.toString());
  }

  private int paper(Path directory) throws IOException {
    return run(
        "bench",
        "paper",
        "--figure",
        "12",
        "--quick",
        "--json",
        "--costs",
        costs(),
        "--out",
        directory.toString());
  }

  @Test
  void figuresOfAnEarlierRunAreWrittenOverAndNoOtherFiles() throws IOException {
    Path directory = Files.createDirectory(temp.resolve("figures"));
    for (String name : List.of("figures.json", "figures.md", "figure-12.svg")) {
      Path file = Files.writeString(directory.resolve(name), "mine");
      assertEquals(2, paper(directory), out::toString);
      assertTrue(err.toString().contains(file + " is there"), err::toString);
      assertEquals("mine", Files.readString(file));
      Files.delete(file);
    }
    Path other = Files.writeString(directory.resolve("thesis.txt"), "mine");
    assertEquals(0, paper(directory), err::toString);
    assertEquals(0, paper(directory), err::toString);
    assertEquals("mine", Files.readString(other));
    assertEquals(2, paper(other));
    assertTrue(err.toString().contains(other + " is no directory"), err::toString);
  }

  @Test
  void aPageIsWrittenOverAndNoOtherFile() throws IOException {
    Path results = temp.resolve("results.json");
    Files.writeString(
        results, "{\"store\": \"ecstore\", \"workload\": \"A\", \"failed\": \"it ended\"}");
    Path page = temp.resolve("page.html");
    for (int time = 0; time < 2; time++) {
      assertEquals(
          0, run("bench", "report", results.toString(), "--out", page.toString()), err::toString);
    }
    Files.writeString(page, "<html>mine</html>");
    assertEquals(2, run("bench", "report", results.toString(), "--out", page.toString()));
    assertTrue(err.toString().contains(page + " is there, and is no such page"), err::toString);
    assertEquals("<html>mine</html>", Files.readString(page));
  }
}
