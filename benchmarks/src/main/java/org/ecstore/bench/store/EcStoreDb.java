package org.ecstore.bench.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Entry;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.Session;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * ecStore under YCSB: {@code -db org.ecstore.bench.store.EcStoreDb}. A record is one value; each
 * client thread is a session of its own, over connections that all threads of the process share.
 *
 * <p>Properties: {@code ecstore.addresses} ({@code host:port,host:port}; {@code 127.0.0.1:7420}),
 * {@code ecstore.level} ({@code session}, {@code strong}, {@code local}, {@code bounded-MILLIS}, or
 * {@code quorum-N-W-R}: single keys are read and written by such quorums; {@code session}), {@code
 * ecstore.isolation} ({@code serializable} or {@code snapshot}; {@code serializable}), {@code
 * ecstore.application} (the name that the clients say; none) and {@code ecstore.report-millis} (how
 * often they tell what they measure; as usual).
 */
public final class EcStoreDb extends BenchDb {
  /** Where nodes are. */
  public static final String ADDRESSES = "ecstore.addresses";

  /** How fresh reads are. */
  public static final String LEVEL = "ecstore.level";

  /** What commits validate. */
  public static final String ISOLATION = "ecstore.isolation";

  /** The name by which nodes tell its requests from those of others. */
  public static final String APPLICATION = "ecstore.application";

  /** Milliseconds between two reports of what clients have had. */
  public static final String REPORT_MILLIS = "ecstore.report-millis";

  private static final Pattern QUORUM =
      Pattern.compile("quorum-([0-9]{1,2})-([0-9]{1,2})-([0-9]{1,2})");
  private static final Object SHARING = new Object();
  private static final Map<Access, Shared> SHARED = new HashMap<>();

  private Optional<Open> open = Optional.empty();
  private final Map<String, Table<Bytes>> tables = new HashMap<>();
  private int aborts;

  /** Where a store is, and as whom it is used; clients that have the same share it. */
  private record Access(String addresses, Optional<String> application, Optional<Long> reports) {
    static Access of(Properties properties) {
      return new Access(
          properties.getProperty(ADDRESSES, "127.0.0.1:7420"),
          Optional.ofNullable(properties.getProperty(APPLICATION)),
          Optional.ofNullable(properties.getProperty(REPORT_MILLIS)).map(Long::parseLong));
    }

    EcStore connect() {
      EcStoreOptions options = EcStoreOptions.DEFAULT;
      if (application.isPresent()) {
        options = options.application(application.get());
      }
      if (reports.isPresent()) {
        options = options.reportEvery(Duration.ofMillis(reports.get()));
      }
      return EcStore.connect(addresses, options);
    }
  }

  /** A store that several clients of the process use. */
  private static final class Shared {
    final EcStore store;

    /** Where its sessions begin. */
    final String seen;

    int users;

    private Shared(EcStore store, String seen) {
      this.store = store;
      this.seen = seen;
    }

    /**
     * One whose sessions have seen all that was done before it was opened: what is measured reads
     * what others have just loaded, and a session that has seen nothing may begin before that (rule
     * 9).
     */
    static Shared of(EcStore store) {
      boolean isOpen = false;
      try {
        Session session = store.session().with(ReadLevel.STRONG);
        session.read(snapshot -> snapshot.get(Table.of("usertable", Codec.bytes()), Tuple.of("")));
        Shared shared = new Shared(store, session.token());
        isOpen = true;
        return shared;
      } finally {
        if (!isOpen) {
          store.close();
        }
      }
    }
  }

  /**
   * What a client has.
   *
   * @param quorum where single keys are read and written by quorums
   */
  private record Open(Access access, Session session, Optional<QuorumStore> quorum) {}

  @Override
  public void init() throws DBException {
    Access access = Access.of(getProperties());
    ReadLevel level = level(getProperties().getProperty(LEVEL, "session"));
    Isolation isolation = isolation(getProperties().getProperty(ISOLATION, "serializable"));
    synchronized (SHARING) {
      try {
        Shared shared = SHARED.get(access);
        if (shared == null) {
          shared = Shared.of(access.connect());
          SHARED.put(access, shared);
        }
        shared.users++;
        Session session = shared.store.session(shared.seen).with(level).with(isolation);
        EcStore store = shared.store;
        Optional<QuorumStore> quorum =
            quorum(getProperties().getProperty(LEVEL, "session"))
                .map(sizes -> store.quorum(sizes.n(), sizes.w(), sizes.r()));
        open = Optional.of(new Open(access, session, quorum));
      } catch (EcStoreException e) {
        throw new DBException(e);
      }
    }
  }

  /**
   * A read level by its name.
   *
   * @throws DBException if there is none of that name
   */
  public static ReadLevel level(String name) throws DBException {
    return switch (name) {
      case "session" -> ReadLevel.SESSION;
      case "strong" -> ReadLevel.STRONG;
      case "local" -> ReadLevel.LOCAL;
      default -> {
        if (quorum(name).isPresent()) {
          yield ReadLevel.SESSION;
        }
        if (!name.matches("bounded-[0-9]{1,7}")) {
          throw new DBException(
              LEVEL
                  + " is session, strong, local, bounded-MILLIS or quorum-N-W-R, not \""
                  + name
                  + '"');
        }
        yield ReadLevel.bounded(
            Duration.ofMillis(Long.parseLong(name.substring("bounded-".length()))));
      }
    };
  }

  /**
   * The quorums of a level's name; absent if it is none of quorums.
   *
   * @throws DBException if there can be no such quorum; it says why
   */
  public static Optional<Quorum> quorum(String level) throws DBException {
    Matcher sizes = QUORUM.matcher(level);
    if (!sizes.matches()) {
      return Optional.empty();
    }
    Quorum quorum = new Quorum(size(sizes, 1), size(sizes, 2), size(sizes, 3));
    if (quorum.wrong().isPresent()) {
      throw new DBException(level + ": " + quorum.wrong().get());
    }
    return Optional.of(quorum);
  }

  private static int size(Matcher sizes, int group) {
    return Integer.parseInt(sizes.group(group));
  }

  /**
   * An isolation by its name.
   *
   * @throws DBException if there is none of that name
   */
  public static Isolation isolation(String name) throws DBException {
    return switch (name) {
      case "serializable" -> Isolation.SERIALIZABLE;
      case "snapshot" -> Isolation.SNAPSHOT;
      default ->
          throw new DBException(ISOLATION + " is serializable or snapshot, not \"" + name + '"');
    };
  }

  @Override
  public int takeAborts() {
    int taken = aborts;
    aborts = 0;
    return taken;
  }

  /** A transaction, whose tries but the last are counted. */
  private Status transacted(Function<Transaction, Status> work) {
    int[] tries = {0};
    try {
      return session()
          .transact(
              tx -> {
                tries[0]++;
                return work.apply(tx);
              });
    } finally {
      aborts += Math.max(0, tries[0] - 1);
    }
  }

  @Override
  public void cleanup() {
    synchronized (SHARING) {
      open.ifPresent(
          mine -> {
            Shared shared = SHARED.get(mine.access());
            if (shared != null && --shared.users == 0) {
              SHARED.remove(mine.access());
              shared.store.close();
            }
          });
      open = Optional.empty();
    }
  }

  private Optional<QuorumStore> quorum() {
    return open.flatMap(Open::quorum);
  }

  private Session session() {
    return open.orElseThrow(() -> new IllegalStateException("not initialized")).session();
  }

  private Table<Bytes> table(String name) {
    return tables.computeIfAbsent(name, absent -> Table.of(absent, Codec.bytes()));
  }

  private interface Work {
    Status run();
  }

  private static Status tried(Work work) {
    try {
      return work.run();
    } catch (EcStoreException e) {
      return new Status(e.code().name(), String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return tried(
        () -> {
          Optional<Bytes> value =
              quorum().isPresent()
                  ? quorum().get().get(table(table), Tuple.of(key)).value()
                  : session().read(snapshot -> snapshot.get(table(table), Tuple.of(key)));
          if (value.isEmpty()) {
            return Status.NOT_FOUND;
          }
          Fields.decode(value.get(), fields, result);
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return tried(
        () ->
            session()
                .read(
                    snapshot -> {
                      TupleRange from = TupleRange.from(Tuple.of(startKey));
                      for (Entry<Bytes> entry : snapshot.scan(table(table), from).limit(records)) {
                        HashMap<String, ByteIterator> record = new HashMap<>();
                        Fields.decode(entry.value(), fields, record);
                        result.add(record);
                      }
                      return Status.OK;
                    }));
  }

  /** All fields are given, as in YCSB's updates by default, or some are changed. */
  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    boolean all = values.size() == fieldCount();
    if (all && quorum().isPresent()) {
      return insert(table, key, values);
    }
    return tried(
        () ->
            transacted(
                tx -> {
                  if (all) {
                    tx.put(table(table), Tuple.of(key), Fields.encode(values));
                    return Status.OK;
                  }
                  Optional<Bytes> value = tx.get(table(table), Tuple.of(key));
                  if (value.isEmpty()) {
                    return Status.NOT_FOUND;
                  }
                  tx.put(table(table), Tuple.of(key), Fields.with(value.get(), values));
                  return Status.OK;
                }));
  }

  private int fieldCount() {
    return Integer.parseInt(getProperties().getProperty("fieldcount", "10"));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          Bytes value = Fields.encode(values);
          if (quorum().isPresent()) {
            return quorum().get().put(table(table), Tuple.of(key), value).isUnderReplicated()
                ? new Status("UNDER_REPLICATED", "fewer than W copies had it in time")
                : Status.OK;
          }
          return transacted(
              tx -> {
                tx.put(table(table), Tuple.of(key), value);
                return Status.OK;
              });
        });
  }

  @Override
  public Status delete(String table, String key) {
    return tried(
        () ->
            transacted(
                tx -> {
                  tx.delete(table(table), Tuple.of(key));
                  return Status.OK;
                }));
  }

  @Override
  public Status readBoth(String table, String one, String other) {
    return tried(
        () ->
            session()
                        .read(
                            snapshot ->
                                snapshot.getAll(
                                    table(table), List.of(Tuple.of(one), Tuple.of(other))))
                        .size()
                    == 2
                ? Status.OK
                : Status.NOT_FOUND);
  }

  @Override
  public Status count(String table, String key) {
    Table<Long> numbers = Table.of(table, Codec.longs());
    return tried(
        () ->
            transacted(
                tx -> {
                  tx.add(numbers, Tuple.of(key), 1);
                  return Status.OK;
                }));
  }

  @Override
  public Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads) {
    Status status =
        tried(
            () ->
                transacted(
                    tx ->
                        befriend(
                            tx,
                            table(table),
                            Tuple.of(one),
                            Tuple.of(other),
                            reads,
                            field,
                            value)));
    return new Attempted(status, takeAborts());
  }

  private static Status befriend(
      Transaction tx,
      Table<Bytes> table,
      Tuple one,
      Tuple other,
      Reads reads,
      String field,
      byte[] value) {
    Optional<Bytes> first;
    Optional<Bytes> second;
    if (reads == Reads.TOGETHER) {
      Map<Tuple, Bytes> both = tx.getAll(table, List.of(one, other));
      first = Optional.ofNullable(both.get(one));
      second = Optional.ofNullable(both.get(other));
    } else {
      first = tx.get(table, one);
      second = tx.get(table, other);
    }
    if (first.isEmpty() || second.isEmpty()) {
      return Status.NOT_FOUND;
    }
    tx.put(table, one, Fields.with(first.get(), changed(field, value)));
    tx.put(table, other, Fields.with(second.get(), changed(field, value)));
    return Status.OK;
  }

  private static Map<String, ByteIterator> changed(String field, byte[] value) {
    return Map.of(field, new ByteArrayByteIterator(value));
  }
}
