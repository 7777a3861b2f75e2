package org.ecstore.client.kryo;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.ecstore.client.schema.OriginalShape;
import org.ecstore.client.schema.Removed;
import org.ecstore.client.schema.StoredAs;
import org.jspecify.annotations.Nullable;

/** The same types at different times: those of {@link Was} are stored, the others read. */
@SuppressWarnings({"SameNameButDifferent", "ArrayRecordComponent"}) // That is what they are for.
final class Evolutions {
  private Evolutions() {}

  static final class Was {
    record User(String name, int age, String mail) {}

    record Numbers(
        byte b, short s, int i, long l, float f, @Nullable Integer boxed, @Nullable Integer none) {}

    record Lists(List<String> list, Map<String, Integer> map, Optional<String> maybe) {}

    record Team(User lead, List<User> members, Map<String, User> byName, User[] all) {}

    record Duo(@Nullable Object a, @Nullable Object b) {}

    record Secret(String key, List<Secret> within) {}

    record Point(int x, int y) {}

    record Points(Set<Point> set) {}

    record PointMap(Map<Point, String> map) {}

    record Home(String city) implements Place {}

    record Work(String city) implements Place {}

    record Ping() {}

    record Pong() {}

    enum Color {
      RED,
      GREEN,
      BLUE
    }

    enum Mood {
      RED,
      GREEN
    }

    record Car(Color color, List<Color> more) {}
  }

  interface Place {}

  static final class Reordered {
    record User(String mail, int age, String name) {}
  }

  static final class Renamed {
    record User(@StoredAs("name") String title, int age, String mail) {}
  }

  static final class RenamedUndeclared {
    record User(String aname, int age, String mail) {}
  }

  static final class Swapped {
    record User(@StoredAs("mail") String name, int age, @StoredAs("name") String mail) {}
  }

  static final class Shifted {
    record User(String mail, int age, String zip) {}
  }

  static final class Added {
    record User(
        String name,
        int age,
        String mail,
        @Nullable String note,
        int visits,
        boolean active,
        char grade,
        double score,
        @Nullable Long total,
        Optional<String> nick,
        List<String> tags,
        Set<Long> ids,
        SortedMap<String, String> sorted) {}
  }

  static final class AddedRefusesNull {
    record User(String name, int age, String mail, String note) {
      User {
        if (note == null) {
          throw new IllegalArgumentException("no note");
        }
      }
    }
  }

  static final class AddedReplacesNull {
    record User(String name, int age, String mail, String note) {
      User {
        note = note == null ? "none" : note;
      }
    }
  }

  static final class Less {
    @Removed("age")
    record User(String name, String mail) {}
  }

  static final class LessUndeclared {
    record User(String name, String mail) {}
  }

  static final class Replaced {
    @Removed("age")
    record User(String name, int height, String mail) {}
  }

  static final class ReplacedUndeclared {
    record User(String name, int height, String mail) {}
  }

  static final class AllGone {
    @Removed({"name", "age", "mail"})
    record User() {}
  }

  static final class AgeAsText {
    record User(String name, String age, String mail) {}
  }

  static final class AgeAsTextStoredAnew {
    @Removed("age")
    record User(String name, @Nullable @StoredAs("ageText") String age, String mail) {}
  }

  static final class AgeAsLong {
    record User(String name, long age, String mail) {}
  }

  static final class AgeAsShort {
    record User(String name, short age, String mail) {}
  }

  static final class AgeAsChar {
    record User(String name, char age, String mail) {}
  }

  static final class Wider {
    record Numbers(
        short b,
        int s,
        @Nullable Long i,
        @Nullable Object l,
        double f,
        @Nullable Long boxed,
        @Nullable Long none) {}
  }

  static final class Boxed {
    record Numbers(
        Byte b, Short s, Integer i, Long l, Float f, int boxed, @Nullable Integer none) {}
  }

  static final class Unboxed {
    record Numbers(byte b, short s, int i, long l, float f, int boxed, int none) {}
  }

  static final class OtherElements {
    record Lists(List<Integer> list, Map<String, Integer> map, Optional<String> maybe) {}
  }

  static final class OtherMapValues {
    record Lists(List<String> list, Map<String, Long> map, Optional<String> maybe) {}
  }

  static final class OtherOptional {
    record Lists(List<String> list, Map<String, Integer> map, Optional<Integer> maybe) {}
  }

  static final class OtherContainer {
    record Lists(Set<String> list, Map<String, Integer> map, Optional<String> maybe) {}
  }

  static final class WiderElements {
    record Lists(List<?> list, Map<?, ? extends Number> map, Optional<Object> maybe) {}
  }

  static final class Nested {
    @Removed("age")
    record User(@StoredAs("name") String title, String mail, Optional<String> nick) {}

    record Team(User lead, List<User> members, Map<String, User> byName, User[] all) {}
  }

  static final class WithoutA {
    @Removed("a")
    record Duo(@Nullable Object b) {}
  }

  static final class WithoutB {
    @Removed("b")
    record Duo(@Nullable Object a) {}
  }

  static final class OneAxis {
    @Removed("y")
    record Point(int x) {}

    record Points(Set<Point> set) {}

    record PointMap(Map<Point, String> map) {}
  }

  static final class Person {
    @StoredAs("User")
    record Human(String name, int age, String mail) {}
  }

  static final class PersonUndeclared {
    record Human(String name, int age, String mail) {}
  }

  static final class Grown {
    record Ping(int count) {}
  }

  static final class Inserted {
    enum Color {
      BLACK,
      BLUE,
      RED,
      WHITE,
      GREEN {
        @Override
        public String toString() {
          return "green";
        }
      }
    }

    record Car(Color color, List<Color> more) {}
  }

  static final class ConstantRenamed {
    enum Color {
      @StoredAs("RED")
      CRIMSON,
      GREEN,
      BLUE
    }

    record Car(Color color, List<Color> more) {}
  }

  static final class ConstantRenamedUndeclared {
    enum Color {
      CRIMSON,
      GREEN,
      BLUE
    }

    record Car(Color color, List<Color> more) {}
  }

  static final class ConstantRemoved {
    enum Color {
      RED,
      GREEN
    }

    record Car(Color color, List<Color> more) {}
  }

  static final class ColorAsText {
    record Car(String color, List<String> more) {}
  }

  /** A later one of {@link Samples}. */
  static final class Later {
    @Removed("age")
    @OriginalShape(Samples.User.class)
    record User(
        List<String> aliases,
        Samples.Color color,
        List<String> friends,
        @StoredAs("mail") Optional<String> address,
        @StoredAs("name") String title) {}
  }

  /** Everything at once, with values of format 1 in the store. */
  static final class Much {
    @Removed("age")
    @OriginalShape(Was.User.class)
    record User(
        Optional<String> aka, @StoredAs("mail") String address, @StoredAs("name") String zname) {}

    record Team(User lead, List<User> members, Map<String, User> byName, User[] all) {}

    @OriginalShape(Was.Color.class)
    enum Color {
      BLACK,
      BLUE {
        @Override
        public String toString() {
          return "blue";
        }
      },
      @StoredAs("RED")
      CRIMSON
    }

    /** Its colour was of a final class, and is not since a constant has a body. */
    @OriginalShape(Was.Car.class)
    record Car(Color color, List<Color> more) {}

    @Removed("y")
    @OriginalShape(Was.Point.class)
    record Point(int x) {}

    record Points(Set<Point> set) {}
  }
}
