package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observing.Observing;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.RerunRules;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;

/**
 * Single keys by quorums of copies with explicit (N, W, R), outside transactions (rule 13; ecStore
 * §4.4). A write is an ordinary commit that returns once W copies have applied it; a read asks R
 * copies. With W + R &gt; N a read sees every write that was acknowledged before it, or a newer
 * one, and reads never go back: for that the sequencer confirms, while the copies are asked, that
 * they are still the key's. Where it does not answer the copies' answer is given all the same, and
 * says so ({@link QuorumRead#mayBeStale}), unless it is of before what was written or read here
 * already. Safe for use by several threads; all methods block.
 *
 * <p>A write is a transaction of its own. Within the work of {@link Session#transact} of the same
 * store it is refused, as another transact is: it would stay whatever becomes of that work, and be
 * done again with it. A {@link #get} there is none of the reads that the commit validates.
 */
public final class QuorumStore {
  private final Backend backend;
  private final OpenStore store;
  private final EcStoreOptions options;
  private final SessionToken seen;
  private final Quorum quorum;

  QuorumStore(OpenStore store, EcStoreOptions options, SessionToken seen, Quorum quorum) {
    this.backend = store.backend();
    this.store = store;
    this.options = options;
    this.seen = seen;
    this.quorum = quorum;
  }

  /** How many copies take part. */
  public Quorum quorum() {
    return quorum;
  }

  /**
   * Reads a key from R copies.
   *
   * @throws org.ecstore.client.error.UnavailableException if R copies did not answer before the
   *     deadline, or what one has could not be brought to W; the message says why
   */
  public <V> QuorumRead<V> get(Table<V> table, Tuple key) {
    ClientReply.QuorumValue answer =
        Observing.operation(
            backend.observer(),
            OperationKind.QUORUM_GET,
            table.key(key),
            () -> backend.quorums().get(table.key(key), quorum, seen, deadline()));
    Optional<Row> row = answer.row();
    return new QuorumRead<>(
        row.map(found -> table.decode(table.key(key), found.value())),
        row.map(Row::version),
        answer.at(),
        answer.known(),
        answer.copies(),
        answer.writtenBack(),
        answer.mayBeStale());
  }

  /**
   * Writes a value, whatever was there. Once it is committed this does not fail: {@link
   * QuorumWrite#isUnderReplicated} says if fewer than W copies were known to have it before the
   * deadline.
   *
   * @throws org.ecstore.client.error.WrongArgumentException if the thread is running work in a
   *     transaction of the store, or the table's records expire, or it has indexes
   * @throws org.ecstore.client.error.UnknownOutcomeException if it may have committed or not
   * @throws EcStoreException otherwise if nothing was done
   */
  public <V> QuorumWrite put(Table<V> table, Tuple key, V value) {
    if (table.lifetime().isPresent()) {
      throw new WrongArgumentException(
          "records that expire are written by transactions", null, "table", table.name());
    }
    Bytes encoded = table.encode(value);
    return write(table, table.key(key), raw -> raw.put(table.key(key), encoded));
  }

  /** Deletes a key; otherwise as {@link #put}. */
  public QuorumWrite delete(Table<?> table, Tuple key) {
    return write(table, table.key(key), raw -> raw.delete(table.key(key)));
  }

  private Deadline deadline() {
    return Deadline.after(backend.cluster().time().nanos(), options.deadline());
  }

  private QuorumWrite write(Table<?> table, Bytes key, Consumer<BytesTransaction> work) {
    store.running().mustNotRun("a write by quorum");
    return Observing.operation(
        backend.observer(), OperationKind.QUORUM_PUT, key, () -> written(table, key, work));
  }

  private QuorumWrite written(Table<?> table, Bytes key, Consumer<BytesTransaction> work) {
    Deadline deadline = deadline();
    Position number = commit(table, work, deadline);
    int copies = backend.quorums().reach(number, List.of(key), quorum, deadline);
    return new QuorumWrite(number, copies, quorum.w());
  }

  /** A write by quorum reads nothing: it cannot know which entries of indexes have to go. */
  private static void requireWithoutIndexes(CatalogVersion catalog, Table<?> table) {
    if (!catalog.maintained(table).isEmpty()) {
      throw new WrongArgumentException(
          "records of a table with indexes are written by transactions",
          null,
          "table",
          table.name());
    }
  }

  private Position commit(Table<?> table, Consumer<BytesTransaction> work, Deadline deadline) {
    RerunRules rules = new RerunRules(backend.cluster().backoff(), deadline);
    TimeLimit limit = new TimeLimit(options.deadline(), Optional.of(deadline));
    while (true) {
      CatalogVersion catalog = store.catalog().current(deadline);
      requireWithoutIndexes(catalog, table);
      BytesTransaction raw =
          backend.transaction(
              options.readLevel(),
              Isolation.SNAPSHOT,
              seen,
              CatalogStamp.at(catalog.number()),
              limit);
      try {
        work.accept(raw);
        raw.commit();
        return raw.done().orElseThrow().number();
      } catch (EcStoreException failure) {
        var time = backend.cluster().time();
        OptionalLong delay = rules.afterFailure(failure, time.nanos(), time.random());
        if (delay.isEmpty() || !time.pause(delay.getAsLong())) {
          throw failure;
        }
        backend.counters().retried();
      } finally {
        raw.rollback();
      }
    }
  }
}
