package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The versions of every key in their order, and who read which. Version 0 of a key is that of a key
 * never written; version i has the i-th writer. Attempts are named by their place in the history.
 */
final class Versions {
  /** An attempt read a version of a key that is not its own. */
  record Read(int attempt, long key, int version) {}

  private final Map<Long, int[]> writers = new TreeMap<>();
  private final List<Read> reads = new ArrayList<>();

  /** Says who wrote versions 1, 2, ... of a key. */
  void order(long key, int[] inOrder) {
    writers.put(key, inOrder);
  }

  void read(int attempt, long key, int version) {
    reads.add(new Read(attempt, key, version));
  }

  /** The writers of versions 1, 2, ... of a key. */
  int[] writers(long key) {
    return writers.getOrDefault(key, new int[0]);
  }

  Map<Long, int[]> writers() {
    return writers;
  }

  List<Read> reads() {
    return reads;
  }

  /** Which attempts wrote a version that is in some order. */
  boolean[] writing(int attempts) {
    boolean[] writing = new boolean[attempts];
    writers
        .values()
        .forEach(order -> Arrays.stream(order).forEach(writer -> writing[writer] = true));
    return writing;
  }
}
