package org.ecstore.client;

import java.util.List;
import org.ecstore.id.Position;

/**
 * A commit that changed records of a table.
 *
 * @param number of the commit, as {@link Committed#number} gives it
 * @param changes to the table's records, in the order of their keys; one for each
 * @param token to go on behind it: for {@link Changes#from}
 * @param <V> the type of the values
 */
public record ChangedCommit<V>(Position number, List<Change<V>> changes, String token) {
  /** A commit. */
  public ChangedCommit {
    changes = List.copyOf(changes);
  }
}
