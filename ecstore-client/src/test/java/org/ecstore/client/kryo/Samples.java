package org.ecstore.client.kryo;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.ecstore.key.Bytes;
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
        .register(User[].class, 105);
  }

  static final User ANN = new User("Ann", 41, Optional.of("a@b"), List.of("Bob"), Color.GREEN);

  /** A value and its bytes in hexadecimal. */
  record Golden(Object value, String hex) {}

  /** Values with the hexadecimal bytes they have for ever. */
  static List<Golden> golden() {
    List<Golden> golden = new ArrayList<>();
    golden.add(new Golden(true, "010c01"));
    golden.add(new Golden((byte) -2, "010dfe"));
    golden.add(new Golden((short) -2, "010efeff"));
    golden.add(new Golden('x', "010f7800"));
    golden.add(new Golden(-2, "011003"));
    golden.add(new Golden(300L, "0111d804"));
    golden.add(new Golden(1.5f, "01120000c03f"));
    golden.add(new Golden(1.5d, "0113000000000000f83f"));
    golden.add(new Golden("", "011481"));
    golden.add(new Golden("abc", "01146162e3"));
    golden.add(new Golden("h\u00e9\ud83d\ude00", "01148568c3a9eda0bdedb880"));
    golden.add(new Golden(BigInteger.valueOf(1000), "01150303e8"));
    golden.add(new Golden(new BigDecimal("12.34"), "01160304d204"));
    golden.add(
        new Golden(
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            "01177766554433221100ffeeddccbbaa9988"));
    golden.add(new Golden(Bytes.of(1, 0xff), "01180201ff"));
    golden.add(new Golden(List.of("a", 1), "0120021482611002"));
    golden.add(new Golden(Arrays.asList("a", null), "01200214826100"));
    golden.add(new Golden(new LinkedHashSet<>(List.of("b", "a")), "012102148262148261"));
    golden.add(new Golden(Map.of("k", 1), "01220114826b1002"));
    golden.add(new Golden(new TreeSet<>(List.of("b", "a")), "012302148261148262"));
    golden.add(new Golden(new TreeMap<>(Map.of("k", 1)), "01240114826b1002"));
    golden.add(new Golden(Optional.of("x"), "0125148278"));
    golden.add(new Golden(Optional.empty(), "012500"));
    golden.add(new Golden(Instant.ofEpochSecond(1_800_000_000L, 5), "013480a4a7da0605"));
    golden.add(new Golden(Duration.ofMillis(1500), "0135010000000000000080cab5ee01"));
    golden.add(new Golden(LocalDate.of(2026, 11, 20), "0136ea0f0b14"));
    golden.add(new Golden(LocalTime.of(12, 30, 1), "01370c1efe"));
    golden.add(new Golden(LocalDateTime.of(2026, 11, 20, 12, 30), "0138ea0f0b140ce1"));
    golden.add(new Golden(Color.RED, "016701"));
    golden.add(new Golden(Color.GREEN, "016702"));
    golden.add(new Golden(ANN, "0166526702200114426fe201146140e2416eee"));
    golden.add(new Golden(new Tree(new Tree(null, null, 1), null, 2), "0168010000020004"));
    golden.add(new Golden(new Pair(new Pair(null, "x"), List.of()), "016969001482782000"));
    return golden;
  }

  /** Arrays, which have no equals, with their bytes. */
  static List<Object> arrays() {
    return List.of(
        new byte[] {1, -1},
        new short[] {1, -1},
        new int[] {1, -1},
        new long[] {1, -1},
        new float[] {1, -1},
        new double[] {1, -1},
        new boolean[] {true, false},
        new char[] {'a', '\uffff'},
        new String[] {"a", "b"},
        new User[] {ANN});
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
