package org.ecstore.client;

import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
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

  /** So often a block is tried to be taken, each time with a part of the time that there is. */
  private static final int TRIES_MAX = 3;

  private final TypedSession session;
  private final String name;
  private final int block;
  private final OneForAll taking;

  /** Replaced by the thread that takes one, when nothing is left of it. */
  private volatile Block left = new Block(0, 0);

  /** Numbers that are left, given by one thread at a time. */
  private static final class Block {
    private final long end;
    private long next;

    Block(long next, long end) {
      this.next = next;
      this.end = end;
    }

    Optional<Long> given() {
      return next == end ? Optional.empty() : Optional.of(next++);
    }
  }

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
    this.taking = new OneForAll("no block of the sequence could be taken", session.time());
  }

  /**
   * The next number. Takes no longer than the store's deadline, and within a transaction no longer
   * than that has time.
   *
   * @throws EcStoreException if a block has to be taken and cannot be, by this thread or the one
   *     that it has waited for. It never says that an outcome is unknown: a block that may have
   *     been taken is given to none, and nothing else was done
   */
  public long next() {
    return taking.get(session.operationDeadline(), () -> left.given(), this::first);
  }

  private long first(Deadline deadline) {
    long first = take(deadline);
    left = new Block(first + 1, first + block);
    return first;
  }

  /** Takes a block. One of which it is not known whether it was taken is left to none. */
  private long take(Deadline deadline) {
    for (int tried = 1; ; tried++) {
      try {
        return session.part(deadline, TRIES_MAX + 1 - tried).transact(this::taken);
      } catch (EcStoreException e) {
        boolean isLast =
            tried == TRIES_MAX
                || deadline.isOver(session.time().nanos())
                || Thread.currentThread().isInterrupted();
        if (isLast || !isAnotherTryOfUse(e.code())) {
          throw e.code() == ErrorCode.UNKNOWN_OUTCOME
              ? new UnavailableException(
                  "it is not known whether a block of the sequence was taken: it is given to none",
                  e,
                  "sequence",
                  name)
              : e;
        }
      }
    }
  }

  /** Those that end a try for want of time. */
  private static boolean isAnotherTryOfUse(ErrorCode code) {
    return code == ErrorCode.UNKNOWN_OUTCOME
        || code == ErrorCode.UNAVAILABLE
        || code == ErrorCode.CONFLICT;
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
