package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Quorum;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that any client may send, in their largest forms and numbers. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class GreedyRequestsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final ReadPoint FAR = new ReadPoint(new Position(1L << 40), MapVersion.ZERO);

  private long questions;
  private final World world = new World(1, new Trace(this::happened));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
  private final CalmClient client = new CalmClient(world, cluster);
  private final List<ClientReply> answers = new ArrayList<>();

  private void happened(String event) {
    if (event.contains("body=BalanceRequest[") || event.contains("body=DecisionsRequest[")) {
      questions++;
    }
  }

  @BeforeEach
  void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
  }

  private NodeId follower() {
    NodeId leader = CalmCluster.leader(cluster).id();
    return cluster.hosts().stream()
        .map(SimHost::id)
        .filter(id -> !id.equals(leader))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void clientsThatAskTheStewardTheSameShareItsAnswer() {
    int clients = 400;
    for (int i = 0; i < clients; i++) {
      client.start(
          follower(),
          i % 2 == 0
              ? new ClientRequest.ExplainBalance()
              : new ClientRequest.AskDecisions(Optional.empty()),
          answers);
    }
    CalmCluster.run(world, SECOND);
    assertEquals(clients, answers.size());
    assertEquals(
        clients / 2, answers.stream().filter(ClientReply.Balance.class::isInstance).count());
    assertEquals(
        clients / 2, answers.stream().filter(ClientReply.Decided.class::isInstance).count());
    assertTrue(questions > 0 && questions <= 10, questions + " questions");
  }

  @Test
  void moreThanSomeThatAskTheStewardAreToldToComeBack() {
    int clients = 3_000;
    for (int i = 0; i < clients; i++) {
      client.start(
          follower(), new ClientRequest.AskDecisions(Optional.of(new RangeId(i + 1))), answers);
    }
    CalmCluster.run(world, 9 * SECOND);
    assertTrue(questions < 2_000, questions + " questions");
    List<ClientReply.Refused> refused =
        answers.stream()
            .filter(ClientReply.Refused.class::isInstance)
            .map(ClientReply.Refused.class::cast)
            .toList();
    assertTrue(refused.size() >= clients - 1_100, refused.size() + " refused");
    assertTrue(refused.stream().allMatch(one -> one.code() == RefusalCode.OVERLOADED));
  }

  @Test
  void aReadOfManyKeysUnderAnotherEpochIsToldOfEachRangeOnce() {
    List<Bytes> keys =
        IntStream.range(0, 2_000).mapToObj(i -> Bytes.utf8("k" + (i * 7) % 1_000)).toList();
    ClientReply reply =
        client.ask(
            follower(),
            new ClientRequest.Get(ReadPoint.ZERO, new RangeId(999), new Epoch(0), keys, false));
    List<Route> routes = assertInstanceOf(ClientReply.WrongRange.class, reply).routes();
    assertEquals(routes.size(), routes.stream().map(Route::range).distinct().count());
    KeyRange asked = KeyRange.spanning(keys);
    assertTrue(
        keys.stream().allMatch(key -> routes.stream().anyMatch(one -> one.keys().contains(key))),
        asked::toString);
  }

  /** What waits takes room of requests, and a position may be made up. */
  @Test
  void whatIsAtAPositionThatNoRecordHasWaitsNoLongerThanARead() {
    KeyWrite write = new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("v")));
    client.start(
        follower(),
        new ClientRequest.Commit(
            new TxnId(1, 1),
            FAR,
            Isolation.SERIALIZABLE,
            List.of(),
            List.of(),
            List.of(write),
            60_000),
        answers);
    client.start(
        follower(),
        new ClientRequest.QuorumWait(
            FAR.position(), List.of(write.key()), new Quorum(3, 2, 2), 60_000),
        answers);
    client.start(
        follower(),
        new ClientRequest.QuorumGet(write.key(), new Quorum(3, 2, 2), FAR, 60_000),
        answers);
    CalmCluster.run(world, 6 * SECOND);
    assertEquals(3, answers.size(), answers::toString);
    assertTrue(answers.contains(new ClientReply.QuorumReached(0)), answers::toString);
    assertEquals(2, answers.stream().filter(ClientReply.Refused.class::isInstance).count());
  }
}
