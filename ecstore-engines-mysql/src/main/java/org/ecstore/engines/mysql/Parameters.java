package org.ecstore.engines.mysql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** Values for the places of a statement, in order. */
final class Parameters {
  private final List<byte[]> values = new ArrayList<>();

  /** The bounds of a statement over indexed keys. */
  Parameters interval(KeyRange interval) {
    values.add(interval.start().array());
    interval.end().map(Bytes::array).ifPresent(values::add);
    return this;
  }

  /** The bounds of a statement over long keys. */
  Parameters longInterval(KeyRange interval) {
    bound(Optional.of(interval.start()));
    bound(interval.end());
    return this;
  }

  private void bound(Optional<Bytes> key) {
    if (key.isPresent()) {
      byte[] head = StoredKey.head(key.get()).array();
      values.add(head);
      values.add(head);
      values.add(StoredKey.tail(key.get()).array());
    }
  }

  Parameters key(byte[] key) {
    values.add(key);
    return this;
  }

  /** Sets them from a place on; the place behind them. */
  int set(PreparedStatement statement, int first) throws SQLException {
    int place = first;
    for (byte[] value : values) {
      statement.setBytes(place, value);
      place++;
    }
    return place;
  }
}
