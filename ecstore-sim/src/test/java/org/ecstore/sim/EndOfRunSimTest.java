package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.Ports;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Violation;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.junit.jupiter.api.Test;

/**
 * Nodes that do wrong when all faults are healed, and nothing before: the end of a run shows it.
 */
final class EndOfRunSimTest {
  private static final long CALENDAR_BEGINS = 1_700_000_000_000L;

  /** What a node answers its clients is changed on the way. */
  private record Answering(Network real, Function<ClientReply, ClientReply> answers)
      implements Network {
    @Override
    public void send(NodeId to, ReadPoint point, NodeMessage message) {
      real.send(to, point, message);
    }

    @Override
    public void reply(ClientCall call, ClientReply reply) {
      real.reply(call, answers.apply(reply));
    }
  }

  private static List<Violation> violations(
      long seed, Function<Clock, Function<ClientReply, ClientReply>> answers) {
    NodeMutation mutation =
        new NodeMutation(
            "other answers in the end",
            (self, settings, ports) ->
                new Node(
                    self,
                    settings,
                    new NodeParts(),
                    new Ports(
                        ports.clock(),
                        ports.timers(),
                        ports.random(),
                        new Answering(ports.network(), answers.apply(ports.clock())),
                        ports.engine(),
                        ports.ledger(),
                        ports.coordination(),
                        ports.log(),
                        ports.metrics())),
            NodeMutation.ClientBehaviour.RIGHT);
    return Simulation.run(seed, mutation).violations();
  }

  /** That it can be read was taken for that: any client that reads had got on. */
  @Test
  void aClusterThatTakesNoCommitsAfterTheLastFaultIsFound() {
    long seed = 1;
    long healed = CALENDAR_BEGINS + SwarmSettings.of(seed).safetyNanos() / SwarmSettings.MILLI;
    List<Violation> violations =
        violations(
            seed,
            clock ->
                reply ->
                    reply instanceof ClientReply.Committed && clock.epochMillis() > healed
                        ? new ClientReply.Refused(RefusalCode.UNAVAILABLE, "")
                        : reply);
    assertEquals(Promises.CLIENTS_GET_ON, violations.getFirst().rule());
  }

  /** The checkers of histories ran before the last stages, and not again. */
  @Test
  void whatIsAcknowledgedInTheLastStagesIsCompared() {
    List<String> found = new ArrayList<>();
    for (long seed = 1; seed <= 4; seed++) {
      AtomicBoolean isLate = new AtomicBoolean();
      violations(
              seed,
              clock ->
                  reply -> {
                    // An operator asks when all has been compared but for the last stages.
                    if (reply instanceof ClientReply.Decided) {
                      isLate.set(true);
                    }
                    return reply instanceof ClientReply.Committed committed && isLate.get()
                        ? new ClientReply.Committed(
                            new Position(committed.number().value() - 1), committed.point())
                        : reply;
                  })
          .forEach(violation -> found.add(violation.rule()));
    }
    assertTrue(found.contains("a commit has one number"), found.toString());
  }

  /** Each of its answers was excused. */
  @Test
  void aClusterThatConfirmsNoQuorumReadIsFound() {
    List<String> found = new ArrayList<>();
    for (long seed = 1; seed <= 4; seed++) {
      violations(
              seed,
              clock ->
                  reply ->
                      reply instanceof ClientReply.QuorumValue value
                          ? new ClientReply.QuorumValue(
                              value.row(),
                              value.at(),
                              value.known(),
                              value.copies(),
                              value.writtenBack(),
                              true)
                          : reply)
          .forEach(violation -> found.add(violation.rule()));
    }
    assertTrue(found.contains(Promises.QUORUMS_GET_ON), found.toString());
  }
}
