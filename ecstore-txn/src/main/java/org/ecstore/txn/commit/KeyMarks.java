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
final class KeyMarks {
  private @Nullable Marked only;
  private @Nullable LinkedHashMap<TxnId, Marked> several;

  void add(Marked marked) {
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

  void remove(Marked marked) {
    if (several != null) {
      several.remove(marked.txn, marked);
    } else if (only == marked) {
      only = null;
    }
  }

  boolean contains(Marked marked) {
    return several == null ? only == marked : several.get(marked.txn) == marked;
  }

  Collection<Marked> all() {
    if (several != null) {
      return several.values();
    }
    return only == null ? List.of() : List.of(only);
  }

  boolean isEmpty() {
    return only == null && (several == null || several.isEmpty());
  }
}
