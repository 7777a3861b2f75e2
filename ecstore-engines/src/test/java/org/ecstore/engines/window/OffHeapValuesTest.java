package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ecstore.engines.window.OffHeapValues.Place;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

/** When memory is used again, and when it is not. Four values fit a chunk. */
class OffHeapValuesTest {
  private static final int CHUNK = 32;

  private final ReaderPins pins = new ReaderPins();
  private final OffHeapValues values =
      new OffHeapValues(new ValueSizes(3, 8, CHUNK), pins, WindowRules.RIGHT);

  private Place put(int value) {
    return Objects.requireNonNull(values.put(Bytes.utf8("%08d".formatted(value))));
  }

  private List<Place> fill(int from, int count) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(put(from + i));
    }
    return places;
  }

  private static List<Integer> read(List<Place> places) {
    return places.stream().map(place -> Integer.parseInt(place.bytes().toUtf8())).toList();
  }

  @Test
  void whatIsPutIsReadUntilItLeaves() {
    List<Place> places = fill(0, 6);
    assertEquals(List.of(0, 1, 2, 3, 4, 5), read(places));
    assertEquals(8, places.getFirst().length());
    assertEquals(2 * CHUNK, values.bytes());
  }

  @Test
  void memoryOfWhatHasLeftIsUsedAgain() {
    for (int round = 0; round < 1_000; round++) {
      List<Place> places = fill(round, 5);
      assertEquals(List.of(round, round + 1, round + 2, round + 3, round + 4), read(places));
      places.forEach(Place::leave);
      values.rest();
    }
    assertEquals(3 * CHUNK, values.bytes());
  }

  @Test
  void oneThatStaysKeepsItsChunk() {
    Place stays = put(7);
    for (int round = 0; round < 100; round++) {
      fill(100, 9).forEach(Place::leave);
      values.rest();
    }
    assertEquals(7, Integer.parseInt(stays.bytes().toUtf8()));
  }

  @Test
  void itIsNotUsedAgainBeforeReadersHaveEndedThatWereUnderWay() {
    List<Place> places = fill(0, 5);
    long reader = pins.pin();
    places.forEach(Place::leave);
    values.rest();
    long later = pins.pin();
    fill(100, 8);
    assertEquals(List.of(0, 1, 2, 3), read(places.subList(0, 4)));
    pins.unpin(reader);
    values.rest();
    fill(200, 8);
    assertEquals(5 * CHUNK, values.bytes(), "the first chunk is one of those of 21 values");
    pins.unpin(later);
  }

  @Test
  void itIsNotUsedAgainBeforeTheCallersThreadHasComeToRest() {
    List<Place> places = fill(0, 5);
    places.forEach(Place::leave);
    fill(100, 8);
    assertEquals(List.of(0, 1, 2, 3), read(places.subList(0, 4)));
  }

  @Test
  void shortAndLongValuesStayWhereTheyAre() {
    assertNull(values.put(Bytes.utf8("12")));
    assertNull(values.put(Bytes.utf8("123456789")));
    assertNotNull(values.put(Bytes.utf8("123")));
  }

  /** Four chunks are allowed beside the window's. */
  @Test
  void beyondTheWindowsBoundValuesStayWhereTheyAre() {
    values.bytesMax(CHUNK);
    fill(0, 4 * 5);
    assertNull(values.put(Bytes.utf8("12345678")));
    assertEquals(5 * CHUNK, values.bytes());
  }
}
