package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TablesTest {
  @Test
  void aKeyOrValueThatIsNullIsNamed() {
    Table<String> words = StoreFixture.WORDS;
    try (StoreFixture fixture = new StoreFixture(1)) {
      for (String what : List.of("key", "value")) {
        @Nullable Tuple key = what.equals("key") ? null : Tuple.of(1);
        @Nullable String value = what.equals("value") ? null : "a value";
        NullPointerException thrown =
            assertThrows(
                NullPointerException.class,
                () -> fixture.store.execute(tx -> tx.put(words, given(key), given(value))));
        assertEquals(what, thrown.getMessage());
      }
    }
  }

  /** As Java that does not know of nullness gives it. */
  @SuppressWarnings("NullAway")
  private static <T> T given(@Nullable T mayBeNull) {
    return mayBeNull;
  }

  @Test
  void everyTableThatHasARecordIsNamedOnceInOrder() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      assertEquals(List.of(), store.tables());
      store.execute(
          tx -> {
            for (String name : List.of("words", "a", "ab", "a b", "\u0000", "\u00e9t\u00e9")) {
              Table<Nothing> table = Table.of(name, Codec.nothing());
              tx.put(table, Tuple.EMPTY);
              tx.put(table, Tuple.of(1));
              tx.put(table, Tuple.of("b"));
            }
            tx.put(Table.of("gone", Codec.nothing()), Tuple.of(1));
          });
      store.execute(tx -> tx.delete(Table.of("gone", Codec.nothing()), Tuple.of(1)));
      fixture.cluster.store().split(StoreFixture.stored(1));
      assertEquals(List.of("\u0000", "a", "a b", "ab", "words", "\u00e9t\u00e9"), store.tables());
    }
  }
}
