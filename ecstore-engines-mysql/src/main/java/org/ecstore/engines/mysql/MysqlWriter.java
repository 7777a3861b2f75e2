package org.ecstore.engines.mysql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ecstore.engines.store.Ownership;
import org.ecstore.engines.store.StoreException;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which a store is changed, and the fence around it (rule W10). It holds a lock
 * of the server by the store's name: a successor ends the connection that holds it, and so whatever
 * a process that is paused, or a commit of unknown outcome, still has open. Then it writes its
 * token. Each transaction begins by locking and checking that, so that none of a predecessor's
 * changes anything after it.
 */
final class MysqlWriter implements AutoCloseable {
  private static final int LOCK_TRIES_MAX = 5;
  private static final int NO_SUCH_TABLE = 1146;

  /** A transaction has so many answers to wait for, about: it is given up after as many waits. */
  private static final int ANSWERS_MAX = 6;

  /** Changes of one transaction. */
  interface Change<T> {
    T made(Connection connection) throws SQLException;
  }

  private final MysqlServer server;
  private final Tables tables;
  private final MysqlSettings settings;
  private final Ownership ownership;

  /** Ends transactions that take too long. */
  private final ScheduledThreadPoolExecutor watch;

  private @Nullable Connection connection;

  private MysqlWriter(
      MysqlServer server,
      Tables tables,
      MysqlSettings settings,
      Ownership ownership,
      Connection connection) {
    this.server = server;
    this.tables = tables;
    this.settings = settings;
    this.ownership = ownership;
    this.connection = connection;
    this.watch =
        new ScheduledThreadPoolExecutor(
            1,
            work ->
                Thread.ofPlatform()
                    .name("ecstore-" + settings.server().store() + "-watch")
                    .daemon()
                    .unstarted(work));
    watch.setRemoveOnCancelPolicy(true);
  }

  /**
   * Takes a store over, and makes its tables if need be.
   *
   * @param identity of the store's directory: the tables must be its own
   * @throws SQLException if it cannot; says what to do
   */
  static MysqlWriter takeOver(
      MysqlServer server, Tables tables, MysqlSettings settings, UUID identity)
      throws SQLException {
    Connection connection = server.connect();
    boolean taken = false;
    try {
      String database = MysqlServer.checked(connection);
      prepare(connection, settings);
      // Before the connection that holds it is ended: it may be that of another store's node.
      requireIdentity(connection, tables, identity);
      hold(connection, lockName(database, settings));
      try (Statement statement = connection.createStatement()) {
        for (String creation : tables.creation()) {
          statement.execute(creation);
        }
      }
      Ownership ownership = own(connection, tables, identity);
      taken = true;
      return new MysqlWriter(server, tables, settings, ownership, connection);
    } finally {
      if (!taken) {
        connection.abort(Runnable::run);
      }
    }
  }

  private static void prepare(Connection connection, MysqlSettings settings) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    long seconds = Math.max(1, settings.answerWithin().toSeconds() / 2);
    try (Statement statement = connection.createStatement()) {
      statement.execute(Tables.writerSettings());
      statement.execute("SET SESSION innodb_lock_wait_timeout = " + seconds);
    }
  }

  private static String lockName(String database, MysqlSettings settings) {
    String whole = database + "." + settings.server().store();
    byte[] digest = StoredKey.id(Bytes.wrap(whole.getBytes(StandardCharsets.UTF_8)));
    return "ecstore_" + HexFormat.of().formatHex(digest, 0, 16);
  }

  /** Takes the lock, and ends the connection that has it. */
  private static void hold(Connection connection, String name) throws SQLException {
    for (int tries = 0; tries < LOCK_TRIES_MAX; tries++) {
      Optional<Long> got = number(connection, "SELECT GET_LOCK(?, ?)", name, tries == 0 ? 0 : 1);
      if (got.equals(Optional.of(1L))) {
        return;
      }
      Optional<Long> holder = number(connection, "SELECT IS_USED_LOCK(?)", name);
      if (holder.isPresent()) {
        endConnection(connection, holder.get());
      }
    }
    throw new SQLException("another connection keeps the lock " + name + " of the store");
  }

  private static Optional<Long> number(Connection connection, String query, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        long value = found.getLong(1);
        return found.wasNull() ? Optional.empty() : Optional.of(value);
      }
    }
  }

  private static void endConnection(Connection connection, long id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("KILL " + id);
    } catch (SQLException e) {
      int gone = 1094;
      if (e.getErrorCode() != gone) {
        throw e;
      }
    }
  }

  /** That of the tables, if they are there. */
  private static void requireIdentity(Connection connection, Tables tables, UUID identity)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(tables.identity())) {
      if (found.next()) {
        requireOwn(tables, found.getString(1), identity);
      }
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_TABLE) {
        throw e;
      }
    } finally {
      connection.rollback();
    }
  }

  private static void requireOwn(Tables tables, String found, UUID identity) throws SQLException {
    if (!found.equals(identity.toString())) {
      throw new SQLException(
          "the tables "
              + String.join(", ", tables.names())
              + " are those of another directory's store ("
              + found
              + "). If a node of another cluster has them, give this cluster another database or"
              + " cluster.name; if they are this node's, restore its directory; drop them, so that"
              + " the node fills its copies anew, only if the directory they are of is gone for"
              + " good");
    }
  }

  private static Ownership own(Connection connection, Tables tables, UUID identity)
      throws SQLException {
    String token = UUID.randomUUID().toString();
    try (PreparedStatement add = connection.prepareStatement(tables.addOwner());
        Statement lock = connection.createStatement();
        PreparedStatement take = connection.prepareStatement(tables.takeOver())) {
      add.setString(1, identity.toString());
      add.setString(2, token);
      add.executeUpdate();
      long sequence;
      try (ResultSet found = lock.executeQuery(tables.lockOwner())) {
        found.next();
        requireOwn(tables, found.getString(1), identity);
        sequence = found.getLong(3) + 1;
      }
      take.setString(1, token);
      take.executeUpdate();
      connection.commit();
      return new Ownership(token, sequence);
    }
  }

  Ownership ownership() {
    return ownership;
  }

  /**
   * Makes changes, all or none of them, if the store is still this instance's.
   *
   * @throws StoreException if they were not, or may not have been, made
   */
  <T> T transact(String what, Change<T> change) {
    ownership.check();
    boolean done = false;
    try {
      T made = inTime(connected(), change);
      done = true;
      return made;
    } catch (SQLException e) {
      throw server.failed(what, e, ownership);
    } finally {
      if (!done) {
        giveUp();
      }
    }
  }

  /**
   * Makes changes, and ends a connection on which that takes too long. For an answer the driver
   * waits as long as it is told to, but for ever until a server that reads no more takes what is
   * sent.
   */
  private <T> T inTime(Connection writing, Change<T> change) throws SQLException {
    long millis = ANSWERS_MAX * settings.answerWithin().toMillis();
    Future<?> end = watch.schedule(() -> abort(writing), millis, TimeUnit.MILLISECONDS);
    try {
      return made(writing, change);
    } finally {
      end.cancel(false);
    }
  }

  private <T> T made(Connection writing, Change<T> change) throws SQLException {
    long confirmed = ownership.confirmed();
    long told = ownership.told();
    long next = ownership.next();
    try (PreparedStatement advance = writing.prepareStatement(tables.advance())) {
      advance.setLong(1, next);
      advance.setString(2, ownership.token());
      advance.setLong(3, confirmed);
      advance.setLong(4, told);
      if (advance.executeUpdate() != 1) {
        ownership.checkFound(sequence(writing), confirmed);
        throw ownership.lose("the store was written to by another process");
      }
    }
    T made = change.made(writing);
    writing.commit();
    ownership.confirm(next);
    return made;
  }

  private @Nullable Long sequence(Connection writing) throws SQLException {
    try (Statement statement = writing.createStatement();
        ResultSet found = statement.executeQuery(tables.lockOwner())) {
      return found.next() && found.getString(2).equals(ownership.token()) ? found.getLong(3) : null;
    }
  }

  private Connection connected() throws SQLException {
    Connection known = connection;
    if (known != null) {
      return known;
    }
    Connection made = server.connect();
    boolean held = false;
    try {
      String database = MysqlServer.checked(made);
      prepare(made, settings);
      // Of two that hold each other for lost, the later one has the token.
      requireToken(made);
      hold(made, lockName(database, settings));
      connection = made;
      held = true;
      return made;
    } finally {
      if (!held) {
        made.abort(Runnable::run);
      }
    }
  }

  /** Or else the connection that holds the lock is a successor's, and must not be ended. */
  private void requireToken(Connection made) throws SQLException {
    try (Statement statement = made.createStatement();
        ResultSet found = statement.executeQuery("SELECT token FROM " + tables.owner())) {
      if (!found.next() || !found.getString(1).equals(ownership.token())) {
        throw ownership.lose("another process has taken the store over");
      }
    } finally {
      made.rollback();
    }
  }

  /** Its outcome is not known: the connection ends, and what it began with it. */
  private void giveUp() {
    Connection known = connection;
    connection = null;
    if (known != null) {
      abort(known);
    }
  }

  private static void abort(Connection known) {
    try {
      known.abort(Runnable::run);
    } catch (SQLException _) {
      // It has ended already.
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
    giveUp();
  }
}
