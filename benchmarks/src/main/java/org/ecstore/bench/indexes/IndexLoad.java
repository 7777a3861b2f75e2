package org.ecstore.bench.indexes;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.EcStoreDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.client.Codec;
import org.ecstore.client.Covering;
import org.ecstore.client.EcStore;
import org.ecstore.client.Index;
import org.ecstore.client.Session;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import site.ycsb.DBException;

/**
 * People in four tables that differ in their indexes. Each operation is of one, drawn uniformly.
 * What is written anew has another city and other tags, so that its entries there move.
 */
public final class IndexLoad implements AutoCloseable {
  /** People in one city, about: a scan of 20 finds as many. */
  private static final long PER_CITY = 50;

  private static final int SCANNED = 20;
  private static final int TAGS = 1_000;
  private static final String TEXT = "x".repeat(120);

  /** About 200 bytes. */
  record Person(String name, String email, String city, List<String> tags, String text) {}

  private static final Table<Person> PLAIN = table("people-plain");
  private static final Table<Person> UNIQUE = table("people-unique");
  private static final Index<Person> BY_EMAIL_ONLY =
      UNIQUE.index("by-email", Person::email).unique();
  private static final Table<Person> ONE = table("people-1");
  private static final Index<Person> BY_CITY_ONLY = ONE.index("by-city", Person::city);
  private static final Table<Person> THREE = table("people-3");

  static {
    THREE.index("by-email", Person::email).unique();
    THREE.indexEach("by-tag", Person::tags);
  }

  private static final Covering<Person, String> CITY_AND_NAME =
      THREE.index("by-city", Person::city).covering(Codec.utf8(), Person::name);

  private static final List<Table<Person>> ALL = List.of(PLAIN, UNIQUE, ONE, THREE);

  private final EcStore store;
  private final long count;
  private final ReadLevel level;
  private final Isolation isolation;
  private final AtomicLong inserted = new AtomicLong();

  /**
   * On a store.
   *
   * @param count how many people each table has
   * @throws IllegalArgumentException if it is another than ecStore
   */
  public IndexLoad(Target target, long count) throws DBException {
    if (!(target instanceof EcStoreTarget ecstore)) {
      throw new IllegalArgumentException("indexes are measured of ecstore, not " + target.name());
    }
    this.count = count;
    this.level = EcStoreDb.level(ecstore.properties().getProperty(EcStoreDb.LEVEL));
    this.isolation = EcStoreDb.isolation(ecstore.properties().getProperty(EcStoreDb.ISOLATION));
    this.store = EcStore.connect(ecstore.properties().getProperty(EcStoreDb.ADDRESSES));
    ALL.forEach(table -> store.catalog().open(table).forEach(store.catalog()::build));
  }

  private static Table<Person> table(String name) {
    return Table.of(name, Codec.record(Person.class));
  }

  private static Tuple key(long number) {
    return Tuple.of(number);
  }

  private static String email(long number) {
    return "person" + number + "@example.org";
  }

  private String city(SplittableRandom random) {
    return "city " + random.nextLong(Math.max(1, count / PER_CITY));
  }

  private Person person(long number, SplittableRandom random) {
    return new Person(
        "Person " + number,
        email(number),
        city(random),
        List.of("tag " + random.nextInt(TAGS), "tag " + random.nextInt(TAGS)),
        TEXT);
  }

  /** Inserts people until all are there; to be called by several threads. */
  public void insert(Runnable done) {
    SplittableRandom random = new SplittableRandom();
    for (long i = inserted.getAndIncrement(); i < count; i = inserted.getAndIncrement()) {
      long number = i;
      Person person = person(number, random);
      store.execute(tx -> ALL.forEach(table -> tx.put(table, key(number), person)));
      done.run();
    }
  }

  /** The clients of a workload. */
  public Load of(IndexWork work) {
    return (number, clients) -> {
      Session session = store.session().with(level).with(isolation);
      SplittableRandom random = new SplittableRandom();
      return () -> next(work, session, random);
    };
  }

  private LoadOutcome next(IndexWork work, Session session, SplittableRandom random) {
    long number = random.nextLong(count);
    try {
      return switch (work) {
        case WRITE_PLAIN -> write(work, session, PLAIN, number, random);
        case READ_AND_WRITE_PLAIN ->
            transact(
                work,
                session,
                tx -> {
                  tx.get(PLAIN, key(number));
                  tx.put(PLAIN, key(number), person(number, random));
                });
        case WRITE_UNIQUE_KEPT -> write(work, session, UNIQUE, number, random);
        case WRITE_ONE -> write(work, session, ONE, number, random);
        case WRITE_THREE -> write(work, session, THREE, number, random);
        case READ_BY_KEY ->
            found(work, session.read(at -> at.get(UNIQUE, key(number)).map(one -> 1).orElse(0)));
        case FIND_UNIQUE ->
            found(
                work,
                session.read(
                    at -> at.find(BY_EMAIL_ONLY, Tuple.of(email(number))).map(one -> 1).orElse(0)));
        case SCAN_BY_INDEX ->
            found(
                work,
                session.read(
                    at ->
                        at.scan(BY_CITY_ONLY, Tuple.of(city(random)))
                            .limit(SCANNED)
                            .toList()
                            .size()));
        case SCAN_COVERING ->
            found(
                work,
                session.read(
                    at ->
                        at.scan(CITY_AND_NAME, TupleRange.prefix(Tuple.of(city(random))))
                            .limit(SCANNED)
                            .toList()
                            .size()));
      };
    } catch (EcStoreException e) {
      return LoadOutcome.failed(work.title(), e.code().name());
    }
  }

  private static LoadOutcome found(IndexWork work, int records) {
    return LoadOutcome.done(work.title(), records);
  }

  private LoadOutcome write(
      IndexWork work, Session session, Table<Person> table, long number, SplittableRandom random) {
    return transact(work, session, tx -> tx.put(table, key(number), person(number, random)));
  }

  private interface Work {
    void with(Transaction tx);
  }

  private static LoadOutcome transact(IndexWork work, Session session, Work transaction) {
    int[] tries = new int[1];
    session.execute(
        tx -> {
          tries[0]++;
          transaction.with(tx);
        });
    return new LoadOutcome(work.title(), 1, tries[0] - 1L, Optional.empty());
  }

  /** What verification of all indexes finds, in words; nothing if all is well. */
  public List<String> differences() {
    return ALL.stream()
        .flatMap(table -> table.indexes().stream())
        .flatMap(index -> store.catalog().verify(index).differences().stream())
        .toList();
  }

  @Override
  public void close() {
    store.close();
  }
}
