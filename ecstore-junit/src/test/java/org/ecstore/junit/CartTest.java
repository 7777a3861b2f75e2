package org.ecstore.junit;

import static org.ecstore.junit.CartTables.WORDS;

import org.ecstore.client.EcStore;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

/** As docs/guides/testing.md shows it. */
@EcStoreTest
class CartTest {
  @Test
  void aCart(EcStore store) {
    store.execute(tx -> tx.put(WORDS, Tuple.of("alice"), "tea"));
  }
}
