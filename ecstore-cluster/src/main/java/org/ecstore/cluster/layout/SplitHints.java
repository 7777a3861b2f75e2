package org.ecstore.cluster.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.ecstore.client.Codec;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Where a cluster that is made shall cut its keys into ranges while there is no data to go by. A
 * node that joins then takes over the keys on one side of such a key.
 */
public final class SplitHints {
  private static final Pattern HINT = Pattern.compile("(?<table>[^:,]+?)(:(?<keys>[^:,]+))?");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");
  private static final int PARTS = 32;

  private SplitHints() {}

  /** For data nothing is known of: tables with other first letters are in other ranges. */
  public static List<Bytes> ofAnyTables() {
    return LongStream.rangeClosed('a', 'z').mapToObj(letter -> text(letter).encode()).toList();
  }

  /**
   * For tables that are known: {@code TABLE} begins a range; the keys of {@code TABLE:text} have
   * text first, which is cut at its first letter; those of {@code TABLE:uuid} a random UUID; those
   * of {@code TABLE:N} a number from 0 to N.
   *
   * @param tables of this kind, with commas in between
   * @return sorted keys
   * @throws IllegalArgumentException with what is wrong, if one is not of this kind
   */
  public static List<Bytes> parse(String tables) {
    TreeSet<Bytes> hints = new TreeSet<>();
    for (String hint : tables.split(",", -1)) {
      Matcher matcher = HINT.matcher(hint.strip());
      if (!matcher.matches()) {
        throw unlike(hint);
      }
      Bytes table = Table.of(matcher.group("table"), Codec.bytes()).keys().start();
      if (!hints.add(table)) {
        throw new IllegalArgumentException(
            "table \"" + matcher.group("table") + "\" is there twice");
      }
      String keys = matcher.group("keys");
      if (keys != null) {
        splitPoints(hint, keys).forEach(tuple -> hints.add(tuple.encode(table)));
      }
    }
    return List.copyOf(hints);
  }

  private static List<Tuple> splitPoints(String hint, String keys) {
    List<Tuple> splitPoints = new ArrayList<>();
    if (keys.equals("text")) {
      LongStream.rangeClosed('a', 'z').mapToObj(SplitHints::text).forEach(splitPoints::add);
    } else if (keys.equals("uuid")) {
      for (long part = 1; part < PARTS; part++) {
        splitPoints.add(Tuple.of(new UUID(part * (1L << 59), 0)));
      }
    } else if (NUMBER.matcher(keys).matches()) {
      long most = Long.parseLong(keys);
      for (long part = 1; part < PARTS; part++) {
        // In this order, so that nothing overflows; small tables have fewer split points.
        splitPoints.add(Tuple.of(most / PARTS * part + most % PARTS * part / PARTS));
      }
    } else {
      throw unlike(hint);
    }
    return splitPoints;
  }

  private static Tuple text(long letter) {
    return Tuple.of(String.valueOf((char) letter));
  }

  private static IllegalArgumentException unlike(String hint) {
    return new IllegalArgumentException(
        "\"" + hint + "\" is none of TABLE, TABLE:text, TABLE:uuid and TABLE:N");
  }
}
