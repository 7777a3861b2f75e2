package org.ecstore.client.error;

import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.model.AbortReason;

/**
 * Another transaction got there first (rule 3). Nothing was done; {@code EcStore.transact} tries
 * again by itself, so that this comes out of it only at the deadline.
 */
public final class ConflictException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  private final transient AbortReason.Conflict conflict;

  public ConflictException(AbortReason.Conflict conflict) {
    super(ErrorCode.CONFLICT, "another transaction got there first", null, details(conflict));
    this.conflict = conflict;
  }

  /** The range that voted no. */
  public RangeId range() {
    return conflict.range();
  }

  /** The key, as a range of one, or the interval that both want. Starts with the table's prefix. */
  public KeyRange keys() {
    return conflict.keys();
  }

  /** The table, if the keys begin with the name of one. */
  public Optional<String> table() {
    return tuple(conflict.keys().start())
        .filter(tuple -> tuple.size() > 0 && tuple.element(0) instanceof String)
        .map(tuple -> tuple.string(0));
  }

  private static Optional<Tuple> tuple(Bytes key) {
    try {
      return Optional.of(Tuple.decode(key));
    } catch (MalformedTupleException e) {
      // A bound of an interval need not be a key.
      return Optional.empty();
    }
  }

  /** The transaction lost to, if it was still on its way. */
  public Optional<TxnId> other() {
    return conflict.other();
  }

  /** The commit number of the version that is newer than the snapshot, if there is one. */
  public Optional<Position> version() {
    return conflict.version();
  }

  private static Object[] details(AbortReason.Conflict conflict) {
    boolean one = conflict.keys().equals(KeyRange.single(conflict.keys().start()));
    return new Object[] {
      "range",
      conflict.range(),
      one ? "key" : "keys",
      one ? KeyText.brief(conflict.keys().start()) : KeyText.interval(conflict.keys()),
      conflict.other().isPresent() ? "other" : "version",
      conflict.other().isPresent()
          ? conflict.other().get()
          : conflict.version().map(Position::toString).orElse("unknown")
    };
  }
}
