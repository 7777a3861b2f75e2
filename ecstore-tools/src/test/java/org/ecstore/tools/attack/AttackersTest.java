package org.ecstore.tools.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.server.net.Addresses;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A little of each kind at two nodes, with honest clients beside. */
@Timeout(300)
class AttackersTest {
  private static final int FRAMES = 1_500;
  private static final int THREADS = 4;
  private static final long SEED = 88_235;

  @TempDir private Path directory;

  private final AttackFindings findings = new AttackFindings();
  private LocalCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = LocalCluster.start(directory, ClusterSettings.DEFAULT.withNodes(2));
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  private List<AttackedNode> nodes() throws IOException {
    List<AttackedNode> nodes = new ArrayList<>();
    for (String each : cluster.addresses().split(",", -1)) {
      InetSocketAddress address = Objects.requireNonNull(Addresses.parse(each), each);
      nodes.add(AttackedNode.at(address, List.of()));
    }
    return nodes;
  }

  /** What a glutton does needs nodes of processes of their own. */
  @ParameterizedTest
  @EnumSource(value = AttackKind.class, mode = EnumSource.Mode.EXCLUDE, names = "GREEDY")
  void harmNeitherTheNodesNorOthers(AttackKind kind) throws Exception {
    List<AttackedNode> nodes = nodes();
    SplittableRandom random = new SplittableRandom(SEED);
    Attackers attackers = new Attackers(nodes, cluster.secret().orElseThrow(), findings::add);
    try (HonestClients honest = new HonestClients(cluster.addresses(), SEED, findings::add);
        Attackers.Armed armed = attackers.of(kind)) {
      Strikes strikes = new Strikes(nodes, armed.attacker(), findings::add);
      strikes.run(THREADS, random, () -> strikes.frames() < FRAMES || honest.done() == 0);
      honest.end();
      assertTrue(strikes.cut() < strikes.bursts() / 2, "most get through to their end");
    }
    assertEquals(List.of(), findings.all(), "seed " + SEED);
    assertEquals(Map.of(), cluster.failures(), "seed " + SEED);
  }
}
