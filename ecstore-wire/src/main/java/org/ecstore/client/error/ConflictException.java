package org.ecstore.client.error;

import java.util.Arrays;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;

/**
 * Another transaction got there first (rule 3). Nothing was done; {@code EcStore.transact} tries
 * again by itself, so that this comes out of it only at the deadline.
 */
public final class ConflictException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  private final transient RangeId range;
  private final transient Keys keys;
  private final transient Optional<TxnId> other;
  private final transient Optional<Position> version;

  public ConflictException(
      RangeId range, Keys keys, Optional<TxnId> other, Optional<Position> version) {
    super(
        ErrorCode.CONFLICT,
        "another transaction got there first",
        null,
        "range",
        range,
        keys.isOne() ? "key" : "keys",
        keys,
        other.isPresent() ? "other" : "version",
        other.isPresent() ? other.get() : version.map(Position::toString).orElse("unknown"));
    this.range = range;
    this.keys = keys;
    this.other = other;
    this.version = version;
  }

  /** The range that voted no. */
  public RangeId range() {
    return range;
  }

  /** The key, or the interval that both want. */
  public Keys keys() {
    return keys;
  }

  /** The table, if the keys begin with the name of one. */
  public Optional<String> table() {
    return keys.table;
  }

  /** The transaction lost to, if it was still on its way. */
  public Optional<TxnId> other() {
    return other;
  }

  /** The commit number of the version that is newer than the snapshot, if there is one. */
  public Optional<Position> version() {
    return version;
  }

  /** Keys of the store: each the name of its table and the elements of its tuple, encoded. */
  public static final class Keys {
    private final Optional<String> table;
    private final byte[] start;
    private final Optional<byte[]> end;
    private final String text;

    /**
     * From a start, inclusive, to an end, exclusive and absent for the end of all keys.
     *
     * @param table whose they are, if of one
     * @param text what they are called within a sentence
     */
    public Keys(Optional<String> table, byte[] start, Optional<byte[]> end, String text) {
      this.table = table;
      this.start = start.clone();
      this.end = end.map(byte[]::clone);
      this.text = text;
    }

    /** The first of them, as {@code Tuple.decode(Bytes.wrap(start))} reads it; a copy. */
    public byte[] start() {
      return start.clone();
    }

    /** The first key past them, a copy; absent where they reach to the end of all keys. */
    public Optional<byte[]> end() {
      return end.map(byte[]::clone);
    }

    /** Whether it is one key: the end is the least that is above the start. */
    public boolean isOne() {
      return end.isPresent() && Arrays.equals(end.get(), Arrays.copyOf(start, start.length + 1));
    }

    /** As the shell shows and takes them, cut where they are long. */
    @Override
    public String toString() {
      return text;
    }
  }
}
