package org.ecstore.tools.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.NodeTraits;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.TraitsLine;
import org.junit.jupiter.api.Test;

/** Which nodes are taken for nodes on hosts of their own, and are on one machine. */
class SharedAddressesTest {
  private static final NameLookup NONE =
      names -> fail("nothing has to be looked up, and not " + names);

  /** Nodes 1 and on, each as {@code label of host:port}. */
  private static StatusReport report(String... nodes) {
    List<NodeLine> lines = new ArrayList<>();
    List<TraitsLine> traits = new ArrayList<>();
    for (String node : nodes) {
      String[] parts = node.split(" of ", 2);
      NodeId id = new NodeId(lines.size() + 1L);
      lines.add(new NodeLine(id, parts[1], List.of()));
      traits.add(new TraitsLine(id, parts[0], NodeTraits.UNKNOWN));
    }
    return new StatusReport(
        new ReadPoint(new Position(1), new MapVersion(1)), lines, List.of(), List.of(), traits);
  }

  private static List<String> warnings(NameLookup lookup, String... nodes)
      throws InterruptedException {
    return new SharedAddresses(lookup).warnings(report(nodes));
  }

  @Test
  void aMachineWithTwoNamesIsSaidToBeOne() throws Exception {
    NameLookup lookup =
        _ ->
            Map.of(
                "alpha",
                Set.of("10.0.0.5", "fd00::5"),
                "alpha.example",
                Set.of("10.0.0.5", "fd00::5"),
                "beta",
                Set.of("10.0.0.6"));
    assertEquals(
        List.of(
            "nodes 1, 3 are at one address, 10.0.0.5, and count as on 2 hosts, alpha and"
                + " alpha.example: if that is one machine, all copies of a range may be on it; give"
                + " its nodes the same node.host"),
        warnings(
            lookup,
            "alpha of alpha:7420",
            "beta of beta:7420",
            "alpha.example of alpha.example:7421"));
  }

  @Test
  void oneThatWasGivenAHostBesideOneThatWasNotIsSaidToo() throws Exception {
    assertEquals(
        1, warnings(_ -> Map.of(), "rack of db1:7420", "db1 of db1:7421", "db2 of db2:1").size());
  }

  @Test
  void whereEachWasGivenAHostNothingIsSaidOrLookedUp() throws Exception {
    assertEquals(
        List.of(),
        warnings(NONE, "node-1 of 127.0.0.1:7420", "node-2 of 127.0.0.1:7421"),
        "as cluster up makes them");
  }

  @Test
  void whereAllCountAsOnOneHostNothingIsSaidOrLookedUp() throws Exception {
    assertEquals(List.of(), warnings(NONE, "db1 of db1:7420", "db1 of db1:7421"));
    assertEquals(List.of(), new SharedAddresses(NONE).warnings(report()));
  }

  @Test
  void namesWithoutAnAddressAreOfMachinesOfTheirOwn() throws Exception {
    assertEquals(List.of(), warnings(_ -> Map.of(), "db1 of db1:7420", "db2 of db2:7420"));
  }

  @Test
  void addressesAreComparedAndNotTheirTexts() throws Exception {
    NameLookup lookup = NameLookup.within(Duration.ofSeconds(20));
    String twice = "0:0:0:0:0:0:0:1";
    assertEquals(1, warnings(lookup, "::1 of ::1:7420", twice + " of " + twice + ":7421").size());
    assertEquals(Map.of("10.1.2.3", Set.of("10.1.2.3")), lookup.addresses(List.of("10.1.2.3")));
  }
}
