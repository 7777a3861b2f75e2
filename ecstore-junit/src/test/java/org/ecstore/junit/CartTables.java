package org.ecstore.junit;

import org.ecstore.client.Codec;
import org.ecstore.client.Table;

/** What {@link CartTest} writes to. */
final class CartTables {
  static final Table<String> WORDS = Table.of("words", Codec.utf8());

  private CartTables() {}
}
