package org.ecstore.core.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from long numbers: an update shares all but one path with the map it came from.
 *
 * <p>A big-endian Patricia trie (Okasaki and Gill, "Fast Mergeable Integer Maps", 1998). Its shape
 * follows from its keys alone, so equal contents are equal structures, and it lists keys in
 * (unsigned) order. Copying a {@code TreeMap} for each change would cost O(N) per change of the
 * tree.
 */
final class LongMap<V> {
  private final @Nullable Trie<V> root;
  private final int size;

  private LongMap(@Nullable Trie<V> root, int size) {
    this.root = root;
    this.size = size;
  }

  private sealed interface Trie<V> {}

  private record Leaf<V>(long key, V value) implements Trie<V> {}

  /** Keys agree above the bit; those without it are under zero, those with it under one. */
  private record Fork<V>(long prefix, long bit, Trie<V> zero, Trie<V> one) implements Trie<V> {
    boolean covers(long key) {
      return above(key, bit) == prefix;
    }
  }

  static <V> LongMap<V> empty() {
    return new LongMap<>(null, 0);
  }

  int size() {
    return size;
  }

  @Nullable V get(long key) {
    Trie<V> at = root;
    while (at instanceof Fork<V> fork) {
      at = (key & fork.bit) == 0 ? fork.zero : fork.one;
    }
    return at instanceof Leaf<V> leaf && leaf.key == key ? leaf.value : null;
  }

  boolean has(long key) {
    return get(key) != null;
  }

  LongMap<V> with(long key, V value) {
    Leaf<V> leaf = new Leaf<>(key, value);
    return new LongMap<>(root == null ? leaf : put(root, leaf), has(key) ? size : size + 1);
  }

  LongMap<V> without(long key) {
    return root == null || !has(key) ? this : new LongMap<>(remove(root, key), size - 1);
  }

  /** All values, by ascending key. */
  List<V> values() {
    List<V> values = new ArrayList<>(size);
    if (root != null) {
      addAll(root, values);
    }
    return values;
  }

  private static <V> Trie<V> put(Trie<V> trie, Leaf<V> leaf) {
    return switch (trie) {
      case Leaf<V> other -> other.key == leaf.key ? leaf : fork(other, other.key, leaf);
      case Fork<V> fork when !fork.covers(leaf.key) -> fork(fork, fork.prefix, leaf);
      case Fork<V> fork when (leaf.key & fork.bit) == 0 ->
          new Fork<>(fork.prefix, fork.bit, put(fork.zero, leaf), fork.one);
      case Fork<V> fork -> new Fork<>(fork.prefix, fork.bit, fork.zero, put(fork.one, leaf));
    };
  }

  private static <V> Trie<V> fork(Trie<V> trie, long itsKey, Leaf<V> leaf) {
    long bit = Long.highestOneBit(itsKey ^ leaf.key);
    long prefix = above(leaf.key, bit);
    return (leaf.key & bit) == 0
        ? new Fork<>(prefix, bit, leaf, trie)
        : new Fork<>(prefix, bit, trie, leaf);
  }

  private static <V> @Nullable Trie<V> remove(Trie<V> trie, long key) {
    if (!(trie instanceof Fork<V> fork)) {
      return null;
    }
    if ((key & fork.bit) == 0) {
      Trie<V> rest = remove(fork.zero, key);
      return rest == null ? fork.one : new Fork<>(fork.prefix, fork.bit, rest, fork.one);
    }
    Trie<V> rest = remove(fork.one, key);
    return rest == null ? fork.zero : new Fork<>(fork.prefix, fork.bit, fork.zero, rest);
  }

  private static long above(long key, long bit) {
    return key & -bit & ~bit;
  }

  private static <V> void addAll(Trie<V> trie, List<V> values) {
    switch (trie) {
      case Leaf<V> leaf -> values.add(leaf.value);
      case Fork<V> fork -> {
        addAll(fork.zero, values);
        addAll(fork.one, values);
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LongMap<?> that && size == that.size && Objects.equals(root, that.root);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(root);
  }

  @Override
  public String toString() {
    return values().toString();
  }
}
