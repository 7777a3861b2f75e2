package org.ecstore.txn.commit;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.ecstore.id.TxnId;
import org.jspecify.annotations.Nullable;

/**
 * The marks of one kind on one key, in the order they came. Nearly always there is one; of many, as
 * on a key that all write, each is found without looking at the others.
 */
final class KeyIntents {
  private @Nullable TransactionIntents only;
  private @Nullable LinkedHashMap<TxnId, TransactionIntents> several;

  void add(TransactionIntents marked) {
    if (several != null) {
      several.put(marked.txn, marked);
    } else if (only == null) {
      only = marked;
    } else {
      several = new LinkedHashMap<>();
      several.put(only.txn, only);
      several.put(marked.txn, marked);
      only = null;
    }
  }

  void remove(TransactionIntents marked) {
    if (several != null) {
      several.remove(marked.txn, marked);
    } else if (only == marked) {
      only = null;
    }
  }

  boolean contains(TransactionIntents marked) {
    return several == null ? only == marked : several.get(marked.txn) == marked;
  }

  Collection<TransactionIntents> all() {
    if (several != null) {
      return several.values();
    }
    return only == null ? List.of() : List.of(only);
  }

  boolean isEmpty() {
    return only == null && (several == null || several.isEmpty());
  }
}
