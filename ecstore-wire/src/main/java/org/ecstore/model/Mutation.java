package org.ecstore.model;

import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;

/**
 * What a write does to its key (rule 28): it puts a value, deletes the key, or makes a new value of
 * the one that is there, which its writer need not know.
 */
public sealed interface Mutation {
  /** The key has this value from here on. */
  record Put(Bytes bytes) implements Mutation {
    @Override
    public Optional<Bytes> value() {
      return Optional.of(bytes);
    }

    @Override
    public Optional<Bytes> after(Optional<Bytes> before) {
      return value();
    }

    @Override
    public int length() {
      return bytes.length();
    }
  }

  /** The key is absent from here on: a tombstone. */
  enum Delete implements Mutation {
    /** The only one there is. */
    DELETE;

    @Override
    public Optional<Bytes> value() {
      return Optional.empty();
    }

    @Override
    public Optional<Bytes> after(Optional<Bytes> before) {
      return Optional.empty();
    }

    @Override
    public int length() {
      return 0;
    }
  }

  /**
   * The key has from here on what an operation makes of the value that commits before have left.
   *
   * @param operand what it works with: another one is an {@link IllegalArgumentException}
   */
  record Operation(AtomicOp op, Bytes operand) implements Mutation {
    public Operation {
      if (!op.isOperand(operand)) {
        throw new IllegalArgumentException("no operand of " + op + ": " + operand);
      }
    }

    @Override
    public Optional<Bytes> value() {
      throw new IllegalStateException("an operation has no value of its own");
    }

    @Override
    public Optional<Bytes> after(Optional<Bytes> before) {
      return Optional.of(op.apply(before, operand));
    }

    @Override
    public int length() {
      return operand.length();
    }
  }

  /** The value after operations, one after the other. */
  static Optional<Bytes> applied(List<Operation> operations, Optional<Bytes> before) {
    Optional<Bytes> value = before;
    int from = 0;
    while (from < operations.size()) {
      AtomicOp op = operations.get(from).op();
      int to = from;
      while (to < operations.size() && operations.get(to).op() == op) {
        to++;
      }
      List<Bytes> operands = operations.subList(from, to).stream().map(Operation::operand).toList();
      value = Optional.of(op.applyAll(value, operands));
      from = to;
    }
    return value;
  }

  /** A put of a value, or a delete if it is absent. */
  static Mutation of(Optional<Bytes> value) {
    return value.isPresent() ? new Put(value.get()) : Delete.DELETE;
  }

  /** A delete. */
  static Mutation delete() {
    return Delete.DELETE;
  }

  /**
   * The value that the key has, whatever it was before; absent if it has none.
   *
   * @throws IllegalStateException if that depends on what it was
   */
  Optional<Bytes> value();

  /** The value that the key has, given what it was before. */
  Optional<Bytes> after(Optional<Bytes> before);

  /** Of the value or the operand, in bytes. */
  int length();

  /** Whether what the key is depends on what it was. */
  default boolean isOperation() {
    return this instanceof Operation;
  }
}
