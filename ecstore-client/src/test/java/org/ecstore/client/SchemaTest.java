package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.schema.Default;
import org.ecstore.client.schema.NotYetWritten;
import org.ecstore.client.schema.Removed;
import org.ecstore.client.schema.StoredAs;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Each record stands for another release of one program, or of one that went wrong. */
class SchemaTest {
  record User(String name, int age) {}

  @StoredAs("User")
  record WithMailSoon(String name, int age, @NotYetWritten @Default("-") String mail) {}

  @StoredAs("User")
  record WithMail(String name, int age, @Default("-") String mail) {}

  @Removed("age")
  @StoredAs("User")
  record WithoutAge(@StoredAs("name") String title, @Default("-") String mail) {}

  @StoredAs("User")
  record Wider(String name, long age) {}

  @StoredAs("User")
  record OtherType(String name, String age) {}

  @StoredAs("User")
  record Lost(String name) {}

  record Stranger(String name, int age) {}

  sealed interface Payment permits Card, Cash {}

  record Card(String number) implements Payment {}

  record Cash(long amount) implements Payment {}

  record Order(Card paid, List<String> tags) {}

  @StoredAs("Order")
  record OrderAnyhow(Payment paid, List<Integer> tags) {}

  @StoredAs("Order")
  record OrderInCash(Cash paid, List<String> tags) {}

  enum State {
    NEW
  }

  private static final Tuple KEY = Tuple.of(1);

  private FakeCluster cluster;
  private EcStore store;
  private EcStore other;

  @BeforeEach
  void start() {
    FakeTime time = new FakeTime(1);
    cluster = new FakeCluster(time, "n1:1");
    store = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
    other = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
  }

  @AfterEach
  void stop() {
    other.close();
    store.close();
  }

  private static <V extends Record> Table<V> users(Class<V> type) {
    return Table.of("users", Codec.record(type));
  }

  private static void assertRefused(Executable call, String... parts) {
    String message = assertThrows(WrongArgumentException.class, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  private <V> void put(EcStore in, Table<V> table, V value) {
    in.execute(tx -> tx.put(table, KEY, value));
  }

  private <V> V get(Table<V> table) {
    return store.<Optional<V>, RuntimeException>read(at -> at.get(table, KEY)).orElseThrow();
  }

  private ValueSchema schema(String table) {
    return store.catalog().schema(table).orElseThrow();
  }

  @Test
  void theCatalogHasWhatValuesConsistOf() {
    store.catalog().open(users(User.class), Table.of("hits", Codec.longs()));
    ValueSchema users = schema("users");
    assertEquals(List.of("record"), users.formats());
    assertEquals(List.of("User"), users.values());
    assertEquals(
        "[ComponentSchema[name=name, types=[String]], ComponentSchema[name=age, types=[int]]]",
        users.type("User").orElseThrow().components().toString());
    assertEquals(ValueSchema.of("number of 8 bytes"), schema("hits"));
    store.catalog().open(users(Wider.class));
    assertEquals(
        List.of("int", "long"),
        schema("users").type("User").orElseThrow().component("age").orElseThrow().types());
    store.catalog().dropTable("users");
    assertEquals(Optional.empty(), store.catalog().schema("users"));
  }

  @Test
  void whatCannotReadTheValuesIsRefusedWhenTheTableIsOpened() {
    store.catalog().open(users(WithMail.class));
    assertRefused(() -> other.catalog().open(users(User.class)), "component mail", "later release");
    assertRefused(
        () -> other.catalog().open(users(Lost.class)), "component age", "@Removed(\"age\")");
    assertRefused(
        () -> other.catalog().open(users(OtherType.class)), "age is stored as int", "String here");
    assertRefused(() -> other.catalog().open(users(Stranger.class)), "of type User", "@StoredAs");
    assertRefused(
        () -> other.catalog().open(Table.of("users", Codec.utf8())), "stored as record", "text");
    assertRefused(
        () -> other.catalog().open(Table.of("users", KryoCodec.of(Lost.class))), "component age");
    other.catalog().open(users(WithoutAge.class));
    other.catalog().open(Table.of("users", Codec.bytes()));
    other
        .catalog()
        .open(
            Table.of(
                "users", Codec.record(WithMail.class).alsoReading(KryoCodec.of(WithMail.class))));
  }

  @Test
  void whatSomeValuesCouldBeIsNotRefused() {
    Table<Order> orders = Table.of("orders", Codec.record(Order.class));
    store.catalog().open(orders);
    put(store, orders, new Order(new Card("1"), List.of()));
    assertRefused(
        () -> store.catalog().open(Table.of("orders", Codec.record(OrderInCash.class))),
        "paid is stored as Card");
    Table<OrderAnyhow> anyhow = Table.of("orders", Codec.record(OrderAnyhow.class));
    store.catalog().open(anyhow);
    assertEquals(new Card("1"), get(anyhow).paid());
    store.catalog().open(Table.of("states", Codec.record(State.class)));
    assertEquals(
        "[ComponentSchema[name=NEW, types=[]]]",
        schema("states").type("State").orElseThrow().components().toString());
  }

  /** A program that was there before learns of the change by its next commit. */
  @Test
  void aProgramWithAnOlderRecordWritesNoMore() {
    Table<User> users = users(User.class);
    other.catalog().open(users);
    put(other, users, new User("ada", 36));
    store.catalog().open(users(WithMail.class));
    put(store, users(WithMail.class), new WithMail("ada", 36, "ada@example.org"));
    assertRefused(() -> put(other, users, new User("eve", 1)), "component mail");
    assertEquals("ada@example.org", get(users(WithMail.class)).mail());
  }

  /** Two releases bring a component, and programs of two neighbours run beside each other. */
  @Test
  void aComponentComesInTwoReleases() {
    Table<User> first = users(User.class);
    Table<WithMailSoon> second = users(WithMailSoon.class);
    Table<WithMail> third = users(WithMail.class);
    store.catalog().open(first);
    put(store, first, new User("ada", 36));
    other.catalog().open(second);
    assertEquals(new WithMailSoon("ada", 36, "-"), get(second));
    put(other, second, new WithMailSoon("bob", 40, "-"));
    assertEquals(new User("bob", 40), get(first));
    put(store, first, new User("cleo", 50));
    store.catalog().open(third);
    put(store, third, new WithMail("dan", 60, "d@example.org"));
    assertEquals(new WithMailSoon("dan", 60, "d@example.org"), get(second));
    other.execute(
        tx -> tx.update(second, KEY, soon -> new WithMailSoon(soon.name(), 61, soon.mail())));
    assertEquals(new WithMail("dan", 61, "d@example.org"), get(third));
    assertRefused(() -> put(other, first, new User("eve", 1)), "component mail");
  }

  record Line(String item, @NotYetWritten Optional<String> note, @NotYetWritten long price) {}

  @StoredAs("Line")
  record LineAtFirst(String item) {}

  record Basket(List<Line> lines, Optional<Line> gift) {}

  @StoredAs("Basket")
  record BasketAtFirst(List<LineAtFirst> lines, Optional<LineAtFirst> gift) {}

  /** A value is stored without the component if no record in it has it. */
  @Test
  void recordsWithinAValueAreWrittenAlike() {
    Codec<Basket> now = Codec.record(Basket.class);
    Codec<BasketAtFirst> first = Codec.record(BasketAtFirst.class);
    Line plain = new Line("tea", Optional.empty(), 0);
    Line noted = new Line("cup", Optional.of("blue"), 0);
    Basket bare = new Basket(List.of(plain, plain), Optional.of(plain));
    assertEquals(bare, now.decode(now.encode(bare)));
    LineAtFirst tea = new LineAtFirst("tea");
    assertEquals(
        new BasketAtFirst(List.of(tea, tea), Optional.of(tea)), first.decode(now.encode(bare)));
    assertEquals(first.encode(first.decode(now.encode(bare))), now.encode(bare));
    for (Basket some :
        List.of(
            new Basket(List.of(plain, noted), Optional.empty()),
            new Basket(List.of(noted, plain), Optional.of(plain)),
            new Basket(List.of(), Optional.of(new Line("cup", Optional.empty(), 7))))) {
      assertEquals(some, now.decode(now.encode(some)));
      assertThrows(WrongArgumentException.class, () -> first.decode(now.encode(some)));
    }
    assertEquals(bare, now.decode(now.encode(bare)));
  }

  record Flags(boolean on, char grade, int count, List<String> tags) {}

  @StoredAs("Flags")
  record BoxedFlags(Boolean on, Character grade, Number count, java.util.Collection<String> tags) {}

  sealed interface Shape permits Circle, Square {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  sealed interface OldShape permits OldCircle {}

  @StoredAs("Circle")
  record OldCircle(int radius) implements OldShape {}

  /** What the codec reads is not refused. */
  @Test
  void typesThatComeBackAsOthersFit() {
    Table<Flags> flags = Table.of("flags", Codec.record(Flags.class));
    Table<BoxedFlags> boxed = Table.of("flags", Codec.record(BoxedFlags.class));
    store.catalog().open(flags);
    put(store, flags, new Flags(true, 'a', 7, List.of("x")));
    store.catalog().open(boxed);
    assertEquals(new BoxedFlags(true, 'a', 7, List.of("x")), get(boxed));
    store.catalog().open(Table.of("shapes", Codec.record(Shape.class)));
    other.catalog().open(Table.of("shapes", Codec.record(OldShape.class)));
  }

  record Note(String text, @NotYetWritten @Nullable String by) {
    Note {
      by = by == null ? "the house" : by;
    }
  }

  @StoredAs("Note")
  record NoteAtFirst(String text) {}

  /** What it is where it is not stored may be the constructor's. */
  @Test
  void aDefaultOfTheConstructorIsNotWrittenEither() {
    Codec<Note> now = Codec.record(Note.class);
    Codec<NoteAtFirst> first = Codec.record(NoteAtFirst.class);
    assertEquals(new NoteAtFirst("a"), first.decode(now.encode(new Note("a", null))));
    Note by = new Note("a", "ada");
    assertEquals(by, now.decode(now.encode(by)));
    assertThrows(WrongArgumentException.class, () -> first.decode(now.encode(by)));
  }

  @Test
  void whatTheCatalogForgotIsSaidAnew() {
    store.catalog().open(users(User.class));
    store.catalog().forgetSchema("users");
    assertEquals(Optional.empty(), store.catalog().schema("users"));
    store.catalog().open(users(Lost.class));
    assertEquals(1, schema("users").type("User").orElseThrow().components().size());
  }
}
