package org.ecstore.client.retry;

import java.util.Optional;
import org.ecstore.client.error.ConflictException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.model.AbortReason;

/** What applications are told of a lost conflict. */
final class Conflicts {
  private Conflicts() {}

  static ConflictException exception(AbortReason.Conflict conflict) {
    return new ConflictException(
        conflict.range(), keys(conflict.keys()), conflict.other(), conflict.version());
  }

  private static ConflictException.Keys keys(KeyRange keys) {
    return new ConflictException.Keys(
        table(keys.start()),
        keys.start().array(),
        keys.end().map(Bytes::array),
        KeyText.interval(keys));
  }

  private static Optional<String> table(Bytes key) {
    try {
      Tuple tuple = Tuple.decode(key);
      return tuple.size() > 0 && tuple.element(0) instanceof String name
          ? Optional.of(name)
          : Optional.empty();
    } catch (MalformedTupleException e) {
      // A bound of an interval need not be a key.
      return Optional.empty();
    }
  }
}
