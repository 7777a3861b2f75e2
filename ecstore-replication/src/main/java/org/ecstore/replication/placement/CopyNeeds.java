package org.ecstore.replication.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.model.EngineTraits;

/**
 * What the copies of a range have to be together (rule 23): N of them, each on a host of its own;
 * of these two that persist if there are three, and three if there are more; one that is fit for
 * the primary; W fast at writing and R fast at reading, where one in memory counts as both; and
 * each kind of engine that there is at least once. Where nodes are too few for all of it the needs
 * are given up in the reverse of this order: the kinds first, then R, then W, then the primary's,
 * then those that persist.
 *
 * <p>W and R are the least that overlap, with W the greater: 2 and 2 of 3 copies, 3 and 2 of 4.
 *
 * <p>Paper: MyCassandra §3.2 (N, W, R), §5.2 (a fourth copy, so that as many persist as of three
 * that all do).
 *
 * @param copies N
 * @param persisting how many are to persist
 * @param fastWrites W
 * @param fastReads R
 * @param kinds whether each kind is to have one
 */
public record CopyNeeds(int copies, int persisting, int fastWrites, int fastReads, boolean kinds) {
  private static final int PERSISTING_MAX = 3;
  private static final int UNFIT = 2;

  /** What so many copies must be. */
  public static CopyNeeds of(int copies) {
    int writes = copies / 2 + 1;
    return new CopyNeeds(copies, persistingOf(copies), writes, copies - writes + 1, true);
  }

  /** All but one, and three at most; at least one. */
  private static int persistingOf(int copies) {
    return Math.clamp(copies - 1, 1, PERSISTING_MAX);
  }

  /**
   * The same of fewer copies, where there are not as many hosts. As many persist as before, if
   * there are so many: needs are given up from the last one on, and this is the first.
   */
  public CopyNeeds atMost(int hosts) {
    return hosts >= copies
        ? this
        : new CopyNeeds(
            hosts,
            Math.min(persisting, hosts),
            Math.min(fastWrites, hosts),
            Math.min(fastReads, hosts),
            kinds);
  }

  /**
   * By how much some copies fall short; the least is the best. The order of the components is that
   * in which needs are kept.
   *
   * @param unfit how unfit the fittest of them is for the primary, see {@link #primaryRank}
   * @param missingKinds how many of the kinds have none, as far as they would fit
   */
  public record Shortfall(
      int copies, int persisting, int unfit, int fastWrites, int fastReads, int missingKinds)
      implements Comparable<Shortfall> {
    private static final Comparator<Shortfall> ORDER =
        Comparator.comparingInt(Shortfall::copies)
            .thenComparingInt(Shortfall::persisting)
            .thenComparingInt(Shortfall::unfit)
            .thenComparingInt(Shortfall::fastWrites)
            .thenComparingInt(Shortfall::fastReads)
            .thenComparingInt(Shortfall::missingKinds);

    @Override
    public int compareTo(Shortfall other) {
      return ORDER.compare(this, other);
    }

    /** Whether nothing is lacking. */
    public boolean isNone() {
      return copies + persisting + unfit + fastWrites + fastReads + missingKinds == 0;
    }

    /**
     * For people: what is lacking of that which keeps data and primaries, where it is more than
     * before; empty if it is not. The other needs are about speed.
     */
    public Optional<String> worseInKeeping(Shortfall before) {
      return persisting > before.persisting || unfit > before.unfit
          ? Optional.of(new Shortfall(0, persisting, unfit, 0, 0, 0).toString())
          : Optional.empty();
    }

    /** For people: what is lacking; empty if nothing is. */
    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      add(parts, copies, "%d fewer on hosts of their own");
      add(parts, persisting, "%d fewer that persist");
      if (unfit > 0) {
        parts.add("one that is fit for the primary");
      }
      add(parts, fastWrites, "%d fewer that are fast at writing");
      add(parts, fastReads, "%d fewer that are fast at reading");
      add(parts, missingKinds, "%d kinds of engines without one");
      return String.join(", ", parts);
    }

    private static void add(List<String> parts, int number, String words) {
      if (number > 0) {
        parts.add(words.formatted(number));
      }
    }
  }

  /**
   * By how much copies fall short.
   *
   * @param engines of the copies, each on a host of its own
   * @param there the kinds that nodes have
   */
  public Shortfall shortfall(Collection<EngineTraits> engines, Set<String> there) {
    int persist = 0;
    int rank = UNFIT;
    int write = 0;
    int read = 0;
    Set<String> have = new TreeSet<>();
    for (EngineTraits engine : engines) {
      persist += engine.persists() ? 1 : 0;
      write += engine.countsForWrites() ? 1 : 0;
      read += engine.countsForReads() ? 1 : 0;
      rank = Math.min(rank, primaryRank(engine));
      have.add(engine.kind());
    }
    have.retainAll(there);
    int wanted = kinds ? Math.min(there.size(), copies) : 0;
    return new Shortfall(
        Math.max(0, copies - engines.size()),
        Math.max(0, persisting - persist),
        rank,
        Math.max(0, fastWrites - write),
        Math.max(0, fastReads - read),
        Math.max(0, wanted - have.size()));
  }

  /**
   * What a cluster of some engines lacks however many nodes it has, in words: none of them
   * persists, or is fast at writing, or at reading. Such a cluster begins only if it is told to.
   */
  public static List<String> lacking(Collection<EngineTraits> engines) {
    List<String> lacking = new ArrayList<>();
    if (engines.stream().noneMatch(EngineTraits::persists)) {
      lacking.add("none persists");
    }
    if (engines.stream().noneMatch(EngineTraits::countsForWrites)) {
      lacking.add("none is fast at writing");
    }
    if (engines.stream().noneMatch(EngineTraits::countsForReads)) {
      lacking.add("none is fast at reading");
    }
    if (lacking.isEmpty() && engines.stream().noneMatch(engine -> primaryRank(engine) == 0)) {
      lacking.add("none both persists and is fast at writing, as primaries are to");
    }
    return lacking;
  }

  /**
   * How fit an engine is for a primary's copy: 0 if it persists and writes fast, as primaries are
   * to; 1 if it persists at least; 2 if it does not.
   */
  public static int primaryRank(EngineTraits engine) {
    if (!engine.persists()) {
      return UNFIT;
    }
    return engine.fastWrites() ? 0 : 1;
  }
}
