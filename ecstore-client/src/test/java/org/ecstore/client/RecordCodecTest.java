package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.Default;
import org.ecstore.client.schema.StoredAs;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {
  sealed interface Payment permits Card, Voucher, Payment.None {
    record None() implements Payment {}
  }

  record Card(String number, Expiry expiry) implements Payment {}

  record Expiry(int month, int year) {}

  /** Sealed once more. */
  sealed interface Voucher extends Payment {}

  record Gift(BigDecimal amount) implements Voucher {}

  record Refund(UUID order) implements Voucher {}

  enum State {
    OPEN,
    PAID
  }

  record Line(String item, int count) {}

  record Order(
      UUID id,
      List<Line> lines,
      Map<State, Instant> history,
      Optional<Payment> payment,
      Set<DayOfWeek> days,
      ZonedDateTime due,
      URI link,
      @Nullable Order before) {}

  private static Order order(@Nullable Payment payment, @Nullable Order before) {
    return new Order(
        new UUID(1, 2),
        List.of(new Line("a", 1), new Line("b", 2)),
        Map.of(State.OPEN, Instant.EPOCH),
        Optional.ofNullable(payment),
        Set.of(DayOfWeek.FRIDAY),
        ZonedDateTime.parse("2026-11-20T12:30+01:00[Europe/Berlin]"),
        URI.create("https://example.org/"),
        before);
  }

  @Test
  void everythingWithinARecordIsFoundByItsDeclaration() {
    Codec<Order> codec = Codec.record(Order.class);
    for (Payment payment :
        List.of(
            new Card("1", new Expiry(1, 2030)),
            new Gift(new BigDecimal("9.99")),
            new Refund(new UUID(3, 4)),
            new Payment.None())) {
      Order written = order(payment, order(null, null));
      assertEquals(written, codec.decode(codec.encode(written)));
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Basket(Line[] lines) {}

  @Test
  void anArrayOfRecordsIsFoundToo() {
    Codec<Basket> codec = Codec.record(Basket.class);
    Line[] lines = {new Line("c", 3), new Line("d", 4)};
    assertArrayEquals(lines, codec.decode(codec.encode(new Basket(lines))).lines());
  }

  @Test
  void aSealedInterfaceIsATypeOfValues() {
    Codec<Payment> codec = Codec.record(Payment.class);
    Payment card = new Card("1", new Expiry(1, 2030));
    assertEquals(card, codec.decode(codec.encode(card)));
    assertEquals(
        State.PAID, Codec.record(State.class).decode(Codec.record(State.class).encode(State.PAID)));
  }

  /** One more that is permitted, or in another order, changes no stored byte. */
  @Test
  void whatIsPermittedMayChangeOrder() {
    Bytes stored = Codec.record(Payment.class).encode(new Gift(BigDecimal.ONE));
    assertEquals(stored, Codec.record(Voucher.class).encode(new Gift(BigDecimal.ONE)));
    assertEquals(stored, Codec.record(Gift.class).encode(new Gift(BigDecimal.ONE)));
  }

  interface Shape {}

  record Square(int side) implements Shape {}

  record Drawing(List<Shape> shapes) {}

  @Test
  void whatStandsBehindAnOpenInterfaceIsNamed() {
    Codec<Drawing> codec = Codec.record(Drawing.class, Square.class);
    Drawing drawing = new Drawing(List.of(new Square(3)));
    assertEquals(drawing, codec.decode(codec.encode(drawing)));
    assertRefused(
        Drawing.class,
        "RecordCodecTest$Drawing.shapes is of org.ecstore.client.RecordCodecTest$Shape, which"
            + " cannot be stored: make it a record, an enum or a sealed interface of records, or"
            + " name to Codec.record the records that stand there");
  }

  record Dated(Date date) {}

  record Listed(java.util.LinkedList<String> list) {}

  record Nested(List<java.util.LinkedList<String>> lists) {}

  @SuppressWarnings({"ArrayRecordComponent", "rawtypes"})
  record Lists(java.util.LinkedList[] lists) {}

  record Span<T extends Comparable<T>>(T from, T to) {}

  record Stay(Span<Instant> nights, Object note) {}

  @Test
  void aVariableThatIsBoundedByItselfAndAnObjectHoldWhatTheJdkHas() {
    Codec<Stay> codec = Codec.record(Stay.class);
    Stay stay = new Stay(new Span<>(Instant.EPOCH, Instant.ofEpochSecond(7)), "quiet");
    assertEquals(stay, codec.decode(codec.encode(stay)));
    String message =
        String.valueOf(
            assertThrows(
                    WrongArgumentException.class,
                    () -> codec.encode(new Stay(stay.nights(), new Line("a", 1))))
                .getMessage());
    assertTrue(message.contains("name it to Codec.record"), message);
  }

  /** In the hour that comes twice both moments come back. */
  @Test
  void zonedTimesAreTheMomentsTheyWere() {
    record At(ZonedDateTime time) {}
    Codec<At> codec = Codec.record(At.class);
    for (String text :
        List.of(
            "2026-10-25T02:30+02:00[Europe/Berlin]",
            "2026-10-25T02:30+01:00[Europe/Berlin]",
            "2026-11-20T12:30Z",
            "2026-11-20T12:30+05:45")) {
      At at = new At(ZonedDateTime.parse(text));
      assertEquals(at, codec.decode(codec.encode(at)));
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Generic<T>(List<T>[] arrays) {}

  static final class Plain {}

  sealed interface Half permits HalfRecord, HalfClass {}

  record HalfRecord() implements Half {}

  static final class HalfClass implements Half {}

  private static void assertRefused(Class<?> type, String why) {
    String message =
        String.valueOf(
            assertThrows(WrongArgumentException.class, () -> Codec.record(type)).getMessage());
    assertTrue(message.contains("values of the type cannot be stored"), message);
    assertTrue(message.contains(why), message);
  }

  @Test
  void whatCannotBeStoredIsRefusedWhenTheCodecIsMade() {
    assertRefused(Dated.class, "Dated.date is of java.util.Date, which cannot be stored");
    assertRefused(Listed.class, "declare it as List, Set, Map");
    assertRefused(Nested.class, "Nested.lists is a java.util.LinkedList: declare it as List");
    assertRefused(Lists.class, "declare it as List, Set, Map");
    assertRefused(Generic.class, "declare a List instead of an array");
    assertRefused(Plain.class, "RecordCodecTest$Plain, which cannot be stored");
    assertRefused(Half.class, "HalfClass, which org.ecstore.client.RecordCodecTest$Half permits,");
    assertRefused(String.class, "it is neither a record, an enum nor a sealed interface");
  }

  static final class Before {
    record User(String name) {}

    record Named(String name) {}
  }

  static final class After {
    enum Plan {
      FREE,
      PAID
    }

    record User(
        String name,
        @Default("en") String language,
        @Default("FREE") Plan plan,
        @Default("3") int tries,
        @Default("-1") Long balance,
        @Default("true") boolean active,
        @Default("x") char grade,
        @Default("1.50") BigDecimal rate,
        @Default("PT5M") Duration timeout,
        @Default("2026-01-01T00:00:00Z") Instant since,
        @Default("https://example.org/") URI home,
        @Default("00000000-0000-0001-0000-000000000002") UUID id) {}

    @StoredAs("Named")
    record Renamed(@StoredAs("name") String title) {}
  }

  @Test
  void aComponentThatWasAddedIsWhatItsDefaultSays() {
    Bytes stored = Codec.record(Before.User.class).encode(new Before.User("Ann"));
    assertEquals(
        new After.User(
            "Ann",
            "en",
            After.Plan.FREE,
            3,
            -1L,
            true,
            'x',
            new BigDecimal("1.50"),
            Duration.ofMinutes(5),
            Instant.parse("2026-01-01T00:00:00Z"),
            URI.create("https://example.org/"),
            new UUID(1, 2)),
        Codec.record(After.User.class).decode(stored));
  }

  @Test
  void aTypeThatWasRenamedIsFound() {
    Bytes stored = Codec.record(Before.Named.class).encode(new Before.Named("t"));
    assertEquals(new After.Renamed("t"), Codec.record(After.Renamed.class).decode(stored));
    assertEquals(stored, Codec.record(After.Renamed.class).encode(new After.Renamed("t")));
  }

  static final class Wrong {
    record Numeral(@Default("one") int number) {}

    record Truth(@Default("yes") boolean truth) {}

    record Letter(@Default("ab") char letter) {}

    record Constant(@Default("NEVER") State state) {}

    record Moment(@Default("yesterday") Instant moment) {}

    record Lines(@Default("a,b") List<String> lines) {}

    record Big(@Default("1e") BigDecimal big) {}
  }

  static List<Class<?>> wrongDefaults() {
    return List.of(Wrong.class.getDeclaredClasses());
  }

  @ParameterizedTest
  @MethodSource("wrongDefaults")
  void aDefaultThatIsNoneIsRefusedWhenTheCodecIsMade(Class<?> type) {
    assertRefused(type, ": @Default(\"");
    assertRefused(type, "RecordCodecTest$Wrong$" + type.getSimpleName() + ".");
  }

  @Test
  void valuesOfNumberedTypesAreReadWhereTheCodecIsToldHow() {
    KryoCodec<Card> before = KryoCodec.of(Card.class, Expiry.class);
    Card card = new Card("1", new Expiry(1, 2030));
    RecordCodec<Card> codec = Codec.record(Card.class);
    Bytes stored = before.encode(card);
    String message =
        String.valueOf(
            assertThrows(WrongArgumentException.class, () -> codec.decode(stored)).getMessage());
    assertTrue(message.contains("alsoReading(KryoCodec.of(...))"), message);
    RecordCodec<Card> both = codec.alsoReading(before);
    assertEquals(card, both.decode(stored));
    assertEquals(codec.encode(card), both.encode(card));
    assertEquals(card, both.decode(both.encode(card)));
    assertEquals(card, before.decode(both.encode(card)), "while both programs run");
  }
}
