package org.ecstore.sim.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The keys and values of simulated transactions: <em>lists</em>, to which each writer appends an
 * element that is used once; <em>rows</em>, each inserted at most once and perhaps deleted; and
 * <em>registers</em>, written blindly; and <em>operated</em> ones, to which operations are applied.
 * The kinds interleave in key order so that bounds fall between and inside them.
 */
public final class SimKeys {
  private static final int SPREAD = 251;
  private static final List<Bytes> UNUSED = unused();

  private SimKeys() {}

  private static Bytes key(int place, char kind, long number) {
    return Bytes.utf8(String.format("%03d%c%06d", place, kind, number));
  }

  /** The i-th list key. */
  public static Bytes list(int i) {
    return key((i * 97 + 13) % SPREAD, 'l', i);
  }

  /** The i-th register key. */
  public static Bytes register(int i) {
    return key((i * 61 + 40) % SPREAD, 'g', i);
  }

  /** The i-th key that operations are applied to. */
  public static Bytes operated(int i) {
    return key((i * 43 + 29) % SPREAD, 'o', i);
  }

  /** A row of its own for each insert. */
  public static Bytes row(int place, long number) {
    return key(Math.floorMod(place * 37 + 5, SPREAD), 'r', number);
  }

  public static boolean isList(Bytes key) {
    return key.length() > 3 && key.at(3) == 'l';
  }

  public static boolean isRow(Bytes key) {
    return key.length() > 3 && key.at(3) == 'r';
  }

  /** Every key from a place on, up to another (exclusive), out of 0 to 1000. */
  public static KeyRange places(int from, int to) {
    return KeyRange.of(
        Bytes.utf8(String.format("%03d", from)), Bytes.utf8(String.format("%03d", to)));
  }

  /** A key between two keys of the kinds above: where ranges are split at first. */
  public static Bytes bound(int place) {
    return Bytes.utf8(String.format("%03d", place));
  }

  /** A key of none of the kinds, between others; absent where there is hardly room for one. */
  public static Optional<Bytes> unusedIn(KeyRange keys) {
    return UNUSED.stream().filter(keys::contains).findFirst();
  }

  private static List<Bytes> unused() {
    List<Bytes> keys = new ArrayList<>();
    for (int place = 0; place < SPREAD; place++) {
      for (char kind : new char[] {'a', 'h', 'm', 'p', 'z'}) {
        keys.add(Bytes.utf8(String.format("%03d%c", place, kind)));
      }
    }
    return List.copyOf(keys);
  }

  /** How many places there are. */
  public static int places() {
    return SPREAD;
  }

  /** The elements of a list. */
  public static List<Long> elements(Bytes value) {
    WireReader in = new WireReader(value);
    return new ArrayList<>(in.list(WireReader::i64));
  }

  /** A list with one more element. */
  public static Bytes append(List<Long> elements, long element) {
    List<Long> longer = new ArrayList<>(elements);
    longer.add(element);
    return new WireWriter().list(longer, WireWriter::i64).toBytes();
  }
}
