package org.ecstore.client.kryo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/** An application's classes and values, for tests. */
final class Samples {
  private Samples() {}

  record User(String name, int age, Optional<String> mail, List<String> friends, Color color) {}

  record Tree(@Nullable Tree left, @Nullable Tree right, long value) {}

  record Pair(@Nullable Object first, @Nullable Object second) {}

  record Even(int number) {
    Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException("odd: " + number);
      }
    }
  }

  record Unknown(int number) {}

  enum Color {
    RED,
    GREEN {
      @Override
      String shade() {
        return "dark";
      }
    };

    String shade() {
      return "light";
    }
  }

  static BoundedKryo.Builder builder() {
    return BoundedKryo.builder()
        .register(User.class, 100)
        .register(Color.class, 101)
        .register(Tree.class, 102)
        .register(Pair.class, 103)
        .register(Even.class, 104)
        .register(User[].class, 105)
        .register(Everything.class, 106)
        .register(Wide.class, 107);
  }

  static BoundedKryo named() {
    return BoundedKryo.named(
        Limits.VALUE_BYTES_MAX,
        User.class,
        Color.class,
        Tree.class,
        Pair.class,
        Even.class,
        User[].class,
        Everything.class,
        Wide.class);
  }

  static final User ANN = new User("Ann", 41, Optional.of("a@b"), List.of("Bob"), Color.GREEN);

  static final User BOB = new User("Bob", 7, Optional.empty(), List.of(), Color.RED);

  /** A component of each kind. */
  record Everything(
      boolean flag,
      byte small,
      short medium,
      char letter,
      int number,
      long large,
      float single,
      double precise,
      @Nullable String text,
      @Nullable Integer boxed,
      Instant when,
      Bytes bytes,
      Map<String, User> users,
      @Nullable Color color,
      @Nullable User user) {}

  static final Everything EVERYTHING =
      new Everything(
          true,
          (byte) 1,
          (short) -2,
          'x',
          3,
          -4L,
          1.5f,
          -2.5,
          null,
          5,
          Instant.ofEpochSecond(6, 7),
          Bytes.of(8, 9),
          Map.of("ann", ANN),
          Color.RED,
          null);

  record Wide(
      long c0,
      long c1,
      long c2,
      long c3,
      long c4,
      long c5,
      long c6,
      long c7,
      long c8,
      long c9,
      long c10,
      long c11,
      long c12,
      long c13,
      long c14,
      long c15,
      long c16,
      long c17,
      long c18,
      long c19,
      long c20,
      long c21,
      long c22,
      long c23,
      long c24,
      long c25,
      long c26,
      long c27,
      long c28,
      long c29,
      long c30,
      long c31,
      long c32,
      long c33,
      long c34,
      long c35,
      long c36,
      long c37,
      long c38,
      long c39,
      long c40,
      long c41,
      long c42,
      long c43,
      long c44,
      long c45,
      long c46,
      long c47,
      long c48,
      long c49,
      long c50,
      long c51,
      long c52,
      long c53,
      long c54,
      long c55,
      long c56,
      long c57,
      long c58,
      long c59,
      long c60,
      long c61,
      long c62,
      long c63,
      long c64,
      long c65,
      long c66,
      long c67,
      long c68,
      long c69,
      long c70,
      long c71,
      long c72,
      long c73,
      long c74,
      long c75,
      long c76,
      long c77,
      long c78,
      long c79,
      long c80,
      long c81,
      long c82,
      long c83,
      long c84,
      long c85,
      long c86,
      long c87,
      long c88,
      long c89,
      long c90,
      long c91,
      long c92,
      long c93,
      long c94,
      long c95,
      long c96,
      long c97,
      long c98,
      long c99) {}

  /** Values by the names under which their bytes are kept for ever. */
  static Map<String, Object> golden() {
    Map<String, Object> golden = new LinkedHashMap<>();
    golden.put("true", true);
    golden.put("byte -2", (byte) -2);
    golden.put("short -2", (short) -2);
    golden.put("char x", 'x');
    golden.put("int -2", -2);
    golden.put("long 300", 300L);
    golden.put("float 1.5", 1.5f);
    golden.put("double 1.5", 1.5d);
    golden.put("String empty", "");
    golden.put("String abc", "abc");
    golden.put("String of one, two and four bytes of UTF-8", "h\u00e9\ud83d\ude00");
    golden.put("BigInteger 1000", BigInteger.valueOf(1000));
    golden.put("BigDecimal 12.34", new BigDecimal("12.34"));
    golden.put(
        "UUID 00112233-4455-6677-8899-aabbccddeeff",
        UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
    golden.put("Bytes 01ff", Bytes.of(1, 0xff));
    golden.put("List a, 1", List.of("a", 1));
    golden.put("List a, null", Arrays.asList("a", null));
    golden.put("Set b, a", new LinkedHashSet<>(List.of("b", "a")));
    golden.put("Map k to 1", Map.of("k", 1));
    golden.put("SortedSet a, b", new TreeSet<>(List.of("b", "a")));
    golden.put("SortedMap k to 1", new TreeMap<>(Map.of("k", 1)));
    golden.put("Optional x", Optional.of("x"));
    golden.put("Optional empty", Optional.empty());
    golden.put("Instant 1800000000.000000005", Instant.ofEpochSecond(1_800_000_000L, 5));
    golden.put("Duration 1.5 s", Duration.ofMillis(1500));
    golden.put("LocalDate 2026-11-20", LocalDate.of(2026, 11, 20));
    golden.put("LocalTime 12:30:01", LocalTime.of(12, 30, 1));
    golden.put("LocalDateTime 2026-11-20T12:30", LocalDateTime.of(2026, 11, 20, 12, 30));
    golden.put("Color RED", Color.RED);
    golden.put("Color GREEN", Color.GREEN);
    golden.put("User Ann", ANN);
    golden.put("Tree of two", new Tree(new Tree(null, null, 1), null, 2));
    golden.put("Pair of a Pair and a List", new Pair(new Pair(null, "x"), List.of()));
    golden.put("byte[] 1, -1", new byte[] {1, -1});
    golden.put("short[] 1, -1", new short[] {1, -1});
    golden.put("int[] 1, -1", new int[] {1, -1});
    golden.put("long[] 1, -1", new long[] {1, -1});
    golden.put("float[] 1, -1", new float[] {1, -1});
    golden.put("double[] 1, -1", new double[] {1, -1});
    golden.put("boolean[] true, false", new boolean[] {true, false});
    golden.put("char[] a, ffff", new char[] {'a', '\uffff'});
    golden.put("String[] a, b", new String[] {"a", "b"});
    golden.put("User[] Ann", new User[] {ANN});
    golden.put("Everything", EVERYTHING);
    golden.put("List of constants", List.of(Color.GREEN, Color.RED, Color.GREEN));
    golden.put("List of Users", List.of(ANN, BOB));
    return golden;
  }

  /** Those that there are in format 3 besides. */
  static Map<String, Object> goldenOfNames() {
    Map<String, Object> golden = golden();
    golden.put("URI", URI.create("https://example.org/a?b=c#d"));
    golden.put("ZoneOffset +02:00", ZoneOffset.ofHours(2));
    golden.put("ZoneId Europe/Berlin", ZoneId.of("Europe/Berlin"));
    golden.put("OffsetTime 12:30+02:00", OffsetTime.of(12, 30, 0, 0, ZoneOffset.ofHours(2)));
    golden.put(
        "OffsetDateTime 2026-11-20T12:30Z",
        OffsetDateTime.of(LocalDateTime.of(2026, 11, 20, 12, 30), ZoneOffset.UTC));
    golden.put(
        "ZonedDateTime 2026-11-20T12:30 Europe/Berlin",
        ZonedDateTime.of(LocalDateTime.of(2026, 11, 20, 12, 30), ZoneId.of("Europe/Berlin")));
    for (int offset : List.of(2, 1)) {
      golden.put(
          "ZonedDateTime 2026-10-25T02:30+0" + offset + " Europe/Berlin",
          ZonedDateTime.ofInstant(
              LocalDateTime.of(2026, 10, 25, 2, 30),
              ZoneOffset.ofHours(offset),
              ZoneId.of("Europe/Berlin")));
    }
    golden.put("Year 2026", Year.of(2026));
    golden.put("YearMonth 2026-11", YearMonth.of(2026, 11));
    golden.put("MonthDay --11-20", MonthDay.of(11, 20));
    golden.put("Period P1Y2M3D", Period.of(1, 2, 3));
    golden.put("Pair of two types", new Pair(new Tree(null, null, 1), new Pair(ANN, BOB)));
    return golden;
  }

  /** The bytes of values by name, in a format. */
  static Map<String, Bytes> goldenBytes(int format) {
    Map<String, Bytes> golden = new LinkedHashMap<>();
    try (InputStream file = Samples.class.getResourceAsStream("format-" + format + ".txt")) {
      for (String line :
          new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .toList()) {
        if (!line.startsWith("#")) {
          int colon = line.lastIndexOf(": ");
          byte[] bytes = HexFormat.of().parseHex(line.substring(colon + 2));
          golden.put(line.substring(0, colon), Bytes.wrap(bytes));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return golden;
  }

  /** Collections of classes that must not show in the bytes. */
  static List<Object> hiddenClasses() {
    SortedSet<String> sortedSet = new TreeSet<>(Set.of("a", "b"));
    SortedMap<String, Integer> sortedMap = new TreeMap<>(Map.of("a", 1, "b", 2));
    return List.of(
        List.of(),
        List.of(1, 2, 3),
        List.of(1, 2, 3).subList(1, 2),
        java.util.Collections.unmodifiableList(Arrays.asList(1, 2)),
        java.util.Collections.nCopies(3, "x"),
        new java.util.concurrent.CopyOnWriteArrayList<>(List.of(1)),
        Set.of(1, 2, 3),
        java.util.EnumSet.allOf(Color.class),
        Map.of(1, 2, 3, 4),
        new java.util.EnumMap<>(Map.of(Color.RED, 1)),
        java.util.Collections.unmodifiableSortedSet(sortedSet),
        sortedMap.headMap("b"));
  }
}
