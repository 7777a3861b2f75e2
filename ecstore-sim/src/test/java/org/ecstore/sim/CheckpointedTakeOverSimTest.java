package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ports;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A node that takes over, and was no standby, reads the ledger from the newest checkpoint on. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class CheckpointedTakeOverSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Pattern TAKEN_OVER =
      Pattern.compile("the ledger is fenced at p?(\\d+); reads from p?(\\d+)");

  /** Checkpoints come often, and nothing is trimmed: that is done as far as convenient. */
  private static final NodeMutation CHECKPOINTS =
      new NodeMutation(
          "checkpoints often, trims never",
          (self, settings, ports) -> new Node(self, settings, new Often(), untrimmed(ports)),
          NodeMutation.ClientBehaviour.RIGHT);

  private static final class Often extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      Sequencer.Bounds bounds = settings.sequencer();
      Sequencer.Bounds often =
          new Sequencer.Bounds(
              bounds.appender(),
              20,
              bounds.outcomesMax(),
              50,
              bounds.retentionNanos(),
              bounds.floorStep());
      return new Sequencer(context, ledgerView, often, members, activated);
    }
  }

  private record Untrimmed(Ledger ledger) implements Ledger {
    @Override
    public void fence(long token) {
      ledger.fence(token);
    }

    @Override
    public void cancel(long token) {
      ledger.cancel(token);
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      ledger.append(token, entry);
    }

    @Override
    public void read(long token, Position from, int bytesMax) {
      ledger.read(token, from, bytesMax);
    }

    @Override
    public void trim(long token, Position below) {
      ledger.trim(token, new Position(1));
    }
  }

  private static Ports untrimmed(Ports ports) {
    return new Ports(
        ports.clock(),
        ports.timers(),
        ports.random(),
        ports.network(),
        ports.engine(),
        new Untrimmed(ports.ledger()),
        ports.coordination(),
        ports.log(),
        ports.metrics());
  }

  private final List<String> lines = new ArrayList<>();
  private World world = new World(0, new Trace(null));
  private SimCluster cluster = cluster();

  private SimCluster cluster() {
    return new SimCluster(
        world,
        CalmCluster.settings(5, 5 * MILLI),
        CHECKPOINTS,
        id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
  }

  private void start(long seed) {
    world = new World(seed, new Trace(lines::add));
    cluster = cluster();
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.keepAsking(world, CalmCluster.client(world, cluster), cluster.hosts());
    CalmCluster.run(world, 60 * SECOND);
  }

  private List<SimHost> being(Sequencer.State state) {
    return cluster.hosts().stream()
        .filter(host -> host.machine() instanceof Node node && node.inspect().sequencer() == state)
        .toList();
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void readsFromTheNewestCheckpoint(long seed) {
    start(seed);
    loseTheSequencerAndItsStandbys();
  }

  /** Its copies need the ledger, so that nothing of it may be trimmed. */
  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void thereIsANewCheckpointWhileANodeIsDown(long seed) {
    start(seed);
    List<SimHost> others = new ArrayList<>(cluster.hosts());
    others.removeAll(being(Sequencer.State.ACTIVE));
    others.removeAll(being(Sequencer.State.STANDBY));
    others.getFirst().crash();
    CalmCluster.run(world, 60 * SECOND);
    loseTheSequencerAndItsStandbys();
  }

  private void loseTheSequencerAndItsStandbys() {
    List<SimHost> gone = new ArrayList<>(being(Sequencer.State.ACTIVE));
    gone.addAll(being(Sequencer.State.STANDBY));
    assertEquals(3, gone.size(), "the sequencer and two standbys");
    lines.clear();
    gone.forEach(SimHost::crash);
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(1, being(Sequencer.State.ACTIVE).size(), "a node that was no standby");
    Matcher takeOver =
        lines.stream().map(TAKEN_OVER::matcher).filter(Matcher::find).findFirst().orElseThrow();
    long end = Long.parseLong(takeOver.group(1));
    long from = Long.parseLong(takeOver.group(2));
    assertTrue(end > 500, () -> "the ledger is long: " + end);
    assertTrue(end - from < 200, () -> "it reads from " + from + " to " + end);
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void anotherStandsByAtOnceWhenOneIsLost(long seed) {
    start(seed);
    SimHost lost = being(Sequencer.State.STANDBY).getFirst();
    lost.crash();
    CalmCluster.run(world, 3 * SECOND);
    assertEquals(2, being(Sequencer.State.STANDBY).size());
    CalmCluster.run(world, 5 * SECOND);
    // It has what the one before had: nothing is left to read when it takes over.
    List<SimHost> standbys = being(Sequencer.State.STANDBY);
    lines.clear();
    being(Sequencer.State.ACTIVE).forEach(SimHost::crash);
    CalmCluster.run(world, 20 * SECOND);
    assertTrue(standbys.stream().noneMatch(lost::equals));
    assertEquals(1, being(Sequencer.State.ACTIVE).size());
    assertEquals(List.of(), world.violations());
  }
}
