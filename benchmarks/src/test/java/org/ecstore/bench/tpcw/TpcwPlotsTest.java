package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.figure.BarChart;
import org.ecstore.bench.figure.BarChart.Bars;
import org.ecstore.bench.figure.Chart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TpcwPlotsTest {
  private static ObjectNode run(String store, String mix, int seconds) {
    ObjectNode run = new ObjectMapper().createObjectNode();
    run.put("store", store).put("mix", mix).put("warmUpSeconds", 5.0);
    ObjectNode pages = run.putObject("pages");
    for (Interaction page : Interaction.values()) {
      ObjectNode one = pages.putObject(page.abbreviation());
      if (page != Interaction.ADMIN_CONFIRM) {
        one.put("p90", 2.0 + page.abbreviation().length());
      }
    }
    ArrayNode bySecond = run.putArray("pagesBySecond");
    for (int second = 0; second < seconds; second++) {
      bySecond.add(second);
    }
    return run;
  }

  @Test
  void twoPicturesOfEachMixAreDrawn(@TempDir Path directory) throws Exception {
    Path into = directory.resolve("new").resolve("plots");
    List<String> files =
        TpcwPlots.draw(
            List.of(
                run("ecstore", "shopping", 30),
                run("mariadb", "shopping", 30),
                run("ecstore", "ordering", 30)),
            into);
    assertEquals(
        List.of(
            "tpcw-shopping-wips.svg",
            "tpcw-shopping-wirt.svg",
            "tpcw-ordering-wips.svg",
            "tpcw-ordering-wirt.svg"),
        files);
    for (String file : files) {
      assertTrue(Files.readString(into.resolve(file)).contains("<svg"), file);
    }
  }

  @Test
  void eachStoreHasACurveOfItsSeconds() {
    Chart chart =
        TpcwPlots.wips(
            "shopping", List.of(run("ecstore", "shopping", 30), run("mariadb", "shopping", 30)));
    assertEquals(
        List.of("ecstore", "mariadb"), chart.series().stream().map(one -> one.name()).toList());
    assertEquals(30, chart.series().getFirst().size());
    assertEquals(29, chart.series().getFirst().last());
    assertEquals("seconds, of which 5 for warming up", chart.xLabel());
  }

  @Test
  void storesOfSeveralNumbersOfNodesHaveTheirNumbers() {
    ObjectNode one = run("ecstore", "shopping", 30);
    one.putObject("settings").put("nodes", "1");
    ObjectNode three = run("ecstore", "shopping", 30);
    three.putObject("settings").put("nodes", "3");
    assertEquals(
        List.of("ecstore", "ecstore, 3 nodes"),
        TpcwPlots.wips("shopping", List.of(one, three)).series().stream()
            .map(series -> series.name())
            .toList());
  }

  @Test
  void secondsOfALongRunArePutTogether() {
    Chart chart = TpcwPlots.wips("shopping", List.of(run("ecstore", "shopping", 301)));
    assertEquals(101, chart.series().getFirst().size());
    assertEquals(List.of(1.0, 4.0), chart.series().getFirst().ys().subList(0, 2));
    assertEquals(300, chart.series().getFirst().last());
  }

  @Test
  void eachPageHasItsLimitBesideWhatItTook() {
    BarChart chart = TpcwPlots.wirt("shopping", List.of(run("ecstore", "shopping", 30)));
    assertEquals(14, chart.names().size());
    assertEquals(3_000, chart.limit().values().getFirst());
    assertEquals(20_000, chart.limit().values().getLast());
    assertEquals(6, chart.bars().getFirst().values().getFirst());
    assertEquals(0, chart.bars().getFirst().values().getLast(), "a page that did not come");
  }

  @Test
  void aBarThatIsMissingIsAnError() {
    Bars two = new Bars("limit", List.of(1.0, 2.0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BarChart("", "", "", false, List.of("one"), List.of(), two));
  }
}
