package org.ecstore.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.bench.store.EcStoreTarget.Shape;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;

/** What a result says of a cluster. */
class EcStoreTargetTest {
  private static Shape of(int nodes) {
    return new Shape(nodes, 1, NodeResources.SMALL, List.of());
  }

  private static Shape on(int hosts, String... kinds) {
    return of(1).on(new EngineMix(hosts, List.of(kinds)));
  }

  @Test
  void whereACommitIsSyncedIsSaidAsItIs() {
    assertEquals("every commit synced (group commit)", of(1).durability());
    assertEquals("every commit synced (group commit)", on(1, "redis").durability());
    assertEquals(
        "every commit synced on the only bookie (group commit)", on(1, "je", "redis").durability());
    assertEquals(
        "every commit synced on both bookies (group commit)", on(2, "je", "redis").durability());
    assertEquals("every commit synced on two of three bookies (group commit)", of(5).durability());
  }

  @Test
  void enginesAreThoseOfItsHosts() {
    assertEquals("Berkeley DB JE", of(3).engine());
    assertEquals("1 host with redis", on(1, "redis").engine());
    assertEquals("3 hosts, each with je, redis", on(3, "je", "redis").engine());
    assertEquals("ecstore-je+redis", on(3, "je", "redis").name());
  }

  /** As nodes of another build, which is compared with: those have no classes kept ready. */
  @Test
  void nodesOfThisBuildLoadTheirClassesThemselves() {
    assertTrue(EcStoreTarget.made(of(3)).classPath().isPresent());
    assertTrue(EcStoreTarget.made(on(3, "je", "redis")).classPath().isPresent());
  }
}
