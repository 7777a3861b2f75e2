package org.ecstore.tools.cli.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.model.objective.Objective;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code slo set} says of tables: a mistyped name may be one that is to come. */
@Timeout(120)
class StatedTablesTest {
  private static final Table<String> USERS = Table.of("users", Codec.utf8());
  private static final Table<String> ORDERS = Table.of("orders", Codec.utf8());

  @TempDir private static Path directory;
  private static LocalCluster cluster;

  /** One table is in the catalog, the other has a record and no entry there. */
  @BeforeAll
  static void start() throws IOException {
    cluster = LocalCluster.start(directory.resolve("data"), ClusterSettings.DEFAULT);
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      store.catalog().open(USERS);
      store.execute(tx -> tx.put(ORDERS, Tuple.of(1L), "a record"));
    }
  }

  @AfterAll
  static void end() throws IOException {
    cluster.close();
  }

  private static final Objective MISTYPED = Objective.bestEffort("shop").tables("orders", "usres");
  private static final Objective RIGHT = Objective.bestEffort("mail").tables("orders", "users");
  private static final Objective OF_NONE = Objective.bestEffort("else");

  private static StatedTables.Asked asked(String nodes, Objective... objectives) {
    return StatedTables.of(
        new ClusterAccess(Optional.empty(), Optional.of(nodes), Optional.empty(), 10),
        List.of(objectives));
  }

  @Test
  void aTableThatIsNotThereIsSaidWithThoseThatAre() {
    List<Objective> all = List.of(MISTYPED, RIGHT, OF_NONE);
    StatedTables.Asked asked = asked(cluster.addresses(), MISTYPED, RIGHT, OF_NONE);
    assertEquals(
        List.of("shop: there is no table usres so far; there are: orders, users"),
        SetText.warnings(all, asked));
    JsonNode objectives = SetText.json(all, Map.of("shop", "by a table"), asked).path("objectives");
    assertEquals("shop", objectives.path(0).path("application").asText());
    assertEquals("by a table", objectives.path(0).path("why").asText());
    assertEquals("[\"usres\"]", objectives.path(0).path("tablesMissing").toString());
    assertEquals("[\"orders\"]", objectives.path(0).path("tablesThere").toString());
    assertEquals("[]", objectives.path(1).path("tablesMissing").toString());
    assertEquals("[\"orders\",\"users\"]", objectives.path(1).path("tablesThere").toString());
  }

  @Test
  void anObjectiveOfNoTablesAsksNothing() {
    assertEquals(List.of(), SetText.warnings(List.of(OF_NONE), asked("127.0.0.1:1", OF_NONE)));
  }

  @Test
  void whatIsNotKnownIsSaidToBeSo() {
    StatedTables.Asked asked = asked("127.0.0.1:1", RIGHT);
    String said = SetText.warnings(List.of(RIGHT), asked).getFirst();
    assertTrue(
        said.startsWith("whether their tables are there is not known: no node listens"), said);
    JsonNode json = SetText.json(List.of(RIGHT), Map.of(), asked);
    assertTrue(json.path("tablesUnknown").asText().startsWith("no node listens"), json::toString);
    assertTrue(json.path("objectives").path(0).path("tablesMissing").isMissingNode());
  }
}
