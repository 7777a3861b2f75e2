package org.ecstore.txn.limit;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.objective.Objective;

/**
 * Where the data of an application are: the records of its tables, and the entries of their
 * indexes, which clients keep in the store's own table (decision 0064).
 */
public final class ApplicationKeys {
  private static final String INDEX = "index";

  private ApplicationKeys() {}

  /** The keys of some tables, in intervals that ascend and do not overlap. */
  public static List<KeyRange> of(List<String> tables) {
    List<KeyRange> keys = new ArrayList<>();
    for (String table : tables) {
      keys.add(Tuple.of(table).prefixRange());
      keys.add(Tuple.of(Objective.OWN_TABLE, INDEX, table).prefixRange());
    }
    return KeyRange.merged(keys);
  }
}
