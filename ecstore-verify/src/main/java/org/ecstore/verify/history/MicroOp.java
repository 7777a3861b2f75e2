package org.ecstore.verify.history;

import org.jspecify.annotations.Nullable;

/** One step of a transaction. What a read saw is absent before it is known. */
public sealed interface MicroOp {
  /** Adds an element, used once only for this key, at the end of a list. */
  record Append(long key, long element) implements MicroOp {
    @Override
    public String toString() {
      return "[\"append\"," + key + "," + element + "]";
    }
  }

  /** Reads a list; one never written is empty. */
  record ReadList(long key, @Nullable Elements seen) implements MicroOp {
    @Override
    public String toString() {
      return "[\"r\"," + key + "," + seen + "]";
    }
  }

  /** Writes a value, used once only for this key. */
  record Write(long key, long value) implements MicroOp {
    @Override
    public String toString() {
      return "[\"w\"," + key + "," + value + "]";
    }
  }

  /** Reads a value; null is that of a key never written. */
  record ReadValue(long key, @Nullable Long seen) implements MicroOp {
    @Override
    public String toString() {
      return "[\"r\"," + key + "," + seen + "]";
    }
  }

  /** Sets the balance of every account; the first transaction of a bank. */
  record Open(Elements balances) implements MicroOp {
    @Override
    public String toString() {
      return "open " + balances;
    }
  }

  /** Moves an amount from one account to another. */
  record Transfer(int from, int to, long amount) implements MicroOp {
    @Override
    public String toString() {
      return "transfer " + amount + " from " + from + " to " + to;
    }
  }

  /** Reads the balance of every account. */
  record ReadBalances(@Nullable Elements seen) implements MicroOp {
    @Override
    public String toString() {
      return "balances " + seen;
    }
  }

  /** Whether it changes something. */
  default boolean writes() {
    return switch (this) {
      case Append _, Write _, Open _, Transfer _ -> true;
      case ReadList _, ReadValue _, ReadBalances _ -> false;
    };
  }

  /** The same before it was run: with nothing seen. */
  default MicroOp asked() {
    return switch (this) {
      case Append _, Write _, Open _, Transfer _ -> this;
      case ReadList read -> new ReadList(read.key(), null);
      case ReadValue read -> new ReadValue(read.key(), null);
      case ReadBalances _ -> new ReadBalances(null);
    };
  }
}
