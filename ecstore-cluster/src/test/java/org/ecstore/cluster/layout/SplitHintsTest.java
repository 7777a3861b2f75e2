package org.ecstore.cluster.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ecstore.client.Codec;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitHintsTest {
  private static Bytes key(String table, Tuple key) {
    return key.encode(Table.of(table, Codec.bytes()).keys().start());
  }

  /** The most of some keys that are between two hints. */
  private static long fullest(List<Bytes> hints, String table, LongFunction<Tuple> keys) {
    return LongStream.range(0, 10_000)
        .mapToObj(i -> key(table, keys.apply(i)))
        .collect(
            Collectors.groupingBy(
                key -> hints.stream().filter(hint -> hint.compareTo(key) <= 0).count(),
                Collectors.counting()))
        .values()
        .stream()
        .max(Long::compare)
        .orElseThrow();
  }

  @Test
  void keysOfAKnownKindAreCutIntoEqualParts() {
    List<Bytes> hints = SplitHints.parse("visits:9999, users:uuid,names:text");
    assertEquals(hints.stream().sorted().distinct().toList(), hints);
    assertTrue(fullest(hints, "visits", Tuple::of) <= 320);
    long odd = 0x9E3779B97F4A7C15L;
    assertTrue(fullest(hints, "users", i -> Tuple.of(new UUID(i * odd, i))) <= 400);
    assertTrue(fullest(hints, "names", i -> Tuple.of((char) ('a' + i % 26) + "nna")) <= 385);
  }

  @Test
  void tablesAreApart() {
    List<Bytes> any = SplitHints.ofAnyTables();
    assertEquals(any.stream().sorted().distinct().toList(), any);
    assertEquals(10_000, fullest(any, "users", Tuple::of));
    assertEquals(
        List.of(Table.of("users", Codec.bytes()).keys().start()), SplitHints.parse("users"));
    long users =
        any.stream().filter(hint -> hint.compareTo(key("users", Tuple.of(1))) <= 0).count();
    long visits =
        any.stream().filter(hint -> hint.compareTo(key("visits", Tuple.of(1))) <= 0).count();
    assertEquals(users + 1, visits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "users:", "users:0", "users:many", ":text", "users:1:2", "a,,b"})
  void whatIsUnlikeIsRefused(String adminRequests) {
    String said =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> SplitHints.parse(adminRequests))
                .getMessage());
    assertTrue(said.contains("is none of"), said);
  }
}
