package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A steward whose node is shut out of the ledger between two of its calls to coordination changes
 * nothing there: what it would compare the state with is not what the ledger says any more.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class DeposedStewardTest {
  private static final long SECOND = SwarmSettings.SECOND;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          PausesSimTest.onlyPauses(),
          new NodeMutation("a steward alone", this::machine, NodeMutation.ClientBehaviour.RIGHT),
          id -> NodeSettings.defaults("sim", "n" + id + ":1"));
  private @Nullable StewardAlone machine;

  private StateMachine machine(NodeId self, NodeSettings settings, Ports ports) {
    StewardAlone made = new StewardAlone(self, settings, ports);
    machine = made;
    return made;
  }

  /** Of a node, the steward only, beside a sequencer that is active as long as a test says so. */
  private static final class StewardAlone implements StateMachine {
    private final NodeContext context;
    private final Steward steward;
    private boolean active = true;
    private boolean reading;

    StewardAlone(NodeId self, NodeSettings settings, Ports ports) {
      context = new NodeContext(self, ports);
      LedgerView ledgerView = new NodeParts().ledgerView(context, settings);
      List<Member> itself = List.of(new Member(self, 1, new MemberInfo("n1:1")));
      Sequencer sequencer =
          new Sequencer(context, ledgerView, settings.sequencer(), () -> itself, () -> {}) {
            @Override
            public boolean active() {
              return active;
            }
          };
      steward =
          new Steward(context, sequencer, () -> itself, settings.steward(), settings.balance());
    }

    @Override
    public void start() {
      context.coordination(
          token -> context.ports().coordination().join(token, context.self(), new MemberInfo("")),
          _ -> {
            steward.start();
            reading = true;
          });
    }

    @Override
    public void on(Event event) {
      context.complete(event);
    }

    @Override
    public void flush() {
      context.flush();
    }
  }

  private StewardAlone start() {
    cluster.hosts().getFirst().start();
    return Objects.requireNonNull(machine);
  }

  private void run(long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.scheduler().step(until)) {
      // On with the next task.
    }
  }

  private Optional<Bytes> state() {
    return cluster.coordination().value(Steward.KEY);
  }

  @Test
  void whoIsSequencerBeginsTheCluster() {
    start();
    run(SECOND);
    assertTrue(state().isPresent());
  }

  @Test
  void whoIsNotAnyMoreDoesNot() {
    StewardAlone alone = start();
    while (!alone.reading) {
      assertTrue(world.scheduler().step(world.nowNanos() + SECOND));
    }
    alone.active = false;
    run(5 * SECOND);
    assertEquals(Optional.empty(), state());
    assertEquals(List.of(), world.violations());
  }
}
