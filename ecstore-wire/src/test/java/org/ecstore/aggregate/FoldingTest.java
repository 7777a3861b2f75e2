package org.ecstore.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Row;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldingTest {
  private static final Bytes PREFIX = Tuple.of("orders").encode();

  private static Bytes number(long value) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private static Row row(long version, long value, Object... key) {
    return new Row(Tuple.of(key).encode(PREFIX), new Position(version), number(value));
  }

  private static Aggregate aggregate(
      int groupBy, List<ElementCondition> conditions, Measure... measures) {
    return new Aggregate(PREFIX.length(), 0, groupBy, conditions, List.of(measures));
  }

  private static final Measure SUM = new Measure(Measure.Kind.SUM, 1);
  private static final Measure MIN = new Measure(Measure.Kind.MIN, 1);
  private static final Measure MAX = new Measure(Measure.Kind.MAX, 1);
  private static final Measure VALUES = new Measure(Measure.Kind.SUM, Measure.VALUE);

  @Test
  void aPageIsARowForEachGroup() {
    Aggregate byCity = aggregate(1, List.of(), SUM, VALUES, MIN, MAX);
    List<Row> rows =
        List.of(
            row(7, 100, "Bergen", 5, "x"),
            row(9, 1, "Bergen", 7, "y"),
            row(3, 1, "Oslo", 2.5, "z"),
            row(4, 1, "Oslo", new BigDecimal("0.25")),
            row(5, 1, "Oslo"));
    Folding.Page page = Folding.page(byCity, rows).orElseThrow();
    assertEquals(5, page.records());
    assertEquals(
        List.of(rows.get(0).key(), rows.get(2).key()), page.rows().stream().map(Row::key).toList());
    assertEquals(
        List.of(new Position(9), new Position(5)), page.rows().stream().map(Row::version).toList());
    Folding folding = new Folding(byCity);
    page.rows().forEach(folding::addRow);
    page.rows().forEach(folding::addRow);
    GroupTally bergen = group(folding, "Bergen");
    assertEquals(4, bergen.count());
    assertEquals(Optional.of(new BigDecimal(24)), bergen.sum(0));
    assertEquals(Optional.of(new BigDecimal(202)), bergen.sum(1));
    assertEquals(Optional.of(Tuple.of(5)), bergen.best(2));
    assertEquals(Optional.of(Tuple.of(7)), bergen.best(3));
    GroupTally oslo = group(folding, "Oslo");
    assertEquals(6, oslo.count());
    assertEquals(Optional.of(new BigDecimal("5.5")), oslo.sum(0));
  }

  private static GroupTally group(Folding folding, Object... key) {
    return Objects.requireNonNull(folding.groups().get(Tuple.of(key)));
  }

  @Test
  void aGroupOfNoRecordIsThereIfItIsTheOnlyOne() {
    assertEquals(
        List.of(Tuple.EMPTY), List.copyOf(new Folding(Aggregate.count(0)).groups().keySet()));
    assertEquals(Map.of(), new Folding(aggregate(1, List.of())).groups());
    assertEquals(
        Optional.of(new Folding.Page(List.of(), 0)), Folding.page(Aggregate.count(0), List.of()));
  }

  @Test
  void conditionsHoldOfElementsOfTheirTypeOnly() {
    Object[] elements = {null, 4, 5, 6, 5.0, "5", "50", true, Tuple.desc(5)};
    assertEquals(List.of(5L, "desc(5)"), meeting(ElementComparison.EQUAL, 5, elements));
    assertEquals(List.of(4L), meeting(ElementComparison.BELOW, 5, elements));
    assertEquals(List.of(4L, 5L, "desc(5)"), meeting(ElementComparison.AT_MOST, 5, elements));
    assertEquals(List.of(6L), meeting(ElementComparison.ABOVE, 5, elements));
    assertEquals(List.of(5L, 6L, "desc(5)"), meeting(ElementComparison.AT_LEAST, 5, elements));
    assertEquals(List.of("5", "50"), meeting(ElementComparison.STARTS_WITH, "5", elements));
    assertEquals(List.of("50"), meeting(ElementComparison.ABOVE, "5", elements));
  }

  private static List<Object> meeting(
      ElementComparison comparison, Object operand, Object... elements) {
    ElementCondition condition = new ElementCondition(1, comparison, Tuple.of(operand));
    List<Object> met = new ArrayList<>();
    for (Object element : elements) {
      Folding folding = new Folding(aggregate(0, List.of(condition)));
      folding.add(Tuple.of("x", element).encode(PREFIX), Bytes.EMPTY);
      if (group(folding).count() > 0) {
        Object kept = Tuple.of(element).element(0);
        met.add(kept instanceof Long || kept instanceof String ? kept : String.valueOf(kept));
      }
    }
    return met;
  }

  @Test
  void whatHasNoSumIsLeftToTheClientWhichSaysOfWhichKey() {
    Row text = row(1, 1, "a", "text");
    Aggregate sum = aggregate(0, List.of(), SUM);
    assertEquals(Optional.empty(), Folding.page(sum, List.of(row(1, 1, "a", 1), text)));
    String message =
        assertThrows(NoMeasureException.class, () -> new Folding(sum).add(text.key(), text.value()))
            .getMessage();
    assertTrue(String.valueOf(message).contains("(\"a\", \"text\")"), String.valueOf(message));
    Row value = new Row(text.key(), text.version(), Bytes.utf8("abc"));
    Aggregate values = aggregate(0, List.of(), VALUES);
    assertEquals(Optional.empty(), Folding.page(values, List.of(value)));
    assertThrows(
        NoMeasureException.class, () -> new Folding(values).add(value.key(), value.value()));
    assertEquals(
        Optional.empty(),
        Folding.page(
            sum, List.of(new Row(PREFIX.concat(Bytes.of(0xfe)), text.version(), text.value()))));
  }

  @Test
  void sumsOfNumbersThatWouldFillMemoryAreRefused() {
    ExactSum sum = new ExactSum(ExactSum.DIGITS_MAX);
    sum.add(BigDecimal.ONE.scaleByPowerOfTen(Integer.MAX_VALUE - 10));
    assertThrows(NoMeasureException.class, () -> sum.add(BigDecimal.ONE));
    assertThrows(NoMeasureException.class, () -> sum.add(1));
    for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(NoMeasureException.class, () -> new ExactSum(ExactSum.DIGITS_MAX).add(none));
    }
  }

  /** Whether there is a sum, and in which form it comes, does not depend on the order. */
  @Test
  void sumsAreTheSameInEachOrder() {
    List<BigDecimal> far =
        List.of(new BigDecimal("1E5000"), new BigDecimal("-1E5000"), new BigDecimal("1E-5000"));
    List<BigDecimal> near =
        List.of(new BigDecimal("0.25"), new BigDecimal("-0.25"), new BigDecimal("1.5"));
    for (int first = 0; first < 3; first++) {
      ExactSum sum = new ExactSum(ExactSum.DIGITS_MAX);
      for (int i = 0; i < 3; i++) {
        sum.add(near.get((first + i) % 3));
      }
      assertEquals(new BigDecimal("1.5"), sum.value());
      int from = first;
      assertThrows(
          NoMeasureException.class,
          () -> {
            ExactSum none = new ExactSum(ExactSum.DIGITS_MAX);
            for (int i = 0; i < 3; i++) {
              none.add(far.get((from + i) % 3));
            }
          });
    }
  }

  /** What takes long is left to the client; parts of two pages may have no sum together. */
  @Test
  void numbersFarApartAreAddedByTheClientIfAtAll() {
    Aggregate sum = aggregate(0, List.of(), SUM);
    Row large = row(1, 1, "a", new BigDecimal("1E500"));
    Row small = row(1, 1, "b", new BigDecimal("1E-500"));
    assertEquals(Optional.empty(), Folding.page(sum, List.of(large, small)));
    Folding folding = new Folding(sum);
    for (Row each : List.of(large, small)) {
      Folding.page(sum, List.of(each)).orElseThrow().rows().forEach(folding::addRow);
    }
    assertEquals(
        Optional.of(new BigDecimal("1E500").add(new BigDecimal("1E-500"))), group(folding).sum(0));
    Row tiny = row(1, 1, "c", new BigDecimal("1E-6000"));
    Row part = Folding.page(sum, List.of(tiny)).orElseThrow().rows().get(0);
    assertThrows(NoMeasureException.class, () -> folding.addRow(part));
  }

  @Test
  void whatIsLeftOutIsNotLookedAt() {
    Aggregate min = new Aggregate(PREFIX.length(), 1, 2, List.of(), List.of(MIN, SUM));
    Folding folding = new Folding(min);
    folding.add(Tuple.of("a", Bytes.of(1)).encode(PREFIX), Bytes.EMPTY);
    folding.add(Tuple.of("a", 7, Bytes.of(2)).encode(PREFIX), Bytes.EMPTY);
    assertEquals(Optional.empty(), group(folding, "a").best(0));
    assertEquals(Optional.of(Tuple.of(7)), group(folding, "a", 7).best(0));
  }

  @Test
  void sumsAreExact() {
    ExactSum sum = new ExactSum(ExactSum.DIGITS_MAX);
    sum.add(Long.MAX_VALUE);
    sum.add(Long.MAX_VALUE);
    sum.add(1e300);
    sum.add(Double.MIN_VALUE);
    sum.add(-1e300);
    sum.add(Long.MIN_VALUE);
    sum.add(-Double.MIN_VALUE);
    assertEquals(0, sum.value().compareTo(BigDecimal.valueOf(Long.MAX_VALUE - 1)));
  }

  @Test
  void aPageEndsWhereAnAnswerHasNoRoomForMoreGroups() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < Folding.PAGE_GROUPS_MAX + 5; i++) {
      rows.add(row(1, 1, i, 1));
      rows.add(row(1, 1, i, 2));
    }
    Folding.Page page = Folding.page(aggregate(1, List.of()), rows).orElseThrow();
    assertEquals(Folding.PAGE_GROUPS_MAX, page.rows().size());
    assertEquals(2 * Folding.PAGE_GROUPS_MAX, page.records());
  }

  /** However records are cut into pages, and in whichever direction, the groups are the same. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void pagesGiveWhatAllRecordsGiveAtOnce(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      TreeMap<Bytes, Row> table = new TreeMap<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        Row row = row(random.nextInt(100), random.nextInt(10), randomKey(random));
        table.put(row.key(), row);
      }
      Aggregate aggregate = randomAggregate(random);
      Folding whole = new Folding(aggregate);
      table.values().forEach(row -> whole.add(row.key(), row.value()));
      Folding parts = new Folding(aggregate);
      List<Row> rows = new ArrayList<>(table.values());
      if (random.nextBoolean()) {
        Collections.reverse(rows);
      }
      while (!rows.isEmpty()) {
        List<Row> some = rows.subList(0, 1 + random.nextInt(rows.size()));
        Folding.Page page = Folding.page(aggregate, some).orElseThrow();
        assertEquals(some.size(), page.records());
        page.rows().forEach(parts::addRow);
        rows = rows.subList(some.size(), rows.size());
      }
      assertEquals(described(whole), described(parts));
    }
  }

  private static Object[] randomKey(Random random) {
    Object[] numbers = {
      3L,
      -4L,
      0.1,
      -0.1,
      1e17,
      new BigDecimal("7.125"),
      new BigDecimal("-7.125"),
      Tuple.desc(9),
      null
    };
    Object[] key = {
      "g" + random.nextInt(4), numbers[random.nextInt(numbers.length)], random.nextInt(20)
    };
    return Arrays.copyOf(key, 1 + random.nextInt(3));
  }

  private static Aggregate randomAggregate(Random random) {
    List<ElementCondition> conditions =
        random.nextBoolean()
            ? List.of()
            : List.of(
                new ElementCondition(2, ElementComparison.AT_LEAST, Tuple.of(random.nextInt(20))));
    return aggregate(random.nextInt(4), conditions, SUM, MIN, MAX, VALUES);
  }

  private static Map<Tuple, List<Object>> described(Folding folding) {
    Map<Tuple, List<Object>> described = new TreeMap<>();
    folding
        .groups()
        .forEach(
            (key, tally) ->
                described.put(
                    key,
                    List.of(
                        tally.count(), tally.sum(0), tally.best(1), tally.best(2), tally.sum(3))));
    return described;
  }

  /** A node could have a client add numbers of any size. */
  @Test
  void aSumThatSaysOtherDigitsThanItHasIsMalformed() {
    for (long[] bounds :
        new long[][] {{Long.MAX_VALUE, Long.MIN_VALUE}, {7_000, 0}, {Long.MIN_VALUE, 1}}) {
      WireWriter out = new WireWriter();
      out.i64(5).i64(bounds[0]).i64(bounds[1]).i32(0).varint(1).raw(new byte[] {0});
      assertThrows(
          MalformedMessageException.class,
          () -> ExactSum.read(new WireReader(out.toBytes())),
          () -> List.of(bounds[0], bounds[1]).toString());
    }
  }

  @Test
  void whatIsNoAggregateIsMalformed() {
    for (Bytes bytes :
        List.of(
            Bytes.EMPTY,
            Bytes.of(0, 0, 0, 1),
            Bytes.of(0, 0, 0, 1, 0, 9, 2, 0x31, 5, 0),
            Bytes.of(0, 0, 0, 1, 0, 1, 1, 0x05, 0),
            Bytes.of(0, 0, 0, 1, 0, 6, 2, 0x31, 5, 0),
            Bytes.of(0, 0, 0, 0, 1, 3, 0),
            Bytes.of(0, 2, 0, 0, 0),
            Bytes.of(0, 0, 0, 0, 2, 1, 2, 1, 2))) {
      assertThrows(
          MalformedMessageException.class,
          () -> Aggregate.read(new WireReader(bytes)),
          bytes::toString);
    }
    Folding folding = new Folding(aggregate(0, List.of(), SUM, MIN));
    for (Bytes value :
        List.of(Bytes.EMPTY, Bytes.of(1, 2), Bytes.of(1, 0, 1, 0), Bytes.of(1, 0, 0, 0))) {
      assertThrows(
          MalformedMessageException.class,
          () -> folding.addRow(new Row(PREFIX, Position.ZERO, value)),
          value::toString);
    }
  }
}
