package org.ecstore.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.bench.store.MemoryTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class HtmlPageTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path temp;

  /** A second in which so many operations took so long each. */
  private static ObjectNode result(String store, String workload, int operations, long micros) {
    Histogram latency = new Histogram(3);
    for (int i = 0; i < operations; i++) {
      latency.recordValue(micros * 1000 * (1 + i % 100) / 50);
    }
    Measured measured =
        new Measured(
            SECOND,
            Map.of(workload, latency),
            new Histogram(3),
            operations,
            operations,
            operations,
            3,
            Map.of(),
            operations * 40_000L,
            operations * 25_000L,
            Optional.of(0L));
    Pace pace = new Pace(8, 0, Duration.ZERO, Duration.ofSeconds(1));
    try (MemoryTarget target = new MemoryTarget()) {
      ObjectNode json =
          LoadReport.json(target, new LoadReport.Work(workload, 1000, Map.of()), pace, measured);
      json.withObject("/cpuSecondsPer1000").put("servers", measured.serverSecondsPer1000());
      return json.put("store", store);
    }
  }

  private String page(String... contents) throws IOException {
    Results results = new Results();
    for (String content : contents) {
      Path file = Files.createTempFile(temp, "results", ".json");
      results.add(Files.writeString(file, content));
    }
    return new HtmlPage(results).html();
  }

  private static Document parsed(String html)
      throws ParserConfigurationException, IOException, SAXException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(html)));
  }

  private static long count(Document document, String element, String style) {
    NodeList all = document.getElementsByTagName(element);
    long count = 0;
    for (int i = 0; i < all.getLength(); i++) {
      var given = all.item(i).getAttributes().getNamedItem("class");
      count +=
          given != null && (" " + given.getNodeValue() + " ").contains(" " + style + " ") ? 1 : 0;
    }
    return count;
  }

  @Test
  void eachWorkloadAndStoreIsDrawnAndNothingIsFetched() throws Exception {
    String lines =
        result("mariadb", "read-only", 1000, 300)
            + "\n"
            + result("ecstore", "read-only", 2500, 100)
            + "\n"
            + result("ecstore", "befriend", 500, 900);
    String html = page(lines);
    for (String foreign : List.of("http:", "https:", "<script", "@import", "url(", "src=")) {
      assertFalse(html.contains(foreign), foreign);
    }
    Document document = parsed(html);
    // Throughput, processors (servers and clients) of three; percentiles; distributions.
    assertEquals(3 + 2 * 3, count(document, "rect", "bar"));
    assertEquals(4 * 3, count(document, "circle", "dot"));
    assertEquals(3, count(document, "path", "curve"));
    assertTrue(html.contains("2.5×"), "ecStore's throughput by MariaDB's");
    assertTrue(html.contains("2,500 /s") && html.contains("1,000 /s"));
    assertTrue(html.contains("40 µs + 25 µs"), "processor time of servers and clients");
    assertTrue(html.indexOf(">ecstore<") < html.indexOf(">mariadb<"), "ours come first");
    assertTrue(html.contains("durability"));
    assertTrue(html.contains("prefers-color-scheme: dark"));
  }

  @Test
  void roundsOfAComparisonBecomeMediansWithTheirStoresSettings() throws Exception {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.putObject("stores").putObject("cassandra").putObject("settings").put("sync", "each <10 s>");
    all.withObject("/stores").putObject("redis").put("unavailable", "no server & no artifact");
    for (int operations : new int[] {1000, 9000, 2000}) {
      ObjectNode round = all.withArray("/results").addObject();
      round.put("round", 1).put("command", "ycsb");
      round.setAll(result("cassandra", "C", operations, 200));
    }
    String html = page(all.toPrettyString());
    parsed(html);
    assertTrue(html.contains("2,000 /s") && !html.contains("9,000 /s"), "the median");
    assertTrue(html.contains("class=\"whisker\""));
    assertTrue(html.contains("each &lt;10 s&gt;"));
    assertTrue(html.contains("redis was not available: no server &amp; no artifact"));
  }

  @Test
  void storesOfOneNameThatDifferAreToldApart() throws Exception {
    ObjectNode one = result("ecstore", "A", 100, 10);
    ObjectNode other = result("ecstore", "A", 200, 10);
    one.withObject("/settings").put("isolation", "serializable").put("heap", "1 MiB").put("at", 1);
    other.withObject("/settings").put("isolation", "snapshot").put("heap", "2 MiB").put("at", 2);
    String html = page(one.toString(), other.toString());
    assertTrue(html.contains("ecstore, serializable, heap 1 MiB<"), html);
    assertTrue(html.contains("ecstore, snapshot, heap 2 MiB<"), html);
    assertFalse(html.contains("class=\"whisker\""), "they are not rounds of the same");
  }

  @Test
  void anotherLoadOrWarmUpIsAnotherSubject() throws Exception {
    ObjectNode one = result("ecstore", "A", 100, 10);
    ObjectNode uniform = result("ecstore", "A", 200, 10);
    ObjectNode warm = result("ecstore", "A", 300, 10);
    one.withObject("/load").put("distribution", "zipfian");
    uniform.withObject("/load").put("distribution", "uniform");
    warm.withObject("/load").put("distribution", "zipfian");
    warm.put("warmUpSeconds", 12.0);
    String html = page(one.toString(), uniform.toString(), warm.toString());
    assertFalse(html.contains("class=\"whisker\""), "they are not rounds of the same");
    for (String said :
        List.of("records, zipfian<", "records, uniform<", "zipfian, 12 s warm-up<")) {
      assertTrue(html.contains(said), said);
    }
  }

  @Test
  void whatFailedIsSaid() throws Exception {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < 2; i++) {
      ObjectNode round = all.withArray("/results").addObject().put("store", "cassandra");
      round.put("workload", "A").put("failed", "the client failed: no <session>");
    }
    String html = page(all.toString());
    parsed(html);
    assertTrue(
        html.contains("Failed 2 times: cassandra, A: the client failed: no &lt;session&gt;"), html);
  }

  @Test
  void anomaliesOfASerializableBankAreBadAndThoseOfSnapshotsAreNot() throws Exception {
    for (String isolation : List.of("serializable", "snapshot")) {
      ObjectNode result = result("ecstore", "smallbank", 100, 10);
      result.withObject("/settings").put("isolation", isolation);
      ObjectNode checked = result.putObject("checked").put("moneyConserved", true);
      checked.put("serializable", false).put("anomalies", 2);
      String html = page(result.toString());
      boolean bad = isolation.equals("serializable");
      assertEquals(bad, html.contains("money conserved, NOT SERIALIZABLE; 2 anomalies"), html);
      assertEquals(bad, html.contains("<li class=\"bad\">"), html);
    }
  }

  @Test
  void errorsABusyMachineAndABankThatFailsAreSaid() throws Exception {
    ObjectNode result = result("ecstore", "smallbank", 100, 10).put("errors", 7);
    result.withObject("/cores").put("others", 1.2);
    result.putObject("checked").put("moneyConserved", false).put("anomalies", 2);
    String html = page(result.toString());
    assertTrue(html.contains("Errors: ecstore 7"));
    assertTrue(html.contains("something else took meanwhile: ecstore 1.2"));
    assertTrue(html.contains("MONEY LOST; 2 anomalies"));
  }

  @Test
  void aBankOfWhichTheMoneyIsNotKnownIsBad() throws Exception {
    ObjectNode result = result("ecstore", "smallbank", 100, 10);
    result.putObject("checked").putNull("moneyConserved").put("anomalies", 0);
    String html = page(result.toString());
    assertTrue(html.contains("WHETHER MONEY IS LOST IS NOT KNOWN; 0 anomalies"), html);
    assertTrue(html.contains("<li class=\"bad\">"), html);
  }

  @Test
  void sessionsOnMoreHostsAreATableAndLines() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int hosts : new int[] {1, 2, 4}) {
      for (String kind : List.of("read", "insert")) {
        lines.append(result("ecstore", kind, 1000, 100L * hosts).put("hosts", hosts)).append('\n');
      }
    }
    String html = page(lines.toString());
    Document document = parsed(html);
    assertEquals(2, count(document, "path", "curve"));
    assertEquals(6, count(document, "circle", "dot"));
    assertTrue(html.contains("1,000 records"));
    assertEquals(0, count(document, "rect", "bar"), "they are not workloads of their own");
  }

  @Test
  void filesThatAreNoJsonAreRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("x.json"), "{\"a\":1}\nread-only 1,000 per s");
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> new Results().add(file));
    assertTrue(String.valueOf(thrown.getMessage()).contains("is no JSON"), thrown::toString);
    assertTrue(new Results().isEmpty());
    Path binary = Files.write(temp.resolve("b.json"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});
    thrown = assertThrows(IllegalArgumentException.class, () -> new Results().add(binary));
    assertTrue(String.valueOf(thrown.getMessage()).contains("b.json is no JSON"), thrown::toString);
  }

  @Test
  void axesHoldAllTheirValuesBetweenNiceEnds() {
    for (double[] values : new double[][] {{3, 7}, {0.3, 1}, {150, 90_000}, {5, 5}, {0, 0}}) {
      Scale scale = Scale.over(values[0], values[1]);
      assertTrue(scale.from() <= Math.max(0.1, values[0]) && scale.to() >= values[1]);
      assertTrue(scale.from() < scale.to() && scale.ticks().size() >= 2, scale::toString);
      assertEquals(0, scale.at(scale.from()), 1e-9);
      assertEquals(1, scale.at(scale.to()), 1e-9);
    }
    assertEquals("1.5 ms", Scale.time(1500));
    assertEquals("150 µs", Scale.time(150));
    assertEquals("2 s", Scale.time(2_000_000));
  }
}
