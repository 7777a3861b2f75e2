package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.meta.exceptions.Code;
import org.apache.bookkeeper.meta.exceptions.MetadataException;
import org.apache.zookeeper.KeeperException;
import org.ecstore.cluster.bookkeeper.bookie.LedgerRefusedException;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.junit.jupiter.api.Test;

/** A node waits for a ZooKeeper that is away, also where BookKeeper was the one to ask it. */
class LedgerRefusalsTest {
  private static final ClusterPaths PATHS = ClusterPaths.of("127.0.0.1:2181", "cluster");

  private static LedgerRefusedException of(Exception failure) {
    return LedgerRefusals.of(PATHS, failure);
  }

  @Test
  void zooKeeperThatIsAwayMayPassSoonHoweverItIsWrapped() {
    KeeperException away = new KeeperException.ConnectionLossException();
    for (Exception failure :
        new Exception[] {
          away,
          new ExecutionException(away),
          new ExecutionException(new IllegalStateException(away)),
          new MetadataException(Code.METADATA_SERVICE_ERROR, "no client", away)
        }) {
      assertEquals(true, of(failure).isTemporary(), failure.toString());
      assertEquals(
          true,
          String.valueOf(of(failure).getMessage()).startsWith("ZooKeeper at 127.0.0.1:2181"),
          failure.toString());
    }
  }

  @Test
  void whatIsNotUnderstoodMayPassAtTheNextStartAndDamageDoesNot() {
    LedgerRefusedException other = of(new IllegalStateException("other"));
    assertEquals(false, other.isTemporary());
    assertEquals(false, other.isLasting());
    assertEquals(true, of(new SegmentList.BadList("short")).isLasting());
    LedgerRefusedException foreign = new LedgerRefusedException("of another cluster");
    assertSame(foreign, of(foreign));
  }
}
