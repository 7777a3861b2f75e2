package org.ecstore.client.kryo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.Samples.Pair;
import org.ecstore.client.kryo.Samples.Tree;
import org.ecstore.client.kryo.Samples.User;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedKryoTest {
  private final BoundedKryo kryo = Samples.builder().build();

  /** Those of format 1 were written by a release that knew no other. */
  @ParameterizedTest
  @ValueSource(ints = {BoundedKryo.FIRST_FORMAT, BoundedKryo.FORMAT})
  void bytesThatWereStoredAreReadForEver(int format) {
    Map<String, Bytes> stored = Samples.goldenBytes(format);
    Map<String, Object> values = Samples.golden();
    assertEquals(values.keySet(), stored.keySet());
    stored.forEach(
        (name, bytes) -> {
          assertEquals(format, bytes.array()[0], name);
          Object read = kryo.decode(bytes, Object.class);
          assertTrue(Objects.deepEquals(values.get(name), read), name);
        });
  }

  /** A change of the bytes is a new format: it takes another first byte and another file. */
  @Test
  void bytesOfValuesNeverChange() {
    Map<String, Bytes> stored = Samples.goldenBytes(BoundedKryo.FORMAT);
    Samples.golden()
        .forEach((name, value) -> assertEquals(stored.get(name), kryo.encode(value), name));
  }

  /** One of numbered types reads values of named ones too, so that a table can go over to them. */
  @Test
  void bytesOfNamedTypesAreReadForEverAndNeverChange() {
    Map<String, Bytes> stored = Samples.goldenBytes(BoundedKryo.NAMED_FORMAT);
    Map<String, Object> values = Samples.goldenOfNames();
    assertEquals(values.keySet(), stored.keySet());
    BoundedKryo named = Samples.named();
    stored.forEach(
        (name, bytes) -> {
          Object value = Objects.requireNonNull(values.get(name));
          assertEquals(bytes, named.encode(value), name);
          assertTrue(Objects.deepEquals(value, named.decode(bytes, Object.class)), name);
          assertTrue(Objects.deepEquals(value, kryo.decode(bytes, Object.class)), name);
        });
  }

  @Test
  void oneOfNamedTypesSaysWhatNumbersNeed() {
    BoundedKryo named = Samples.named();
    for (int format : List.of(BoundedKryo.FIRST_FORMAT, BoundedKryo.FORMAT)) {
      Bytes ann = Objects.requireNonNull(Samples.goldenBytes(format).get("User Ann"));
      assertRefused(
          "a value of format " + format + ", in which types have numbers: say by alsoReading",
          () -> named.decode(ann, User.class));
    }
  }

  @Test
  void typesThatWereNotMetAreRefused() {
    BoundedKryo named = Samples.named();
    assertRefused("type 1 of 0", () -> named.decode(Bytes.of(3, 2 + 101), Object.class));
    assertRefused(
        "a type is stored that this codec does not know",
        () -> named.decode(Bytes.of(3, 2 + 100, 1, 2, 3, 4), Object.class));
    assertRefused("ends early", () -> named.decode(Bytes.of(3, 2 + 100, 1, 2), Object.class));
  }

  @Test
  void theWriterOfFormatOneInTheseTestsIsThatOfOld() {
    FirstFormatWriter writer =
        new FirstFormatWriter(
            User.class,
            Samples.Color.class,
            Tree.class,
            Pair.class,
            Samples.Even.class,
            User[].class,
            Samples.Everything.class);
    Map<String, Bytes> stored = Samples.goldenBytes(BoundedKryo.FIRST_FORMAT);
    Samples.golden()
        .forEach((name, value) -> assertEquals(stored.get(name), writer.encode(value), name));
  }

  @Test
  void theFirstByteNamesTheFormat() {
    Bytes ann = kryo.encode(Samples.ANN);
    Bytes annAtFirst =
        Objects.requireNonNull(Samples.goldenBytes(BoundedKryo.FIRST_FORMAT).get("User Ann"));
    for (int format = 0; format <= 255; format++) {
      Bytes first = Bytes.of(format);
      Bytes as = first.concat(ann.slice(1, ann.length()));
      Bytes asAtFirst = first.concat(annAtFirst.slice(1, annAtFirst.length()));
      if (format == BoundedKryo.FORMAT) {
        assertEquals(Samples.ANN, kryo.decode(as, User.class));
        assertThrows(SerialException.class, () -> kryo.decode(asAtFirst, User.class));
      } else if (format == BoundedKryo.FIRST_FORMAT) {
        assertEquals(Samples.ANN, kryo.decode(asAtFirst, User.class));
        assertThrows(SerialException.class, () -> kryo.decode(as, User.class));
      } else if (format == BoundedKryo.NAMED_FORMAT) {
        assertThrows(SerialException.class, () -> kryo.decode(as, User.class));
        assertThrows(SerialException.class, () -> kryo.decode(asAtFirst, User.class));
      } else {
        String refusal = "unknown format of a value: " + format + "; a later ecStore may";
        assertRefused(refusal, () -> kryo.decode(as, User.class));
        assertRefused(refusal, () -> kryo.decode(asAtFirst, User.class));
      }
    }
  }

  @Test
  void collectionsOfAnyClassComeBackEqual() {
    for (Object collection : Samples.hiddenClasses()) {
      assertEquals(
          collection,
          kryo.decode(kryo.encode(collection), Object.class),
          () -> collection.getClass().getName());
    }
  }

  @Test
  void twoKryosOfTheSameRegistrationsAgree() {
    BoundedKryo other = Samples.builder().build();
    assertEquals(Samples.ANN, other.decode(kryo.encode(Samples.ANN), User.class));
  }

  @Test
  void theOrderOfRegistrationsDoesNotMatter() {
    BoundedKryo forward =
        BoundedKryo.builder().register(User.class, 100).register(Samples.Color.class, 101).build();
    BoundedKryo backward =
        BoundedKryo.builder().register(Samples.Color.class, 101).register(User.class, 100).build();
    assertEquals(forward.encode(Samples.ANN), backward.encode(Samples.ANN));
  }

  @Test
  void unregisteredClassesAreRefused() {
    assertRefused(
        "Samples$Unknown is not registered: give it a number from 100 up",
        () -> kryo.encode(new Samples.Unknown(1)));
    assertRefused(
        "Samples$Unknown is not registered",
        () -> kryo.encode(List.of(new Pair(new Samples.Unknown(1), null))));
    assertRefused("java.lang.Object is not registered", () -> kryo.encode(new Object()));
    assertRefused(
        "unregistered class ID: 99", () -> kryo.decode(value(out -> classId(out, 99)), Pair.class));
    for (int id = 0; id < 10; id++) {
      int own = id;
      assertRefused(
          "unregistered class ID", () -> kryo.decode(value(out -> classId(out, own)), Pair.class));
    }
  }

  @Test
  void classNamesAreRefusedUnread() {
    Bytes named =
        value(
            out -> {
              out.writeVarInt(1, true);
              out.writeVarInt(0, true);
              out.writeString("org.ecstore.client.kryo.Samples$Pair");
            });
    assertRefused("a class name instead", () -> kryo.decode(named, Object.class));
    Bytes within =
        value(
            out -> {
              classId(out, 30);
              out.writeVarInt(1, true);
              out.writeVarInt(1, true);
              out.writeVarInt(0, true);
              out.writeString("org.ecstore.client.kryo.Samples$Pair");
            });
    assertRefused("a class name instead", () -> kryo.decode(within, Object.class));
  }

  /** Each in some 20 bytes; were room made first, the heap would not hold it. */
  @ParameterizedTest
  @ValueSource(ints = {40, 41, 42, 43, 44, 45, 47})
  void arraysLongerThanTheirBytesAreRefused(int id) {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 30, 17, -1, -2}) {
      Bytes bomb =
          value(
              out -> {
                classId(out, id);
                out.writeVarInt(length, true);
                out.writeBytes(new byte[15]);
              });
      assertRefused("a length of", () -> kryo.decode(bomb, Object.class));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 30, 31, 32, 33, 34, 46, 48, 105})
  void collectionsLongerThanTheirBytesAreRefused(int id) {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 1 << 30, 16, -1}) {
      Bytes bomb =
          value(
              out -> {
                classId(out, id);
                out.writeBytes(id == 105 ? definitionOfUsers() : new byte[0]);
                out.writeVarInt(length, true);
                out.writeBytes(new byte[15]);
              });
      assertRefused("a length of", () -> kryo.decode(bomb, Object.class));
    }
  }

  private static byte[] definitionOfUsers() {
    return Definition.bytesOfArray(StoredNames.hash("array User[]"));
  }

  /** Records of no bytes, each of a hundred components. */
  @Test
  void recordsThatTakeRoomAndNoBytesAreLimited() {
    Bytes bomb = emptyRecords(10_000);
    assertRefused("too many records without components", () -> kryo.decode(bomb, Object.class));
    assertEquals(10, kryo.decode(emptyRecords(10), List.class).size());
  }

  private static Bytes emptyRecords(int count) {
    return value(
        out -> {
          classId(out, 30);
          out.writeVarInt(count, true);
          for (int i = 0; i < count; i++) {
            classId(out, 107);
            if (i == 0) {
              out.writeBytes(Definition.bytesOfRecord(StoredNames.hash("record Wide{}")));
            }
          }
        });
  }

  @Test
  void definitionsThatAreNoneAreRefused() {
    assertRefused("unknown form of type: 3", () -> kryo.decode(defined(3), Object.class));
    assertRefused("unknown form of type: 5", () -> kryo.decode(defined(5), Object.class));
    assertRefused("of 256 components", () -> kryo.decode(defined(256 << 2), Object.class));
    assertRefused("components", () -> kryo.decode(defined(-4), Object.class));
    assertRefused("a length of 255", () -> kryo.decode(defined(255 << 2), Object.class));
    int id = StoredNames.idWord("Even", "number");
    for (int second : new int[] {id | 1, id - 16, 0}) {
      assertRefused(
          "components that do not ascend",
          () -> kryo.decode(withWords(id | 5, second), Object.class));
    }
    assertRefused("unknown kind 10", () -> kryo.decode(withWords(id | 10), Object.class));
    Bytes second = value(BoundedKryoTest::secondConstantFirst);
    assertRefused("constant 1 of 0", () -> kryo.decode(second, Object.class));
  }

  private static Bytes defined(int head) {
    return value(
        out -> {
          classId(out, 104);
          out.writeVarInt(head, true);
          out.writeBytes(new byte[15]);
        });
  }

  private static Bytes withWords(int... words) {
    return value(
        out -> {
          classId(out, 104);
          out.writeBytes(Definition.bytesOfRecord(1, words));
          out.writeBytes(new byte[15]);
        });
  }

  private static void secondConstantFirst(Output out) {
    classId(out, 101);
    out.writeBytes(Definition.bytesOfEnum());
    out.writeVarInt(1, true);
    out.writeBytes(new byte[15]);
  }

  @Test
  void stringsLongerThanTheirBytesAreRefused() {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 30, 17}) {
      Bytes bomb =
          value(
              out -> {
                classId(out, 18);
                out.writeVarIntFlag(true, length, true);
                out.writeBytes(new byte[15]);
              });
      assertRefused("a length of", () -> kryo.decode(bomb, Object.class));
    }
    Bytes endless =
        value(
            out -> {
              classId(out, 18);
              out.writeBytes(Bytes.utf8("abcdefghijklmnopqrstuvwxyzabcdefghijkl").array());
            });
    assertRefused("the value ends early", () -> kryo.decode(endless, Object.class));
  }

  @Test
  void bigNumbersLongerThanTheirBytesAreRefused() {
    for (int id : new int[] {19, 20}) {
      Bytes bomb =
          value(
              out -> {
                classId(out, id);
                out.writeVarInt(Integer.MAX_VALUE, true);
                out.writeBytes(new byte[15]);
              });
      assertRefused("a length of", () -> kryo.decode(bomb, Object.class));
    }
  }

  @Test
  void valuesThatAreTooDeepAreRefused() {
    BoundedKryo shallow = Samples.builder().depthMax(10).build();
    assertEquals(nested(9), shallow.decode(shallow.encode(nested(9)), Object.class));
    assertRefused("Max depth exceeded: 10", () -> shallow.encode(nested(11)));
    assertRefused(
        "Max depth exceeded: 10", () -> shallow.decode(kryo.encode(nested(11)), Object.class));
    Bytes bomb =
        value(
            out -> {
              for (int i = 0; i < 100_000; i++) {
                classId(out, 30);
                out.writeVarInt(1, true);
              }
              out.writeVarInt(0, true);
            });
    assertRefused("Max depth exceeded: 64", () -> kryo.decode(bomb, Object.class));
    List<Object> cycle = new ArrayList<>();
    cycle.add(cycle);
    assertRefused("Max depth exceeded: 64", () -> kryo.encode(cycle));
  }

  /** Lists within lists, so many. */
  private static Object nested(int depth) {
    Object value = List.of();
    for (int i = 1; i < depth; i++) {
      value = List.of(value);
    }
    return value;
  }

  @Test
  void aRecordAsDeepAsAllowedComesBack() {
    Tree tree = new Tree(null, null, 0);
    for (int i = 1; i < 60; i++) {
      tree = new Tree(tree, null, i);
    }
    assertEquals(tree, kryo.decode(kryo.encode(tree), Tree.class));
  }

  @Test
  void valuesThatAreTooLongAreRefused() {
    BoundedKryo small = Samples.builder().bytesMax(100).build();
    byte[] most = new byte[97];
    assertArrayEquals(most, small.decode(small.encode(most), byte[].class));
    assertEquals(100, small.encode(most).length());
    assertRefused("longer than 100 bytes", () -> small.encode(new byte[98]));
    assertRefused(
        "a value of 101 bytes where 100 are allowed",
        () -> small.decode(kryo.encode(new byte[98]), byte[].class));
  }

  @Test
  void wrongVersionsTypesAndLengthsAreRefused() {
    Bytes encoded = kryo.encode("abc");
    assertRefused("unknown format of a value: 4", () -> kryo.decode(Bytes.of(4), String.class));
    assertRefused(
        "not a java.lang.Integer but a java.lang.String",
        () -> kryo.decode(encoded, Integer.class));
    assertRefused("but nothing", () -> kryo.decode(Bytes.of(1, 0), String.class));
    assertRefused("but nothing", () -> kryo.decode(Bytes.of(2, 0), String.class));
    assertRefused("no bytes", () -> kryo.decode(Bytes.of(), String.class));
    assertRefused("trailing bytes: 1", () -> kryo.decode(encoded.successor(), String.class));
    Bytes ann = kryo.encode(Samples.ANN);
    for (int length = 0; length < ann.length(); length++) {
      Bytes cut = ann.slice(0, length);
      assertThrows(SerialException.class, () -> kryo.decode(cut, User.class));
    }
  }

  @Test
  void whatAConstructorRefusesIsRefused() {
    Bytes even = kryo.encode(new Samples.Even(2));
    byte[] odd = even.array().clone();
    odd[odd.length - 1] = 2;
    SerialException refused =
        assertThrows(SerialException.class, () -> kryo.decode(Bytes.wrap(odd), Samples.Even.class));
    Throwable root = refused;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    assertInstanceOf(IllegalArgumentException.class, root);
    assertEquals("odd: 1", root.getMessage());
  }

  @Test
  void sortedCollectionsOfAnotherOrderAreRefused() {
    assertRefused(
        "a comparator of its own",
        () -> kryo.encode(new TreeSet<String>(Comparator.reverseOrder())));
    assertRefused(
        "a comparator of its own",
        () -> kryo.encode(new TreeMap<String, String>(Comparator.reverseOrder())));
  }

  @Test
  void anErrorLeavesNothingBehind() {
    Bytes ann = kryo.encode(Samples.ANN);
    for (int i = 0; i < 100; i++) {
      assertRefused("is not registered", () -> kryo.encode(List.of(new Object())));
      assertRefused("trailing bytes", () -> kryo.decode(ann.successor(), User.class));
      assertEquals(ann, kryo.encode(Samples.ANN));
      assertEquals(Samples.ANN, kryo.decode(ann, User.class));
    }
  }

  @Test
  void threadsDoNotDisturbEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int thread = 0; thread < 12; thread++) {
        int own = thread;
        running.add(threads.submit(() -> roundTrips(own)));
      }
      for (Future<Integer> one : running) {
        assertEquals(1_000, one.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Counts what comes back as it was; a value in a hundred fails. */
  private int roundTrips(int thread) {
    int same = 0;
    for (int i = 0; i < 1_000; i++) {
      Pair pair = new Pair("t" + thread, List.of(i, Samples.ANN));
      if (pair.equals(kryo.decode(kryo.encode(pair), Pair.class))) {
        same++;
      }
      if (i % 100 == 0) {
        assertRefused("is not registered", () -> kryo.encode(new Pair(pair, new Object())));
      }
    }
    return same;
  }

  @Test
  void bytesThatAreReadStayAsTheyWere() {
    Bytes encoded = kryo.encode(Samples.ANN);
    Bytes copy = Bytes.copyOf(encoded.array());
    kryo.decode(encoded, User.class);
    assertThrows(
        SerialException.class,
        () -> kryo.decode(encoded.slice(0, encoded.length() - 1), User.class));
    assertEquals(copy, encoded);
  }

  @Test
  void wrongRegistrationsAreRefused() {
    record Linked(LinkedList<String> list) {}
    assertArgument("number 99 of", () -> BoundedKryo.builder().register(User.class, 99));
    assertArgument(
        "registered twice",
        () -> BoundedKryo.builder().register(User.class, 100).register(Pair.class, 100));
    assertArgument(
        "registered twice",
        () -> BoundedKryo.builder().register(User.class, 100).register(User.class, 101));
    assertArgument(
        "java.lang.Thread is not a record",
        () -> BoundedKryo.builder().register(Thread.class, 100));
    assertArgument("is not a record", () -> BoundedKryo.builder().register(byte[].class, 100));
    assertArgument(
        "list is a java.util.LinkedList: declare it as List",
        () -> BoundedKryo.builder().register(Linked.class, 100));
    assertArgument("depth 0", () -> BoundedKryo.builder().depthMax(0));
    assertArgument("of 1 bytes", () -> BoundedKryo.builder().bytesMax(1));
  }

  private static Bytes value(Consumer<Output> writer) {
    Output out = new Output(64, -1);
    out.writeByte(BoundedKryo.FORMAT);
    writer.accept(out);
    return Bytes.wrap(out.toBytes());
  }

  /** As Kryo writes a class: 0 is null, 1 a name, then the numbers. */
  private static void classId(Output out, int id) {
    out.writeVarInt(id + 2, true);
  }

  private static void assertRefused(String part, Executable call) {
    String message = String.valueOf(assertThrows(SerialException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }

  private static void assertArgument(String part, Executable call) {
    String message = String.valueOf(assertThrows(WrongArgumentException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
