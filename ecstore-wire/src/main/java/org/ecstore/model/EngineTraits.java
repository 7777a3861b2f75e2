package org.ecstore.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a storage engine is good at, and whether it keeps what it has (rule 23). It travels with a
 * node's membership, and decides which copies a node gets and which of them is read first.
 *
 * <p>Paper: MyCassandra §3.2, whose kinds are optimised for writing, for reading, or in memory.
 *
 * @param kind as in a configuration file; empty of a node that says nothing of itself
 * @param fastWrites whether it is among those that writes need not wait for
 * @param fastReads whether it is among those that are asked first
 * @param inMemory whether all its data are in memory: it counts as fast at both
 * @param persists whether what it has confirmed is there after a restart of whatever keeps it
 */
public record EngineTraits(
    String kind, boolean fastWrites, boolean fastReads, boolean inMemory, boolean persists) {
  private static final String WRITES = "writes";
  private static final String READS = "reads";
  private static final String MEMORY = "memory";
  private static final String PERSISTS = "persists";
  private static final String NOTHING = "nothing";

  /** Ranks of {@link #readRank}, of which there are so many. */
  public static final int READ_RANKS = 3;

  /** The traits of a kind of which nothing is known: good at both, as every kind once was. */
  public static EngineTraits of(String kind) {
    return new EngineTraits(kind, true, true, false, true);
  }

  /** Whether a write is done on it as soon as anywhere. */
  public boolean countsForWrites() {
    return fastWrites || inMemory;
  }

  /** Whether a read is answered by it as soon as anywhere. */
  public boolean countsForReads() {
    return fastReads || inMemory;
  }

  /**
   * In which order copies are asked, the least first: 0 one that is optimised for reading, 1 one in
   * memory, 2 another. Paper: MyCassandra §3.2.
   */
  public int readRank() {
    if (inMemory) {
      return 1;
    }
    return fastReads ? 0 : READ_RANKS - 1;
  }

  /** What it is good at, as words between plus signs, which {@link #with} reads. */
  public String strengths() {
    List<String> words = new ArrayList<>();
    if (fastWrites) {
      words.add(WRITES);
    }
    if (fastReads) {
      words.add(READS);
    }
    if (inMemory) {
      words.add(MEMORY);
    }
    if (persists) {
      words.add(PERSISTS);
    }
    return words.isEmpty() ? NOTHING : String.join("+", words);
  }

  /** The same kind with the strengths of a text; words that are not known are passed by. */
  public EngineTraits with(String strengths) {
    List<String> words = List.of(strengths.split("\\+", -1));
    return new EngineTraits(
        kind,
        words.contains(WRITES),
        words.contains(READS),
        words.contains(MEMORY),
        words.contains(PERSISTS));
  }

  /** The same strengths of another kind. */
  EngineTraits named(String name) {
    return new EngineTraits(name, fastWrites, fastReads, inMemory, persists);
  }
}
