package org.ecstore.replication.quorum;

import java.util.Optional;
import java.util.zip.CRC32C;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * What one copy says of a key: its state as of the position where the copy is closed (rule 13).
 *
 * @param closed every commit to the range numbered at or below it is in this answer
 * @param base the lowest position that the copy can answer at
 * @param changed the key is the same from here through {@code closed}: the version of its value, or
 *     of the tombstone, or the base where a tombstone is no longer kept
 * @param version of the value; absent if there is none
 * @param digest of the value
 * @param value left out where only a digest was asked for
 */
public record CopyAnswer(
    Position closed,
    Position base,
    Position changed,
    Optional<Position> version,
    long digest,
    Optional<Bytes> value) {

  /** A key with a value. */
  static CopyAnswer present(
      Position closed, Position base, Position version, Bytes value, boolean whole) {
    return new CopyAnswer(
        closed,
        base,
        version,
        Optional.of(version),
        digest(value),
        whole ? Optional.of(value) : Optional.empty());
  }

  /** A key without a value. */
  static CopyAnswer absent(Position closed, Position base, Position changed) {
    return new CopyAnswer(closed, base, changed, Optional.empty(), 0, Optional.empty());
  }

  /** Tells values of one version apart, should copies ever differ. */
  static long digest(Bytes value) {
    CRC32C sum = new CRC32C();
    sum.update(value.array());
    return (sum.getValue() << 32) ^ value.length();
  }
}
