package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.shop.ShopProcess;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shop under emulated browsers, for a moment on a real node process. */
class TpcwCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(Stream.of("bench", "tpcw"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void aShopIsMeasuredAndItsBooksAreRight(@TempDir Path plots) throws Exception {
    String small =
        "--browsers 4 --think 0 --items 40 --population-browsers 1 --seconds 2 --warm-up 0.5"
            + " --mix ordering,shopping --heap 256 --cache 64 --collector SerialGC --json --out "
            + plots;
    assertEquals(0, run(small.split(" ", -1)), err.toString());
    List<String> lines = out.toString().lines().toList();
    assertEquals(2, lines.size(), out.toString());
    JsonNode ordering = new ObjectMapper().readTree(lines.getFirst());
    JsonNode shopping = new ObjectMapper().readTree(lines.getLast());
    assertEquals("ordering", ordering.get("mix").asText());
    assertEquals("shopping", shopping.get("mix").asText());
    for (JsonNode result : List.of(ordering, shopping)) {
      assertEquals("ecstore", result.get("store").asText());
      assertEquals(4, result.get("browsers").asInt());
      assertEquals(2, result.get("seconds").asDouble());
      assertEquals(2_880, result.at("/population/customers").asLong());
      assertTrue(result.get("saturation").asBoolean());
      assertEquals("closed", result.get("loop").asText());
      assertFalse(result.has("rate"));
      for (String picture : List.of("wips", "wirt")) {
        String file = "tpcw-%s-%s.svg".formatted(result.get("mix").asText(), picture);
        assertTrue(Files.exists(plots.resolve(file)), file);
      }
      assertFalse(result.has("valid"));
      assertEquals(0, result.get("failed").asLong(), result::toString);
      assertTrue(result.get("booksRight").asBoolean(), result::toString);
      assertTrue(result.get("wips").asDouble() > 0, result::toString);
      assertTrue(result.has("conflicts"), result::toString);
      assertTrue(result.has("retries"), result::toString);
      assertEquals(14, result.get("pages").size());
      assertEquals(3_000, result.at("/pages/HOME/limit").asLong());
      assertTrue(
          result.at("/pages/HOME/p50").asDouble() <= result.at("/pages/HOME/p90").asDouble());
    }
    assertTrue(
        shopping.at("/books/orders").asLong() >= ordering.at("/books/orders").asLong(),
        "orders of both");
  }

  @Test
  @Tag("slow")
  void interactionsAreDueAtARate() throws Exception {
    String small =
        "--browsers 8 --rate 50 --items 40 --population-browsers 1 --seconds 4 --warm-up 2"
            + " --heap 256 --cache 64 --collector SerialGC --json";
    assertEquals(0, run(small.split(" ", -1)), err.toString());
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertEquals("open", result.get("loop").asText());
    assertEquals(50, result.get("rate").asDouble());
    assertEquals(200, result.get("due").asLong());
    assertEquals(0, result.get("undone").asLong());
    assertFalse(result.has("saturation"));
    assertFalse(result.has("valid"));
    assertFalse(result.get("think").asBoolean());
    long counted = 0;
    for (JsonNode page : result.get("pages")) {
      counted += page.get("count").asLong();
    }
    assertEquals(200, counted, "each that was due was timed");
  }

  @Test
  @Tag("slow")
  void aRateMayBeAPartOfWhatThereCanBe() throws Exception {
    String small =
        "--browsers 4 --rate 20% --items 40 --population-browsers 1 --seconds 4 --warm-up 2"
            + " --heap 256 --cache 64 --collector SerialGC --json";
    assertEquals(0, run(small.split(" ", -1)), err.toString());
    JsonNode result = new ObjectMapper().readTree(out.toString());
    double saturation = result.get("saturationWips").asDouble();
    assertTrue(saturation > 0, result::toString);
    assertEquals(saturation / 5, result.get("rate").asDouble(), 0.5);
    assertEquals("open", result.get("loop").asText());
    assertTrue(result.get("booksRight").asBoolean(), result::toString);
  }

  /** The build makes the shop's jar before it tests this; tests alone may come without. */
  @Test
  @Tag("slow")
  void pagesAreMeasuredWhereTheShopIsBuilt() throws Exception {
    String small =
        "--render html --browsers 3 --think 0 --items 40 --population-browsers 1 --seconds 8"
            + " --warm-up 4 --mix ordering --heap 256 --cache 64 --collector SerialGC --json";
    int status = run(small.split(" ", -1));
    if (!Files.exists(ShopProcess.libraries())) {
      assertTrue(err.toString().contains("the shop was not built"), err.toString());
      return;
    }
    assertEquals(0, status, err.toString() + out);
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertEquals("html", result.get("render").asText());
    assertTrue(result.get("booksRight").asBoolean(), result::toString);
    assertTrue(result.get("wips").asDouble() > 0, result::toString);
    assertTrue(result.at("/cpuMillisPerPage/shop").asDouble() > 0, result::toString);
  }

  @Test
  @Tag("nightly")
  void booksAreRightAfterKills() throws Exception {
    String killed =
        "--nodes 3 --browsers 4 --think 0 --items 100 --population-browsers 1 --seconds 60"
            + " --warm-up 5 --kill-every 5 --mix ordering --heap 384 --cache 64 --json";
    assertEquals(0, run(killed.split(" ", -1)), err.toString() + out);
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertTrue(result.get("booksRight").asBoolean(), result::toString);
    assertEquals(0, result.get("failed").asLong(), result::toString);
    assertTrue(result.get("longestPauseSeconds").asLong() <= 10, result::toString);
    assertTrue(result.get("longestMillis").asDouble() <= 10_000, result::toString);
    assertTrue(result.get("kills").asLong() >= 2, result::toString);
    assertTrue(result.get("killsOfSequencers").asLong() >= 1, result::toString);
  }

  @Test
  @Tag("slow")
  void severalNumbersOfNodesAreStoresOfTheirOwn() throws Exception {
    String small =
        "--nodes 1,3 --browsers 4 --think 0 --items 40 --population-browsers 1 --seconds 4"
            + " --warm-up 2 --mix ordering --heap 256 --cache 64 --collector SerialGC --json";
    assertEquals(0, run(small.split(" ", -1)), err.toString() + out);
    List<String> lines = out.toString().lines().toList();
    assertEquals(2, lines.size(), out.toString());
    JsonNode one = new ObjectMapper().readTree(lines.getFirst());
    JsonNode three = new ObjectMapper().readTree(lines.getLast());
    assertEquals("1", one.at("/settings/nodes").asText());
    assertEquals("3", three.at("/settings/nodes").asText());
    assertTrue(one.get("booksRight").asBoolean(), one::toString);
    assertTrue(three.get("booksRight").asBoolean(), three::toString);
    assertTrue(three.get("wips").asDouble() > 0, three::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mix buying|--mix is browsing, shopping or ordering, not buying",
        "--store oracle|--store is one of [ecstore, mariadb], not oracle",
        "--store ecstore,ecstore|twice",
        "--think 7|--think is tpcw or 0, not 7",
        "--browsers 0|--browsers is from 1",
        "--items 1|--items is from 10",
        "--population-browsers 0|--population-browsers is from 1",
        "--render pdf|--render is none or html, not pdf",
        "--rounds 0|--rounds is from 1",
        "--rate -1|--rate is from 0, for none, to 1000000 a second",
        "--rate NaN|--rate is from 0",
        "--rate 120%|--rate is from 0, for none, to 1000000 a second, or as 80%, not 120%",
        "--seconds 0|--seconds is above 0",
        "--seconds NaN|--seconds is above 0",
        "--nodes 0|--nodes is from 1",
        "--mix shopping,ordering,shopping|--mix names one of them twice",
        "--nodes 1,3,1|--nodes names one of its numbers twice",
        "--nodes 3,0|--nodes is from 1",
        "--kill-every 5 --nodes 3,1|--kill-every needs --nodes 3",
        "--kill-every 5 --nodes 3 --pause-max 0|--pause-max is from 1",
        "--kill-every -1|--kill-every is 0 or more",
        "--kill-every 5|--kill-every needs --nodes 3",
        "--kill-every 5 --nodes 3 --store mariadb|--kill-every is for nodes of ecstore"
      })
  void wrongOptionsAreSaid(String options, String said) {
    assertEquals(2, run(options.split(" ", -1)));
    assertTrue(err.toString().contains(said), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void plotsOfAnEarlierRunAreNotWrittenOver(@TempDir Path temp) throws Exception {
    Path plot = Files.writeString(temp.resolve("tpcw-ordering-wirt.svg"), "of an hour");
    assertEquals(2, run("--mix", "shopping,ordering", "--out", temp.toString()));
    assertTrue(err.toString().contains(plot + " is there, with what an earlier run"));
    assertEquals(2, run("--out", plot.toString()));
    assertTrue(err.toString().contains(plot + " is no directory"), err::toString);
    assertEquals("of an hour", Files.readString(plot));
  }
}
