package org.ecstore.client.kryo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.Evolutions.Was;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.schema.OriginalShape;
import org.ecstore.client.schema.Removed;
import org.ecstore.client.schema.StoredAs;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of stored values when their types change. */
class EvolutionTest {
  private static final Was.User ANN = new Was.User("Ann", 41, "a@b");
  private static final Was.User BOB = new Was.User("Bob", 7, "b@c");
  private static final Was.Car CAR =
      new Was.Car(
          Was.Color.RED, List.of(Was.Color.GREEN, Was.Color.RED, Was.Color.GREEN, Was.Color.BLUE));

  /** A value as it is stored, the types that read it, and what they read or say. */
  record Change(
      String what,
      Object stored,
      List<Class<?>> before,
      List<Class<?>> after,
      @Nullable Object read,
      @Nullable String refusal) {
    static Change reads(String what, Object stored, Class<?> after, Object read) {
      return new Change(what, stored, List.of(stored.getClass()), List.of(after), read, null);
    }

    static Change refuses(String what, Object stored, Class<?> after, String refusal) {
      return new Change(what, stored, List.of(stored.getClass()), List.of(after), null, refusal);
    }

    Change types(List<Class<?>> before, List<Class<?>> after) {
      return new Change(what, stored, before, after, read, refusal);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  static List<Change> components() {
    String unknown = "1 of the 3 components of a stored";
    String other = "or another type within: give it its former type";
    return List.of(
        Change.reads(
            "components in another order",
            ANN,
            Evolutions.Reordered.User.class,
            new Evolutions.Reordered.User("a@b", 41, "Ann")),
        Change.reads(
            "a component renamed, declared",
            ANN,
            Evolutions.Renamed.User.class,
            new Evolutions.Renamed.User("Ann", 41, "a@b")),
        Change.refuses(
            "a component renamed", ANN, Evolutions.RenamedUndeclared.User.class, unknown),
        Change.refuses(
            "a component renamed, what is missing",
            ANN,
            Evolutions.RenamedUndeclared.User.class,
            "(not stored: aname)"),
        Change.reads(
            "two names exchanged, declared",
            ANN,
            Evolutions.Swapped.User.class,
            new Evolutions.Swapped.User("a@b", 41, "Ann")),
        Change.refuses(
            "a name gone and another there", ANN, Evolutions.Shifted.User.class, unknown),
        Change.reads(
            "components added",
            ANN,
            Evolutions.Added.User.class,
            new Evolutions.Added.User(
                "Ann",
                41,
                "a@b",
                null,
                0,
                false,
                '\0',
                0,
                null,
                Optional.empty(),
                List.of(),
                Set.of(),
                new TreeMap<>())),
        Change.refuses(
            "a component added whose default the constructor refuses",
            ANN,
            Evolutions.AddedRefusesNull.User.class,
            "not stored, and so null, 0 or empty: note"),
        Change.reads(
            "a component added whose default the constructor replaces",
            ANN,
            Evolutions.AddedReplacesNull.User.class,
            new Evolutions.AddedReplacesNull.User("Ann", 41, "a@b", "none")),
        Change.reads(
            "a component removed, declared",
            ANN,
            Evolutions.Less.User.class,
            new Evolutions.Less.User("Ann", "a@b")),
        Change.refuses("a component removed", ANN, Evolutions.LessUndeclared.User.class, unknown),
        Change.reads(
            "one removed and one of its type added, declared",
            ANN,
            Evolutions.Replaced.User.class,
            new Evolutions.Replaced.User("Ann", 0, "a@b")),
        Change.refuses(
            "one removed and one of its type added",
            ANN,
            Evolutions.ReplacedUndeclared.User.class,
            unknown),
        Change.reads(
            "all removed, declared",
            ANN,
            Evolutions.AllGone.User.class,
            new Evolutions.AllGone.User()),
        Change.reads(
            "the first component added",
            new Was.Ping(),
            Evolutions.Grown.Ping.class,
            new Evolutions.Grown.Ping(0)),
        Change.refuses("int to String", ANN, Evolutions.AgeAsText.User.class, other),
        Change.reads(
            "int to String, stored anew",
            ANN,
            Evolutions.AgeAsTextStoredAnew.User.class,
            new Evolutions.AgeAsTextStoredAnew.User("Ann", null, "a@b")),
        Change.reads(
            "int to long",
            ANN,
            Evolutions.AgeAsLong.User.class,
            new Evolutions.AgeAsLong.User("Ann", 41, "a@b")),
        Change.refuses("int to short", ANN, Evolutions.AgeAsShort.User.class, other),
        Change.refuses("int to char", ANN, Evolutions.AgeAsChar.User.class, other),
        Change.refuses(
            "long to int", new Evolutions.AgeAsLong.User("Ann", 41, "a@b"), Was.User.class, other));
  }

  static List<Change> typesOfComponents() {
    Was.Numbers numbers = new Was.Numbers((byte) 1, (short) 2, 3, Long.MIN_VALUE, 0.1f, 6, null);
    Was.Lists lists = new Was.Lists(List.of("a"), Map.of("k", 1), Optional.of("x"));
    String other = "or another type within";
    return List.of(
        Change.reads(
            "numbers wider",
            numbers,
            Evolutions.Wider.Numbers.class,
            new Evolutions.Wider.Numbers(
                (short) 1, 2, 3L, Long.MIN_VALUE, (double) 0.1f, 6L, null)),
        Change.reads(
            "primitive to box and back",
            numbers,
            Evolutions.Boxed.Numbers.class,
            new Evolutions.Boxed.Numbers((byte) 1, (short) 2, 3, Long.MIN_VALUE, 0.1f, 6, null)),
        Change.refuses(
            "null to primitive",
            numbers,
            Evolutions.Unboxed.Numbers.class,
            "none was stored as null and is of type int: declare it java.lang.Integer"),
        Change.refuses("other elements", lists, Evolutions.OtherElements.Lists.class, other),
        Change.refuses("other map values", lists, Evolutions.OtherMapValues.Lists.class, other),
        Change.refuses("another Optional", lists, Evolutions.OtherOptional.Lists.class, other),
        Change.refuses("another container", lists, Evolutions.OtherContainer.Lists.class, other),
        Change.reads(
            "elements of a supertype",
            lists,
            Evolutions.WiderElements.Lists.class,
            new Evolutions.WiderElements.Lists(List.of("a"), Map.of("k", 1), Optional.of("x"))),
        Change.refuses("enum to String", CAR, Evolutions.ColorAsText.Car.class, other)
            .types(
                List.of(Was.Car.class, Was.Color.class),
                List.of(Evolutions.ColorAsText.Car.class, Was.Color.class)));
  }

  static List<Change> constants() {
    return List.of(
        Change.reads(
                "constants inserted, moved, one with a body",
                CAR,
                Object.class,
                new Evolutions.Inserted.Car(
                    Evolutions.Inserted.Color.RED,
                    List.of(
                        Evolutions.Inserted.Color.GREEN,
                        Evolutions.Inserted.Color.RED,
                        Evolutions.Inserted.Color.GREEN,
                        Evolutions.Inserted.Color.BLUE)))
            .types(
                List.of(Was.Car.class, Was.Color.class),
                List.of(Evolutions.Inserted.Car.class, Evolutions.Inserted.Color.class)),
        Change.reads(
                "a constant renamed, declared",
                CAR,
                Object.class,
                new Evolutions.ConstantRenamed.Car(
                    Evolutions.ConstantRenamed.Color.CRIMSON,
                    List.of(
                        Evolutions.ConstantRenamed.Color.GREEN,
                        Evolutions.ConstantRenamed.Color.CRIMSON,
                        Evolutions.ConstantRenamed.Color.GREEN,
                        Evolutions.ConstantRenamed.Color.BLUE)))
            .types(
                List.of(Was.Car.class, Was.Color.class),
                List.of(
                    Evolutions.ConstantRenamed.Car.class, Evolutions.ConstantRenamed.Color.class)),
        Change.refuses("a constant renamed", CAR, Object.class, "a constant is stored that")
            .types(
                List.of(Was.Car.class, Was.Color.class),
                List.of(
                    Evolutions.ConstantRenamedUndeclared.Car.class,
                    Evolutions.ConstantRenamedUndeclared.Color.class)),
        Change.refuses("a constant removed", CAR, Object.class, "a constant is stored that")
            .types(
                List.of(Was.Car.class, Was.Color.class),
                List.of(
                    Evolutions.ConstantRemoved.Car.class, Evolutions.ConstantRemoved.Color.class)),
        Change.reads(
                "a constant removed that the value does not have",
                Was.Color.GREEN,
                Object.class,
                Evolutions.ConstantRemoved.Color.GREEN)
            .types(List.of(Was.Color.class), List.of(Evolutions.ConstantRemoved.Color.class)));
  }

  static List<Change> types() {
    String order = "types keep their order in KryoCodec.of";
    return List.of(
        Change.reads(
            "a type renamed, declared",
            ANN,
            Evolutions.Person.Human.class,
            new Evolutions.Person.Human("Ann", 41, "a@b")),
        Change.refuses(
            "a type renamed",
            ANN,
            Evolutions.PersonUndeclared.Human.class,
            "if the type itself was renamed, declare @StoredAs on it"),
        Change.refuses("two alike exchanged", new Was.Home("Ulm"), Object.class, order)
            .types(
                List.of(Was.Home.class, Was.Work.class), List.of(Was.Work.class, Was.Home.class)),
        Change.refuses(
                "two without components exchanged",
                new Was.Ping(),
                Object.class,
                "a stored record without components is none of")
            .types(
                List.of(Was.Ping.class, Was.Pong.class), List.of(Was.Pong.class, Was.Ping.class)),
        Change.refuses(
                "two enums exchanged", Was.Color.RED, Object.class, "a constant is stored that")
            .types(
                List.of(Was.Color.class, Was.Mood.class), List.of(Was.Mood.class, Was.Color.class)),
        Change.refuses(
                "two arrays exchanged", new Was.Home[0], Object.class, "a stored array is none of")
            .types(
                List.of(Was.Home[].class, Was.Work[].class),
                List.of(Was.Work[].class, Was.Home[].class)),
        Change.refuses("record to enum", new Was.Ping(), Was.Color.class, "another kind of type"),
        Change.refuses("enum to record", Was.Color.RED, Was.Ping.class, "another kind of type"),
        Change.refuses("array to record", new Was.Home[0], Was.Ping.class, "another kind of type"),
        Change.refuses(
                "elements of a set that no longer differ",
                new Was.Points(Set.of(new Was.Point(1, 2), new Was.Point(1, 3))),
                Object.class,
                "of 2 elements of a stored set, or keys of a map, only 1 still differ")
            .types(
                List.of(Was.Points.class, Was.Point.class),
                List.of(Evolutions.OneAxis.Points.class, Evolutions.OneAxis.Point.class)),
        Change.refuses(
                "keys of a map that no longer differ",
                new Was.PointMap(Map.of(new Was.Point(1, 2), "a", new Was.Point(1, 3), "b")),
                Object.class,
                "only 1 still differ")
            .types(
                List.of(Was.PointMap.class, Was.Point.class),
                List.of(Evolutions.OneAxis.PointMap.class, Evolutions.OneAxis.Point.class)),
        Change.reads(
                "elements of a set that still differ",
                new Was.Points(Set.of(new Was.Point(1, 2), new Was.Point(2, 3))),
                Object.class,
                new Evolutions.OneAxis.Points(
                    Set.of(new Evolutions.OneAxis.Point(1), new Evolutions.OneAxis.Point(2))))
            .types(
                List.of(Was.Points.class, Was.Point.class),
                List.of(Evolutions.OneAxis.Points.class, Evolutions.OneAxis.Point.class)));
  }

  @ParameterizedTest
  @MethodSource({"components", "typesOfComponents", "constants", "types"})
  void aChangeIsReadOrRefused(Change change) {
    assertChange(change, EvolutionTest::kryo);
  }

  /** The same, where types have no numbers. */
  @ParameterizedTest
  @MethodSource({"components", "typesOfComponents", "constants"})
  void aChangeIsReadOrRefusedWhereTypesAreNamed(Change change) {
    assertChange(change, EvolutionTest::named);
  }

  private static void assertChange(Change change, Function<List<Class<?>>, BoundedKryo> of) {
    Bytes stored = of.apply(change.before).encode(change.stored);
    BoundedKryo after = of.apply(change.after);
    if (change.refusal == null) {
      Object read = after.decode(stored, Object.class);
      assertEquals(change.read, read);
      assertEquals(read, after.decode(after.encode(read), Object.class));
    } else {
      String message = refusal(after, stored);
      assertTrue(message.contains(change.refusal), message);
    }
  }

  /** Where types are named their order is of no account, and one more may come first. */
  @Test
  void namedTypesAreFoundInAnyOrder() {
    Was.Duo duo = new Was.Duo(ANN, List.of(new Was.Ping(), new Was.Pong(), ANN));
    Bytes stored =
        named(List.of(Was.Duo.class, Was.User.class, Was.Ping.class, Was.Pong.class)).encode(duo);
    BoundedKryo after =
        named(
            List.of(
                Was.Point.class, Was.Pong.class, Was.Ping.class, Was.User.class, Was.Duo.class));
    assertEquals(duo, after.decode(stored, Object.class));
    assertEquals(stored, after.encode(duo));
  }

  @Test
  void aTypeThatWasRenamedIsFoundByItsFormerName() {
    Bytes stored = named(List.of(Was.User.class)).encode(ANN);
    assertEquals(
        new Evolutions.Person.Human("Ann", 41, "a@b"),
        named(List.of(Evolutions.Person.Human.class)).decode(stored, Object.class));
    String message = refusal(named(List.of(Was.Point.class)), stored);
    assertTrue(message.contains("a type is stored that this codec does not know"), message);
    assertTrue(message.contains("@StoredAs"), message);
  }

  private static BoundedKryo named(List<Class<?>> types) {
    return BoundedKryo.named(Limits.VALUE_BYTES_MAX, types.toArray(Class<?>[]::new));
  }

  private static BoundedKryo kryo(List<Class<?>> types) {
    BoundedKryo.Builder builder = BoundedKryo.builder();
    for (int i = 0; i < types.size(); i++) {
      builder.register(types.get(i), BoundedKryo.APPLICATION_ID_MIN + i);
    }
    return builder.build();
  }

  private static String refusal(BoundedKryo kryo, Bytes stored) {
    return String.valueOf(
        assertThrows(SerialException.class, () -> kryo.decode(stored, Object.class)).getMessage());
  }

  @Test
  void aRenameThatIsDeclaredLeavesTheBytesAsTheyWere() {
    Bytes before = kryo(List.of(Was.User.class)).encode(ANN);
    Object renamed = new Evolutions.Renamed.User("Ann", 41, "a@b");
    assertEquals(before, kryo(List.of(Evolutions.Renamed.User.class)).encode(renamed));
    Object reordered = new Evolutions.Reordered.User("a@b", 41, "Ann");
    assertEquals(before, kryo(List.of(Evolutions.Reordered.User.class)).encode(reordered));
    Object ofAnotherName = new Evolutions.Person.Human("Ann", 41, "a@b");
    assertEquals(before, kryo(List.of(Evolutions.Person.Human.class)).encode(ofAnotherName));
  }

  /** It would lose the component when it writes the value back. */
  @Test
  void aProgramThatDoesNotKnowAnAddedComponentRefusesIt() {
    Bytes stored =
        kryo(List.of(Evolutions.AddedReplacesNull.User.class))
            .encode(new Evolutions.AddedReplacesNull.User("Ann", 41, "a@b", "n"));
    assertTrue(
        refusal(kryo(List.of(Was.User.class)), stored).contains("1 of the 4 components of a"));
  }

  @Test
  void recordsWithinOthersChangeToo() {
    Was.Team team = new Was.Team(ANN, List.of(BOB, ANN), Map.of("ann", ANN), new Was.User[] {BOB});
    Bytes stored = kryo(List.of(Was.Team.class, Was.User.class, Was.User[].class)).encode(team);
    assertNested(
        kryo(List.of(
                Evolutions.Nested.Team.class,
                Evolutions.Nested.User.class,
                Evolutions.Nested.User[].class))
            .decode(stored, Evolutions.Nested.Team.class));
  }

  private static void assertNested(Evolutions.Nested.Team read) {
    Evolutions.Nested.User ann = new Evolutions.Nested.User("Ann", "a@b", Optional.empty());
    Evolutions.Nested.User bob = new Evolutions.Nested.User("Bob", "b@c", Optional.empty());
    assertEquals(ann, read.lead());
    assertEquals(List.of(bob, ann), read.members());
    assertEquals(Map.of("ann", ann), read.byName());
    assertArrayEquals(new Evolutions.Nested.User[] {bob}, read.all());
  }

  /** What is skipped may be the first of a type, and define it for what is read after it. */
  @Test
  void whatIsSkippedMayHoldAnything() {
    List<Object> parts = new ArrayList<>(Samples.golden().values());
    parts.add(new Was.Secret("k", List.of(new Was.Secret("l", List.of()))));
    parts.add(new Object[] {1, Samples.ANN, null});
    List<Object> constants = List.of(Samples.Color.GREEN, Samples.Color.RED, Samples.Color.GREEN);
    for (Object part : parts) {
      for (Object kept : List.of(Samples.ANN, constants)) {
        assertSkips(new Was.Duo(part, kept), new Evolutions.WithoutA.Duo(kept));
        assertSkips(new Was.Duo(kept, part), new Evolutions.WithoutB.Duo(kept));
      }
    }
  }

  private static void assertSkips(Was.Duo stored, Record read) {
    BoundedKryo before =
        usersAnd(Was.Duo.class)
            .register(Samples.Tree.class, 102)
            .register(Samples.Pair.class, 103)
            .register(Samples.Even.class, 104)
            .register(Samples.User[].class, 105)
            .register(Samples.Everything.class, 106)
            .register(Was.Secret.class, 107)
            .register(Object[].class, 108)
            .build();
    assertSkips(before.encode(stored), usersAnd(read.getClass()).build(), read);
    BoundedKryo beforeByName =
        named(
            List.of(
                Was.Duo.class,
                Samples.User.class,
                Samples.Color.class,
                Samples.Tree.class,
                Samples.Pair.class,
                Samples.Even.class,
                Samples.User[].class,
                Samples.Everything.class,
                Was.Secret.class,
                Object[].class));
    BoundedKryo afterByName =
        named(List.of(Samples.Color.class, Samples.User.class, read.getClass()));
    assertSkips(beforeByName.encode(stored), afterByName, read);
  }

  private static void assertSkips(Bytes bytes, BoundedKryo after, Record read) {
    assertEquals(read, after.decode(bytes, Object.class), bytes::toString);
    for (int length = 0; length < bytes.length(); length++) {
      Bytes cut = bytes.slice(0, length);
      assertThrows(SerialException.class, () -> after.decode(cut, Object.class));
    }
  }

  /** Of the types that the parts are of, only these are still registered. */
  private static BoundedKryo.Builder usersAnd(Class<?> pair) {
    return BoundedKryo.builder()
        .register(pair, 200)
        .register(Samples.User.class, 100)
        .register(Samples.Color.class, 101);
  }

  @Test
  void whatIsSkippedIsNoDeeperThanWhatIsRead() {
    Object deep = 1;
    for (int i = 0; i < 12; i++) {
      deep = List.of(deep);
    }
    Bytes bytes = kryo(List.of(Was.Duo.class)).encode(new Was.Duo(deep, null));
    BoundedKryo.Builder shallow =
        BoundedKryo.builder().register(Evolutions.WithoutA.Duo.class, 100);
    assertEquals(
        new Evolutions.WithoutA.Duo(null),
        shallow.depthMax(14).build().decode(bytes, Object.class));
    assertTrue(refusal(shallow.depthMax(13).build(), bytes).contains("Max depth exceeded: 13"));
  }

  /** The issue's own case, and why there is another format now. */
  @Test
  void formatOneIsReadAfterARenameThatIsDeclared() {
    Bytes stored = new FirstFormatWriter(Was.User.class).encode(ANN);
    assertEquals(
        new Evolutions.Renamed.User("Ann", 41, "a@b"),
        kryo(List.of(Evolutions.Renamed.User.class)).decode(stored, Object.class));
    assertEquals(
        new Evolutions.Swapped.User("a@b", 41, "Ann"),
        kryo(List.of(Evolutions.Swapped.User.class)).decode(stored, Object.class));
    assertEquals(
        new Evolutions.Reordered.User("a@b", 41, "Ann"),
        kryo(List.of(Evolutions.Reordered.User.class)).decode(stored, Object.class));
  }

  @Test
  void formatOneIsReadByTheOriginalShape() {
    Was.Team team = new Was.Team(ANN, List.of(BOB, ANN), Map.of("ann", ANN), new Was.User[] {BOB});
    Bytes stored =
        new FirstFormatWriter(Was.Team.class, Was.User.class, Was.User[].class).encode(team);
    Evolutions.Much.Team read =
        kryo(List.of(
                Evolutions.Much.Team.class,
                Evolutions.Much.User.class,
                Evolutions.Much.User[].class))
            .decode(stored, Evolutions.Much.Team.class);
    Evolutions.Much.User ann = new Evolutions.Much.User(Optional.empty(), "a@b", "Ann");
    Evolutions.Much.User bob = new Evolutions.Much.User(Optional.empty(), "b@c", "Bob");
    assertEquals(ann, read.lead());
    assertEquals(List.of(bob, ann), read.members());
    assertEquals(Map.of("ann", ann), read.byName());
    assertArrayEquals(new Evolutions.Much.User[] {bob}, read.all());
  }

  @ParameterizedTest
  @ValueSource(ints = {BoundedKryo.FIRST_FORMAT, BoundedKryo.FORMAT})
  void keptBytesAreReadByALaterRecord(int format) {
    Bytes kept = Objects.requireNonNull(Samples.goldenBytes(format).get("User Ann"));
    assertEquals(
        new Evolutions.Later.User(
            List.of(), Samples.Color.GREEN, List.of("Bob"), Optional.of("a@b"), "Ann"),
        kryo(List.of(Evolutions.Later.User.class, Samples.Color.class)).decode(kept, Object.class));
  }

  @Test
  void constantsOfFormatOneAreReadByTheOriginalOrder() {
    FirstFormatWriter writer = new FirstFormatWriter(Was.Car.class, Was.Color.class);
    BoundedKryo after = kryo(List.of(Evolutions.Much.Car.class, Evolutions.Much.Color.class));
    Was.Car car = new Was.Car(Was.Color.RED, List.of(Was.Color.BLUE));
    assertEquals(
        new Evolutions.Much.Car(Evolutions.Much.Color.CRIMSON, List.of(Evolutions.Much.Color.BLUE)),
        after.decode(writer.encode(car), Object.class));
    assertTrue(
        refusal(after, writer.encode(CAR)).contains("constant 1 is stored, which"),
        "GREEN is gone");
  }

  @Test
  void formatOneIsRefusedWhereItCannotBeTold() {
    Bytes stored = new FirstFormatWriter(Was.User.class).encode(ANN);
    BoundedKryo.Builder users = BoundedKryo.builder().register(Was.User.class, 100);
    assertTrue(refusal(users.withoutFirstFormat().build(), stored).contains("not to read"));
    assertTrue(
        refusal(kryo(List.of(Evolutions.Less.User.class)), stored)
            .contains("does not say where they are: declare @OriginalShape"));
    Bytes points =
        new FirstFormatWriter(Was.Points.class, Was.Point.class)
            .encode(new Was.Points(Set.of(new Was.Point(1, 2), new Was.Point(1, 3))));
    assertTrue(
        refusal(kryo(List.of(Evolutions.Much.Points.class, Evolutions.Much.Point.class)), points)
            .contains("only 1 still differ"));
  }

  static final class Contradictions {
    record TwoOfOneName(@StoredAs("a") int b, int a) {}

    @Removed("a")
    record StillThere(int a) {}

    @Removed("a")
    record StoredAgain(@StoredAs("a") int b) {}

    enum TwoConstants {
      A,
      @StoredAs("A")
      B
    }

    @OriginalShape(Was.Color.class)
    record OriginallyAnEnum(int a) {}

    @OriginalShape(Was.Ping.class)
    enum OriginallyARecord {
      A
    }

    @OriginalShape(Was.Point.class)
    record OriginallyMore(int x) {}
  }

  @Test
  void declarationsThatContradictThemselvesAreRefused() {
    assertContradiction(Contradictions.TwoOfOneName.class, "are stored under one id");
    assertContradiction(Contradictions.StillThere.class, "is stored as a, which is @Removed");
    assertContradiction(Contradictions.StoredAgain.class, "is stored as a, which is @Removed");
    assertContradiction(Contradictions.TwoConstants.class, "are stored under one id");
    assertContradiction(Contradictions.OriginallyAnEnum.class, "is not a record");
    assertContradiction(Contradictions.OriginallyARecord.class, "is not an enum");
    assertContradiction(Contradictions.OriginallyMore.class, "has a component y that is gone");
    WrongArgumentException twice =
        assertThrows(
            WrongArgumentException.class,
            () -> kryo(List.of(Was.User.class, Evolutions.Renamed.User.class)));
    assertTrue(String.valueOf(twice.getMessage()).contains("are stored under one name"));
  }

  private static void assertContradiction(Class<?> type, String part) {
    String message =
        String.valueOf(
            assertThrows(WrongArgumentException.class, () -> kryo(List.of(type))).getMessage());
    assertTrue(message.contains(part), message);
  }
}
