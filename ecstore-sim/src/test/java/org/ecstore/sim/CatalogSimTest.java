package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
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

/**
 * What commits say of the catalog (rule 27), one case each, on a cluster where all else is well.
 */
final class CatalogSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 5 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
  private final CalmClient client = new CalmClient(world, cluster);
  private long transactions;

  @BeforeEach
  void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
  }

  private NodeId node() {
    return cluster.hosts().stream().filter(SimHost::isUp).findFirst().orElseThrow().id();
  }

  private ClientRequest.Commit commit() {
    ClientReply begun =
        client.ask(node(), new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO));
    return new ClientRequest.Commit(
        new TxnId(1, ++transactions),
        assertInstanceOf(ClientReply.Begun.class, begun).point(),
        Isolation.SERIALIZABLE,
        List.of(),
        List.of(),
        List.of(new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("v")))),
        3_000);
  }

  private ClientReply commit(CatalogStamp stamp) {
    return client.ask(node(), commit().by(stamp));
  }

  private void assertCommits(CatalogStamp stamp) {
    assertInstanceOf(ClientReply.Committed.class, commit(stamp));
  }

  private void assertToldOf(long newest, ClientReply reply) {
    AbortReason reason = assertInstanceOf(ClientReply.Aborted.class, reply).reason();
    assertEquals(new AbortReason.CatalogChanged(newest), reason);
  }

  @Test
  void onlyTheNewestVersionCommits() {
    assertCommits(CatalogStamp.at(0));
    assertToldOf(0, commit(CatalogStamp.at(1)));
    assertCommits(new CatalogStamp(0, true));
    assertToldOf(1, commit(CatalogStamp.at(0)));
    assertToldOf(1, commit(new CatalogStamp(0, true)));
    assertToldOf(1, commit(CatalogStamp.at(2)));
    assertCommits(CatalogStamp.at(1));
    assertCommits(new CatalogStamp(1, true));
    assertCommits(CatalogStamp.at(2));
    assertEquals(List.of(), world.violations());
  }

  @Test
  void aClientThatNamesNoneIsRefusedOnceThereIsACatalog() {
    assertInstanceOf(ClientReply.Committed.class, client.ask(node(), commit()));
    assertCommits(new CatalogStamp(0, true));
    ClientReply.Refused refused =
        assertInstanceOf(ClientReply.Refused.class, client.ask(node(), commit()));
    assertEquals(RefusalCode.BAD_REQUEST, refused.code());
    assertTrue(refused.detail().contains("0.19"), refused::detail);
  }

  @Test
  void aChangeThatWritesNothingIsRefused() {
    ClientRequest.Commit commit = commit();
    ClientRequest.Commit nothing =
        new ClientRequest.Commit(
            commit.txn(), commit.point(), commit.isolation(), List.of(), List.of(), List.of(), 100);
    ClientReply reply = client.ask(node(), nothing.by(new CatalogStamp(0, true)));
    assertEquals(
        RefusalCode.BAD_REQUEST, assertInstanceOf(ClientReply.Refused.class, reply).code());
  }

  @Test
  void whatWasRefusedIsRefusedWithItsReasonWhenItComesAgain() {
    assertCommits(new CatalogStamp(0, true));
    ClientRequest.Commit commit = commit().by(CatalogStamp.at(0));
    assertToldOf(1, client.ask(node(), commit));
    NodeId another = cluster.hosts().getLast().id();
    assertToldOf(1, client.ask(another, commit));
    ClientReply outcome =
        client.ask(another, new ClientRequest.AskOutcome(commit.txn(), commit.point()));
    assertInstanceOf(ClientReply.Aborted.class, outcome);
  }

  @Test
  void theVersionOutlivesTheSequencer() {
    assertCommits(new CatalogStamp(0, true));
    for (long version = 1; version < 4; version++) {
      SimHost leader = CalmCluster.leader(cluster);
      leader.crash();
      CalmCluster.run(world, 10 * SECOND);
      assertToldOf(version, commit(CatalogStamp.at(version - 1)));
      assertCommits(new CatalogStamp(version, true));
      leader.start();
      CalmCluster.run(world, 5 * SECOND);
    }
    assertEquals(List.of(), world.violations());
  }

  /** Each change ends what others have on their way. */
  @Test
  void changesWithoutEndAreSlowedDown() {
    long version = 0;
    while (version < 100) {
      assertCommits(new CatalogStamp(version, true));
      version++;
    }
    long begun = world.nowNanos();
    while (version < 130) {
      if (commit(new CatalogStamp(version, true)) instanceof ClientReply.Committed) {
        version++;
      }
    }
    long took = world.nowNanos() - begun;
    assertTrue(took > SECOND, () -> "30 changes after " + took / MILLI + " ms");
    assertCommits(CatalogStamp.at(130));
  }
}
