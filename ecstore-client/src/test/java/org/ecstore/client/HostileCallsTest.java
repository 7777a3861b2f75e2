package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.kryo.BoundedKryo;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.junit.jupiter.api.Test;

/**
 * Every public method of what an application holds is called with every combination of arguments
 * that a program might pass by mistake. Whatever is thrown is an {@link EcStoreException}, but for
 * what Java's own contracts ask for: NullPointerException for null, and NoSuchElementException of
 * an iterator at its end.
 */
class HostileCallsTest {
  private static final Set<String> OF_EVERY_OBJECT =
      Set.of("wait", "notify", "notifyAll", "getClass", "hashCode", "equals", "toString");

  /** They would end what the other calls need, or reach for the network or the disk. */
  private static final Set<String> NOT_HERE = Set.of("close", "connect", "open", "over");

  private static final Table<String> TABLE = Table.of("t", Codec.utf8());
  private static final Bytes KEY = Bytes.of(0x20, 'k', 0);

  /** All but {@code merged}, whose collection is of another kind. */
  private static final String[] METHODS_OF_RANGES =
      Arrays.stream(KeyRange.class.getMethods())
          .map(Method::getName)
          .filter(name -> !name.equals("merged"))
          .toArray(String[]::new);

  private static final int CALLS_OF_A_METHOD_MAX = 20_000;

  private interface Call {
    Object with(Object... arguments) throws ReflectiveOperationException;
  }

  private record Point(int x, Optional<String> name) {}

  /** No collection that could be read back. */
  private record Unreadable(ArrayDeque<String> names) {}

  private final List<String> wrong = new ArrayList<>();
  private final Map<Class<?>, List<Object>> values = new HashMap<>();
  private int calls;

  private HostileCallsTest() {
    values.put(
        String.class,
        List.of("", " ", "a", "\ud800", "x".repeat(300), "localhost:99999", "AQ", "Ag", "AgAA"));
    values.put(int.class, List.of(-1, 0, 1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE));
    values.put(long.class, List.of(-1L, 0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE));
    values.put(boolean.class, List.of(true, false));
    values.put(byte[].class, List.of(new byte[0], new byte[16]));
    values.put(
        Duration.class,
        List.of(
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofNanos(1),
            Duration.ofMillis(50),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE)));
    values.put(
        Tuple.class, List.of(Tuple.EMPTY, Tuple.of("k"), Tuple.of(7), Tuple.of("y".repeat(5000))));
    values.put(Collection.class, List.of(List.of(), List.of(Tuple.EMPTY, Tuple.EMPTY)));
    values.put(Isolation.class, List.of(Isolation.SNAPSHOT));
    values.put(ReadLevel.class, List.of(ReadLevel.LOCAL, ReadLevel.STRONG));
    values.put(Table.class, List.of(TABLE));
    values.put(Codec.class, List.of(Codec.utf8()));
    values.put(
        TupleRange.class, List.of(TupleRange.all(), TupleRange.prefix(Tuple.of("y".repeat(5000)))));
    values.put(Object.class, List.of("v", "\udc00", "z".repeat(2 << 20)));
    values.put(Bytes.class, List.of(Bytes.EMPTY, Bytes.of(0x20), Bytes.of(0x31, 0), Bytes.of(255)));
    values.put(
        KeyRange.class, List.of(KeyRange.ALL, KeyRange.single(Bytes.of(1)), KeyRange.from(KEY)));
    values.put(Optional.class, List.of(Optional.empty(), Optional.of(KEY)));
    values.put(int[].class, List.of(new int[0], new int[] {-1, 256}));
    values.put(
        Object[].class, List.of(new Object[0], new Object[] {null, 1.5}, new Object[] {"a"}));
    values.put(ReadLevel.Kind.class, List.of((Object[]) ReadLevel.Kind.values()));
    values.put(
        Class.class,
        List.of(Point.class, Point[].class, Isolation.class, Unreadable.class, int[].class));
    values.put(Class[].class, List.of(new Class<?>[0], new Class<?>[] {Point.class, int[].class}));
    values.put(BoundedKryo.class, List.of(BoundedKryo.builder().build()));
    TransactionWork<Object, RuntimeException> work = tx -> "done";
    SnapshotWork<Object, RuntimeException> reading = snapshot -> "read";
    TransactionAction<RuntimeException> action = tx -> {};
    values.put(TransactionWork.class, List.of(work));
    values.put(SnapshotWork.class, List.of(reading));
    values.put(TransactionAction.class, List.of(action));
    values.put(
        java.util.concurrent.Executor.class, List.of((java.util.concurrent.Executor) r -> {}));
  }

  /** Every method of a type, or only some, on an object or, of static ones, on none. */
  private void hold(Class<?> type, Object target, String... only) {
    for (Method method : type.getMethods()) {
      boolean ours = method.getDeclaringClass().getName().startsWith("org.ecstore.");
      if (ours
          && !method.isBridge()
          && !OF_EVERY_OBJECT.contains(method.getName())
          && !NOT_HERE.contains(method.getName())
          && !isOfTablesOfNothing(method)
          && (only.length == 0 || List.of(only).contains(method.getName()))) {
        method.setAccessible(true);
        call(method, Modifier.isStatic(method.getModifiers()) ? type : target);
      }
    }
  }

  /** The compiler holds it to the table's type, which reflection does not see. */
  private static boolean isOfTablesOfNothing(Method method) {
    return method.getName().equals("put") && method.getParameterCount() == 2;
  }

  /** Every way to make a value, on no store. */
  private void holdValue(Class<?> type, Object value) {
    hold(type, value);
    for (Constructor<?> constructor : type.getConstructors()) {
      call(constructor, constructor::newInstance);
    }
  }

  private void call(Method method, Object target) {
    call(method, arguments -> method.invoke(target, arguments));
  }

  private void call(Executable method, Call way) {
    List<List<Object>> choices = new ArrayList<>();
    for (Class<?> parameter : method.getParameterTypes()) {
      List<Object> choice = new ArrayList<>(values.getOrDefault(parameter, List.of()));
      if (!parameter.isPrimitive()) {
        choice.add(null);
      }
      choices.add(choice);
    }
    int combinations = choices.stream().mapToInt(List::size).reduce(1, Math::multiplyExact);
    assertTrue(combinations > 0 && combinations < CALLS_OF_A_METHOD_MAX, method.toString());
    for (int i = 0; i < combinations; i++) {
      Object[] arguments = new Object[choices.size()];
      int rest = i;
      for (int each = 0; each < arguments.length; each++) {
        arguments[each] = choices.get(each).get(rest % choices.get(each).size());
        rest /= choices.get(each).size();
      }
      call(method, way, arguments);
    }
  }

  private void call(Executable method, Call way, Object... arguments) {
    calls++;
    try {
      Object result = way.with(arguments);
      if (result instanceof AutoCloseable open) {
        open.close();
      }
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      boolean expected =
          thrown instanceof EcStoreException
              || (thrown instanceof NullPointerException && Arrays.asList(arguments).contains(null))
              || (thrown instanceof NoSuchElementException && method.getName().equals("next"));
      if (!expected) {
        wrong.add(method + brief(arguments) + ": " + thrown);
      }
    } catch (Exception e) {
      throw new AssertionError(method + brief(arguments), e);
    }
  }

  private static String brief(Object... arguments) {
    return Arrays.stream(arguments)
        .map(String::valueOf)
        .map(text -> text.length() > 30 ? text.substring(0, 30) + "..." : text)
        .toList()
        .toString();
  }

  @Test
  void valuesAndSerializersRefuseWhatTheyCannotBeInTheSameWay() {
    values.put(Collection.class, List.of(List.of(), List.of(KEY), List.of(Bytes.EMPTY, KEY)));
    holdValue(Tuple.class, Tuple.of("k", 1, null));
    holdValue(Bytes.class, KEY);
    KeyRange range = KeyRange.of(Bytes.of(1), KEY);
    hold(KeyRange.class, range, METHODS_OF_RANGES);
    values.put(Collection.class, List.of(List.of(), List.of(range, KeyRange.ALL)));
    hold(KeyRange.class, range, "merged");
    holdValue(ReadLevel.class, ReadLevel.STRONG);
    holdValue(Quorum.class, new Quorum(3, 2, 2));
    values.put(String[].class, List.of(new String[0], new String[] {"a", ""}));
    values.put(Locality.class, List.of(Locality.ZIPF));
    hold(
        Objective.class,
        Objective.guaranteed("a")
            .mean(Duration.ofSeconds(Long.MAX_VALUE))
            .p99(Duration.ofSeconds(Long.MIN_VALUE)));
    hold(KryoCodec.class, KryoCodec.of(Point.class));
    hold(BoundedKryo.class, BoundedKryo.builder().register(Point.class, 100).build());
    hold(BoundedKryo.Builder.class, BoundedKryo.builder());
    assertNothingWrong();
  }

  @Test
  void whateverIsPassedTheExceptionIsOneOfEcStores() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      store.execute(tx -> tx.put(TABLE, Tuple.of("k"), "v"));
      hold(EcStore.class, store);
      hold(EcStoreOptions.class, EcStoreOptions.DEFAULT);
      values.put(
          Objective[].class,
          List.of(new Objective[0], new Objective[] {Objective.bestEffort("").weight(-1)}));
      hold(Objectives.class, store.objectives());
      hold(Table.class, TABLE);
      hold(TupleRange.class, TupleRange.all());
      hold(Codec.class, Codec.utf8());
      try (ManualSnapshot snapshot = store.snapshot();
          ManualTransaction transaction = store.begin()) {
        hold(Snapshot.class, snapshot);
        hold(Reads.class, snapshot.reads());
        hold(Reads.class, transaction.reads());
        hold(Read.class, snapshot.reads().get(TABLE, Tuple.of("k")));
        hold(Scan.class, snapshot.scan(TABLE));
        hold(Scan.class, snapshot.scan(TABLE).unordered());
        hold(Cursor.class, snapshot.scan(TABLE).cursor());
        hold(Page.class, new Page<>(List.of(), Optional.empty()));
        hold(Transaction.class, transaction);
        hold(ManualTransaction.class, transaction);
        values.put(Table.class, List.of(Table.of("numbers", Codec.longs())));
        hold(Transaction.class, transaction, "add", "max", "min");
        values.put(Table.class, List.of(Table.of("lists", Codec.lists(Codec.utf8()))));
        hold(Transaction.class, transaction, "appendIfAbsent");
        values.put(Table.class, List.of(TABLE));
      }
    }
    assertNothingWrong();
  }

  private void assertNothingWrong() {
    assertTrue(calls > 500, "only " + calls + " calls");
    Collections.sort(wrong);
    assertTrue(wrong.isEmpty(), String.join("\n", wrong));
  }
}
