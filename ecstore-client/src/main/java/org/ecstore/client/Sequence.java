package org.ecstore.client;

import java.util.Optional;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.routing.OneForAll;
import org.ecstore.key.Tuple;

/**
 * Whole numbers from 1 on, each given once in the whole store: for ids that people read. They are
 * taken in blocks, each by a transaction of its own, so that most cost nothing and no key of the
 * store is written for each of them.
 *
 * <pre>{@code
 * Sequence orderIds = store.sequence("orders");
 * store.execute(tx -> tx.insert(ORDERS, Tuple.of(orderIds.next()), order));
 * }</pre>
 *
 * <p>Numbers of one instance ascend. Those of two do not among each other, and what is left of a
 * block when its program ends is given to none: there are gaps. Safe for use by several threads,
 * and within a transaction, which it is no part of.
 */
public final class Sequence {
  /** How many numbers are taken at once if nothing is said. */
  public static final int BLOCK = 100;

  private static final Table<Long> TABLE = Table.of(StoredTokenKey.TABLE.name(), Codec.longs());
  private static final String KIND = "sequence";
  private static final int BLOCK_MAX = 1_000_000_000;
  private static final int UNKNOWN_MAX = 3;

  private final TypedSession session;
  private final String name;
  private final int block;
  private final OneForAll taking = new OneForAll("a block of the sequence");

  /** What is left of the block: by one thread at a time. */
  private long next;

  private long end;

  Sequence(TypedSession session, String name, int block) {
    if (name.isEmpty()) {
      throw new WrongArgumentException("a sequence has a name", null);
    }
    if (block < 1 || block > BLOCK_MAX) {
      throw new WrongArgumentException(
          "a block is of 1 to " + BLOCK_MAX + " numbers", null, "block", block);
    }
    this.session = session.requiresNew();
    this.name = name;
    this.block = block;
  }

  /**
   * The next number.
   *
   * @throws org.ecstore.client.error.EcStoreException if a block has to be taken and cannot be, by
   *     this thread or the one that it has waited for
   */
  public long next() {
    return taking.get(session.operationTime(), this::left, this::first);
  }

  private Optional<Long> left() {
    return next == end ? Optional.empty() : Optional.of(next++);
  }

  private long first() {
    long first = take();
    next = first + 1;
    end = first + block;
    return first;
  }

  /** Takes a block. One of which it is not known whether it was taken is left to none. */
  private long take() {
    for (int unknown = 1; ; unknown++) {
      try {
        return session.transact(this::taken);
      } catch (UnknownOutcomeException e) {
        if (unknown == UNKNOWN_MAX) {
          throw e;
        }
      }
    }
  }

  private long taken(Transaction tx) {
    Tuple key = Tuple.of(KIND, name);
    long begin = tx.get(TABLE, key).orElse(1L);
    if (begin < 1 || begin > Long.MAX_VALUE - block) {
      throw new WrongArgumentException(
          "the sequence has come to its end, or was overwritten",
          null,
          "table",
          TABLE.name(),
          "key",
          key,
          "value",
          begin);
    }
    tx.put(TABLE, key, begin + block);
    return begin;
  }
}
