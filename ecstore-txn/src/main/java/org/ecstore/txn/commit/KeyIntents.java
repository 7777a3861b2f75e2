package org.ecstore.txn.commit;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.ecstore.id.TxnId;
import org.jspecify.annotations.Nullable;

/**
 * The intents of one kind on one key, in the order they came. Nearly always there is one; of many,
 * as on a key that all write, each is found without looking at the others.
 */
final class KeyIntents {
  private @Nullable TransactionIntents only;
  private @Nullable LinkedHashMap<TxnId, TransactionIntents> several;

  void add(TransactionIntents holder) {
    if (several != null) {
      several.put(holder.txn, holder);
    } else if (only == null) {
      only = holder;
    } else {
      several = new LinkedHashMap<>();
      several.put(only.txn, only);
      several.put(holder.txn, holder);
      only = null;
    }
  }

  void remove(TransactionIntents holder) {
    if (several != null) {
      several.remove(holder.txn, holder);
    } else if (only == holder) {
      only = null;
    }
  }

  boolean contains(TransactionIntents holder) {
    return several == null ? only == holder : several.get(holder.txn) == holder;
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
