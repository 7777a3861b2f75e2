package org.ecstore.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MessageTableTest {
  sealed interface Pet {}

  sealed interface Loud extends Pet {}

  record Dog(long age) implements Loud {}

  record Cat(String name) implements Loud {}

  record Fish() implements Pet {}

  private static MessageTable.Builder<Pet> dogsAndCats() {
    return MessageTable.of(Pet.class, "pet", 10, 19)
        .row(11, Cat.class, (out, cat) -> out.text(cat.name()), in -> new Cat(in.text()))
        .answeredBy(Dog.class)
        .row(10, Dog.class, (out, dog) -> out.varint(dog.age()), in -> new Dog(in.varint()));
  }

  private static MessageTable.Builder<Pet> withFish(int number) {
    return dogsAndCats().row(number, Fish.class, (out, fish) -> {}, in -> new Fish());
  }

  @Test
  void messagesComeBackByTheirNumbers() {
    MessageTable<Pet> table = withFish(19).build();
    for (Pet pet : List.of(new Dog(3), new Cat("tom"), new Fish())) {
      WireWriter out = new WireWriter();
      table.writeNested(out, pet);
      assertEquals(table.numberOf(pet.getClass()), out.toBytes().at(0));
      assertEquals(pet, table.readNested(new WireReader(out.toBytes())));
    }
    assertEquals(List.of(10, 11, 19), table.rows().stream().map(MessageTable.Row::number).toList());
    assertEquals(List.of(Dog.class), table.row(11).answers());
    assertEquals(List.of(), table.row(10).answers());
    assertEquals(1, table.version());
  }

  @Test
  void numbersOfNoRowAreRefused() {
    MessageTable<Pet> table = withFish(19).build();
    for (long number : new long[] {0, 9, 12, 20, -1, 1L << 32 | 10}) {
      assertMessage(
          MalformedMessageException.class, "unknown pet: " + number, () -> table.row(number));
    }
  }

  @Test
  void aKindThatIsNotWantedIsRefusedBeforeItIsRead() {
    MessageTable<Pet> table = withFish(19).build();
    WireReader in = new WireReader(Bytes.of(19));
    assertMessage(
        MalformedMessageException.class,
        "Fish where only Loud is allowed",
        () -> table.readNested(in, Loud.class));
  }

  @Test
  void aMessageWithoutARowFailsTheTableByItsName() {
    assertFails("without a row in the table of messages: [" + Fish.class.getName(), dogsAndCats());
  }

  @Test
  void numbersAreTheFamilysOwnOnceAndForEver() {
    assertFails("number 20 is not for", withFish(20));
    assertFails("number 9 is not for", withFish(9));
    assertFails("number 12 is not for", withFish(12).reserved(12, 13));
    assertMessage(IllegalArgumentException.class, "number 11 is taken", () -> withFish(11));
    assertFails(
        "has two rows", withFish(12).row(13, Fish.class, (out, fish) -> {}, in -> new Fish()));
    for (int[] wrong : new int[][] {{-1, 3}, {4, 3}, {0, 1 << 12}}) {
      assertMessage(
          IllegalArgumentException.class,
          "no numbers for Pet",
          () -> MessageTable.of(Pet.class, "pet", wrong[0], wrong[1]));
    }
  }

  @Test
  void aFamilyThatOthersMayJoinHasNoTable() {
    assertMessage(
        IllegalArgumentException.class,
        "neither sealed nor a record",
        () -> MessageTable.of(Runnable.class, "task", 1, 2).build());
  }

  @Test
  void rowsSaySinceWhichVersionTheyAre() {
    MessageTable<Pet> table =
        dogsAndCats().since(3).row(12, Fish.class, (out, fish) -> {}, in -> new Fish()).build();
    assertEquals(3, table.row(12).since());
    assertEquals(1, table.row(10).since());
    assertEquals(3, table.version());
  }

  private static void assertFails(String part, MessageTable.Builder<?> builder) {
    assertMessage(IllegalArgumentException.class, part, builder::build);
  }

  private static void assertMessage(
      Class<? extends RuntimeException> type, String part, Executable call) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
