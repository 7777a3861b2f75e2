package org.ecstore.junit;

import static org.ecstore.junit.CartTables.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.ecstore.client.EcStore;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

/** As docs/guides/testing.md shows it. */
@EcStoreTest(nodes = 3, seed = 7)
class CartUnderFaultsTest {
  @Test
  void aCartSurvivesTheNodeThatLeads(EcStore store, TestCluster cluster) {
    store.execute(tx -> tx.put(WORDS, Tuple.of("alice"), "tea"));
    cluster.kill(cluster.sequencer());
    store.execute(tx -> tx.put(WORDS, Tuple.of("bob"), "coffee"));
    assertEquals(Optional.of("tea"), store.read(moment -> moment.get(WORDS, Tuple.of("alice"))));
  }
}
