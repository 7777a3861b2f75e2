package org.ecstore.txn.commit;

import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * Intervals of keys, each with something on it, and which of them contain a key: in logarithmic
 * time, however many there are and however they overlap. A treap in order of starts, in which each
 * node knows the greatest end below it; its priorities are a mix of counting numbers, so that the
 * same calls make the same tree.
 *
 * @param <T> what is on an interval
 */
final class IntervalIndex<T> {
  private @Nullable Node<T> root;
  private long last;

  /** An interval that was added, to take it away again. */
  static final class Node<T> {
    private final KeyRange keys;
    private final T on;
    private final long number;
    private final long priority;
    private Optional<Bytes> greatestEnd;
    private @Nullable Node<T> left;
    private @Nullable Node<T> right;

    private Node(KeyRange keys, T on, long number) {
      this.keys = keys;
      this.on = on;
      this.number = number;
      this.priority = mixed(number);
      this.greatestEnd = keys.end();
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    private static long mixed(long number) {
      long z = number * 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }

    private boolean isBefore(Node<T> other) {
      int order = keys.start().compareTo(other.keys.start());
      return order != 0 ? order < 0 : number < other.number;
    }

    private void update() {
      greatestEnd = greater(keys.end(), greater(endOf(left), endOf(right)));
    }
  }

  /** The start of all keys ends nothing: what no subtree reaches beyond. */
  private static final Optional<Bytes> NO_END = Optional.of(Bytes.EMPTY);

  private static <T> Optional<Bytes> endOf(@Nullable Node<T> node) {
    return node == null ? NO_END : node.greatestEnd;
  }

  /** Of two ends, absent being that of all keys. */
  private static Optional<Bytes> greater(Optional<Bytes> one, Optional<Bytes> other) {
    return one.isEmpty() || (other.isPresent() && one.get().compareTo(other.get()) >= 0)
        ? one
        : other;
  }

  private static <T> boolean reachesBeyond(@Nullable Node<T> node, Bytes key) {
    Optional<Bytes> end = endOf(node);
    return node != null && (end.isEmpty() || key.compareTo(end.get()) < 0);
  }

  /** Adds an interval; there may be the same already. */
  Node<T> add(KeyRange keys, T on) {
    Node<T> added = new Node<>(keys, on, ++last);
    root = inserted(root, added);
    return added;
  }

  private static <T> Node<T> inserted(@Nullable Node<T> under, Node<T> added) {
    if (under == null) {
      return added;
    }
    if (added.priority > under.priority) {
      split(under, added);
      added.update();
      return added;
    }
    if (added.isBefore(under)) {
      under.left = inserted(under.left, added);
    } else {
      under.right = inserted(under.right, added);
    }
    under.update();
    return under;
  }

  /** Divides a subtree into what is before a node and what is behind it, its children from now. */
  private static <T> void split(@Nullable Node<T> subtree, Node<T> at) {
    if (subtree == null) {
      at.left = null;
      at.right = null;
    } else if (subtree.isBefore(at)) {
      split(subtree.right, at);
      subtree.right = at.left;
      subtree.update();
      at.left = subtree;
    } else {
      split(subtree.left, at);
      subtree.left = at.right;
      subtree.update();
      at.right = subtree;
    }
  }

  /** Takes away what {@link #add} gave; once. */
  void remove(Node<T> added) {
    root = removed(root, added);
  }

  private static <T> @Nullable Node<T> removed(@Nullable Node<T> under, Node<T> gone) {
    if (under == null) {
      throw new IllegalStateException("an interval was taken away that is not there");
    }
    if (under == gone) {
      return joined(under.left, under.right);
    }
    if (gone.isBefore(under)) {
      under.left = removed(under.left, gone);
    } else {
      under.right = removed(under.right, gone);
    }
    under.update();
    return under;
  }

  private static <T> @Nullable Node<T> joined(@Nullable Node<T> left, @Nullable Node<T> right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    if (left.priority > right.priority) {
      left.right = joined(left.right, right);
      left.update();
      return left;
    }
    right.left = joined(left, right.left);
    right.update();
    return right;
  }

  /** What is on an interval that contains a key: of those, the one that starts first. */
  Optional<T> on(Bytes key) {
    Node<T> node = root;
    while (node != null && reachesBeyond(node, key)) {
      boolean startsHere = node.keys.start().compareTo(key) <= 0;
      if (reachesBeyond(node.left, key) || !startsHere) {
        // Where this node starts at or below the key, so do all to its left, and one reaches
        // beyond.
        node = node.left;
      } else if (node.keys.isBelowEnd(key)) {
        return Optional.of(node.on);
      } else {
        node = node.right;
      }
    }
    return Optional.empty();
  }
}
