package org.ecstore.tools.objective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectiveFileTest {
  @TempDir private Path directory;

  private List<Objective> read(String text) throws IOException {
    return ObjectiveFile.read(Files.writeString(directory.resolve("slo.toml"), text));
  }

  private String refused(String text) {
    return String.valueOf(assertThrows(BadInputException.class, () -> read(text)).getMessage());
  }

  @Test
  void allThatAnObjectiveHasCanBeWritten() throws IOException {
    Objective shop =
        read("""
        [shop]
        tables = ["users", "orders"]
        p99 = "20ms"
        mean = "1.5ms"
        rate = 4000
        reads = "95%"
        locality = "zipf"
        data-size = "15GB"
        record-size = "1KB"

        [reports]
        class = "best-effort"
        weight = 2
        """)
            .getFirst();
    assertEquals(
        new Objective(
            "shop",
            List.of("orders", "users"),
            ServiceClass.GUARANTEED,
            1,
            List.of(
                new ResponseTarget(Statistic.MEAN, Duration.ofNanos(1_500_000)),
                new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
            new ObjectiveWorkload(
                OptionalLong.of(15_000_000_000L),
                OptionalInt.of(1_000),
                OptionalInt.of(95),
                Optional.of(Locality.ZIPF),
                Optional.of(new OperationRate(4_000)))),
        shop);
  }

  @Test
  void aGuaranteeHasNoWeight() {
    String why = refused("[shop]\np99 = \"20ms\"\nrate = 5\nweight = 3\n");
    assertTrue(why.contains("weight is of class best-effort"), why);
  }

  @Test
  void aFileWithoutATableIsOfTheApplicationThatItIsCalledAs() throws IOException {
    Path flat = directory.resolve("shop.toml");
    Files.writeString(
        flat,
        """
        tables = ["users"]
        p99 = "20ms"
        rate = 4000.0
        reads = 0.95
        data_size = "15GB"
        record_size = "1KB"
        """);
    Files.writeString(
        directory.resolve("slo.toml"),
        """
        [shop]
        tables = ["users"]
        p99 = "20ms"
        rate = 4000
        reads = "95%"
        data-size = "15GB"
        record-size = "1KB"
        """);
    assertEquals(ObjectiveFile.read(directory.resolve("slo.toml")), ObjectiveFile.read(flat));
    Files.writeString(flat, "p99 = \"20ms\"\nrate = 5\np98 = \"1ms\"\n");
    String unknown =
        String.valueOf(
            assertThrows(BadInputException.class, () -> ObjectiveFile.read(flat)).getMessage());
    assertTrue(unknown.contains("the objective of shop: there is no p98; there are"), unknown);
    String mixed = refused("rate = 5\n[shop]\np99 = \"20ms\"\n");
    assertTrue(mixed.contains("rate is of no application: put it below a line [NAME]"), mixed);
  }

  private int reads(String written) throws IOException {
    return read("[a]\nclass = \"best-effort\"\nreads = " + written + "\n")
        .getFirst()
        .workload()
        .readPercent()
        .orElseThrow();
  }

  @Test
  void readsAreOfAHundredOrAShare() throws IOException {
    for (String ninetyFive : List.of("\"95%\"", "95", "95.0", "\"95 %\"", "0.95", "\"0.95\"")) {
      assertEquals(95, reads(ninetyFive), ninetyFive);
    }
    assertEquals(29, reads("0.29"));
    assertEquals(100, reads("1.0"));
    assertEquals(1, reads("1"));
    assertEquals(0, reads("0.0"));
    for (String none : List.of("0.955", "95.5", "101", "\"0.95%\"", "-0.5", "nan", "\"much\"")) {
      assertTrue(refused("[a]\nclass = \"best-effort\"\nreads = " + none).contains("reads"), none);
    }
  }

  @Test
  void numbersWithAPointAreWholeOnes() throws IOException {
    assertEquals(
        Optional.of(new OperationRate(4_000)),
        read("[a]\np99 = \"1ms\"\nrate = 4000.0\n").getFirst().workload().load());
    assertTrue(refused("[a]\nrate = 4000.5\n").contains("rate must be a whole number"));
    String twice = refused("[a]\ndata-size = 5\ndata_size = 6\n");
    assertTrue(twice.contains("data-size is there twice"), twice);
  }

  @Test
  void aQuotaAloneIsOfBestEffortAndBesideAResponseTimeOfAGuarantee() throws IOException {
    List<Objective> read =
        read(
            """
        [archive]
        tables = ["files"]
        quota = "2GiB"

        [shop]
        tables = ["users"]
        p99 = "20ms"
        rate = 5
        quota = 1000
        """);
    assertEquals(
        new Objective(
                "archive",
                List.of("files"),
                ServiceClass.BEST_EFFORT,
                1,
                List.of(),
                ObjectiveWorkload.UNSTATED)
            .quota(2L << 30),
        read.getFirst());
    assertEquals(ServiceClass.GUARANTEED, read.getLast().serviceClass());
    assertEquals(OptionalLong.of(1_000), read.getLast().quotaBytes());
    assertTrue(refused("[a]\nquota = \"2GiB\"").contains("a quota is of tables"));
    assertTrue(refused("[a]\ntables = \"t\"\nquota = \"much\"").contains("quota must be a size"));
  }

  @Test
  void everyFaultOfEveryObjectiveIsSaidAtOnce() {
    String why =
        refused(
            """
            [shop]
            p99 = "fast"
            rate = 0
            clients = 5
            [mail]
            reads = "101%"
            speed = 3
            [reports]
            class = "gold"
            """);
    for (String part :
        List.of(
            "p99 must be a time",
            "rate must be a whole number from 1",
            "give rate or clients, not both",
            "the objective of mail: there is no speed",
            "class must be guaranteed or best-effort, not \"gold\"")) {
      assertTrue(why.contains(part), part + " in " + why);
    }
  }

  @Test
  void whatIsNoFileOfObjectivesIsRefused() {
    assertTrue(refused("").contains("there is no objective in it"));
    assertTrue(refused("a = 3").contains("begin one by a line [a]"));
    assertTrue(refused("[shop").contains("slo.toml"));
    assertTrue(
        String.valueOf(
                assertThrows(
                        BadInputException.class,
                        () -> ObjectiveFile.read(directory.resolve("none.toml")))
                    .getMessage())
            .contains("there is no file"));
  }

  @Test
  void aFileThatIsNestedTooDeeplyIsNone() {
    String nested = refused("a = " + "[".repeat(20_000) + "]".repeat(20_000));
    assertTrue(
        nested.endsWith("slo.toml is nested too deeply: it is no file of objectives"), nested);
  }

  @Test
  void theMarkThatEditorsWriteBeforeATextIsPassedBy() throws IOException {
    assertEquals("a", read("\uFEFF[a]\nclass = \"best-effort\"\n").getFirst().application());
  }

  @Test
  void aNameWithAPointNeedsQuotes() throws IOException {
    String why = refused("[shop.v2]\nclass = \"best-effort\"\n");
    assertTrue(
        why.endsWith(
            "[shop.v2] is a table within shop: a name with a point needs quotes, [\"shop.v2\"]"),
        why);
    List<Objective> quoted = read("[\"shop.v2\"]\nclass = \"best-effort\"\n");
    assertEquals("shop.v2", quoted.getFirst().application());
  }

  @Test
  void whatCannotBeReadHidesNothingElse() {
    assertEquals(
        directory.resolve("slo.toml")
            + ": the objective of x: reads must be from 0% to 100%, as 95% or 0.95, not \"101%\"; the"
            + " name of a table is of 1 to 128 bytes, without control characters and such as turn the"
            + " direction of text; a guarantee needs a response time: say a mean, p95 or p99, or"
            + " best-effort; a guarantee is for a load: say a rate or a number of clients, or"
            + " best-effort",
        refused("[x]\nreads = \"101%\"\ntables = [\"\", \"a\"]\n"));
    String unread = refused("[x]\np99 = \"soon\"\nrate = 0\n");
    assertFalse(unread.contains("a guarantee"), unread);
    assertFalse(refused("[x]\nclass = \"gold\"\n").contains("a guarantee"));
  }
}
