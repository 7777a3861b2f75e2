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
  private final List<Value> values = new ArrayList<>();

  private interface Value {
    void set(PreparedStatement statement, int place) throws SQLException;
  }

  /** The bounds of a statement over indexed keys. */
  Parameters interval(KeyRange interval) {
    key(interval.start().array());
    interval.end().map(Bytes::array).ifPresent(this::key);
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
      key(head);
      key(head);
      key(StoredKey.tail(key.get()).array());
    }
  }

  Parameters key(byte[] key) {
    values.add((statement, place) -> statement.setBytes(place, key));
    return this;
  }

  Parameters number(int number) {
    values.add((statement, place) -> statement.setInt(place, number));
    return this;
  }

  /** Sets them from a place on; the place behind them. */
  int set(PreparedStatement statement, int first) throws SQLException {
    int place = first;
    for (Value value : values) {
      value.set(statement, place);
      place++;
    }
    return place;
  }
}
