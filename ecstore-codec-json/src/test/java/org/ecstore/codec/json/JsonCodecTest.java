package org.ecstore.codec.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.Codec;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

class JsonCodecTest {
  private enum Colour {
    RED,
    GREEN
  }

  private record Address(String street, int number) {}

  private record User(
      String name,
      Optional<LocalDate> born,
      Instant since,
      OffsetDateTime seen,
      Duration idle,
      BigDecimal credit,
      UUID id,
      URI home,
      Colour colour,
      List<Address> addresses,
      Map<String, Integer> counts) {}

  private static final User ALICE =
      new User(
          "Alice \u00e9\ud83d\ude00",
          Optional.of(LocalDate.of(1990, 1, 31)),
          Instant.parse("2026-01-31T10:00:00.123456789Z"),
          OffsetDateTime.parse("2026-01-31T12:00:00+02:00"),
          Duration.ofMillis(1_500),
          new BigDecimal("12.50"),
          new UUID(1, 2),
          URI.create("https://example.org/a"),
          Colour.GREEN,
          List.of(new Address("High Street", 7)),
          Map.of("visits", 3));

  @Test
  void valuesComeBackAndAreReadable() {
    JsonCodec<User> codec = JsonCodec.of(User.class);
    Bytes encoded = codec.encode(ALICE);
    assertEquals(ALICE, codec.decode(encoded));
    String text = Codec.utf8().decode(encoded);
    for (String part :
        List.of(
            "\"born\":\"1990-01-31\"",
            "\"since\":\"2026-01-31T10:00:00.123456789Z\"",
            "\"idle\":\"PT1.5S\"",
            "\"credit\":12.50",
            "\"colour\":\"GREEN\"")) {
      assertTrue(text.contains(part), text);
    }
  }

  @Test
  void typesHaveParametersToo() {
    JsonCodec<List<Address>> codec = JsonCodec.of(new TypeReference<List<Address>>() {});
    List<Address> two = List.of(new Address("a", 1), new Address("b", 2));
    assertEquals(two, codec.decode(codec.encode(two)));
  }

  private record Wide(BigInteger number, ZonedDateTime at, Map<String, Integer> counts) {}

  /** What can be written can be read, whatever Jackson's limits are by themselves. */
  @Test
  void longNumbersLongNamesAndZonesComeBack() {
    JsonCodec<Wide> codec = JsonCodec.of(Wide.class);
    Wide wide =
        new Wide(
            BigInteger.TEN.pow(5_000),
            ZonedDateTime.of(2026, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")),
            Map.of("n".repeat(60_000), 1));
    assertEquals(wide, codec.decode(codec.encode(wide)));
  }

  private record Before(String name, int age, String mail) {}

  @JsonIgnoreProperties("age")
  private record After(
      @JsonAlias("name") String title, String mail, Optional<String> phone, long visits) {}

  @Test
  void aTypeMayChangeAsItDeclares() {
    Bytes stored = JsonCodec.of(Before.class).encode(new Before("Alice", 30, "a@example.org"));
    assertEquals(
        new After("Alice", "a@example.org", Optional.empty(), 0),
        JsonCodec.of(After.class).decode(stored));
  }

  /** The old program would lose the new member when it writes the value again. */
  @Test
  void aMemberThatIsNotDeclaredIsRefused() {
    Bytes stored = JsonCodec.of(Address.class).encode(new Address("a", 1));
    record Street(String street) {}
    assertWrong("Unrecognized field \"number\"", () -> JsonCodec.of(Street.class).decode(stored));
    JsonMapper lenient =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    assertEquals(new Street("a"), JsonCodec.of(Street.class, lenient).decode(stored));
  }

  private static void assertWrong(String why, Runnable call) {
    WrongArgumentException wrong = assertThrows(WrongArgumentException.class, call::run);
    assertTrue(String.valueOf(wrong.getMessage()).contains(why), wrong::getMessage);
  }

  @Test
  void whatIsNoJsonOfTheTypeIsRefused() {
    JsonCodec<Address> codec = JsonCodec.of(Address.class);
    for (String stored :
        List.of(
            "",
            "{",
            "[]",
            "{\"street\":\"a\",\"number\":\"x\"}",
            "{\"street\":\"a\",\"number\":99999999999}",
            "{\"street\":\"a\",\"number\":1} 1")) {
      assertWrong("JsonCodecTest$Address", () -> codec.decode(Bytes.utf8(stored)));
    }
    assertWrong("JsonCodecTest$Address", () -> codec.decode(Bytes.of(0xff)));
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
  private sealed interface Shape {}

  private record Circle(double radius) implements Shape {}

  private record Square(double side) implements Shape {}

  /** Written by its declared type, within a list and alone alike. */
  @Test
  void sealedTypesKeepTheirNames() {
    JsonCodec<Shape> codec = JsonCodec.of(Shape.class);
    assertEquals(new Square(2), codec.decode(codec.encode(new Square(2))));
    assertEquals(new Circle(1), codec.decode(codec.encode(new Circle(1))));
  }

  @Test
  void whatHasNoEndIsRefused() {
    List<Object> loop = new ArrayList<>();
    loop.add(loop);
    assertWrong(
        "java.util.List", () -> JsonCodec.of(new TypeReference<List<Object>>() {}).encode(loop));
  }
}
