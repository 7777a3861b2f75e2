package org.ecstore.replication.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a range's copies so that they are what {@link CopyNeeds} asks for: at first
 * those that are missing are made, then those that are too many go. Each part that asks whether a
 * range has enough copies asks this.
 *
 * <p>The copies that there shall be are chosen so that they fall short by as little as the nodes
 * allow, where hosts are too few for all copies by what so few can be, and then by the needs of
 * all; among equal choices the one that keeps most of the copies that are there, then the nearest.
 * So each step brings what is there nearer to what there shall be, and never calls for its reverse.
 *
 * @param missing the nodes that are to get a copy, the nearest first
 * @param surplus the nodes whose copies are too many once none is missing, the last named first
 * @param shortfall by how much the copies that there shall be fall short of the needs
 */
public record CopyChange(
    List<NodeId> missing, List<NodeId> surplus, CopyNeeds.Shortfall shortfall) {
  /** A node that has a copy or may get one. */
  public record Candidate(NodeId node, String host, EngineTraits engine) {}

  public CopyChange {
    missing = List.copyOf(missing);
    surplus = List.copyOf(surplus);
  }

  /** Whether the copies that are there are enough, with none missing. */
  public boolean isEnough() {
    return missing.isEmpty();
  }

  /**
   * The change of a range.
   *
   * @param present those that have a copy, the one that must keep it first if {@code fixed}
   * @param fixed whether the first of them is the primary, which stays
   * @param others who may get one, the nearest first
   */
  public static CopyChange of(
      CopyNeeds wanted, List<Candidate> present, boolean fixed, List<Candidate> others) {
    Map<NodeId, Candidate> all = new LinkedHashMap<>();
    present.forEach(one -> all.putIfAbsent(one.node(), one));
    others.forEach(one -> all.putIfAbsent(one.node(), one));
    List<Candidate> candidates = List.copyOf(all.values());
    Set<String> hosts = new TreeSet<>();
    Set<String> kinds = new TreeSet<>();
    for (Candidate one : candidates) {
      hosts.add(one.host());
      kinds.add(one.engine().kind());
    }
    CopyNeeds needs = wanted.atMost(hosts.size());
    Set<NodeId> have = new TreeSet<>();
    present.forEach(one -> have.add(one.node()));
    Choice best =
        new Choices(wanted, needs, kinds, candidates, have, fixed && !present.isEmpty()).best();
    Set<NodeId> chosen = new TreeSet<>();
    best.chosen().forEach(one -> chosen.add(one.node()));
    List<NodeId> missing =
        best.chosen().stream().map(Candidate::node).filter(node -> !have.contains(node)).toList();
    List<NodeId> surplus = new ArrayList<>();
    for (Candidate one : present.reversed()) {
      if (!chosen.contains(one.node())) {
        surplus.add(one.node());
      }
    }
    return new CopyChange(missing, surplus, wanted.shortfall(engines(best.chosen()), kinds));
  }

  private static List<EngineTraits> engines(List<Candidate> some) {
    return some.stream().map(Candidate::engine).toList();
  }

  /**
   * Some candidates.
   *
   * @param shortfall by how much they fall short of what so many can be
   * @param ofAll by how much of what all copies have to be
   * @param kept how many of them have a copy
   * @param far how far they are down the list together
   */
  private record Choice(
      List<Candidate> chosen,
      CopyNeeds.Shortfall shortfall,
      CopyNeeds.Shortfall ofAll,
      int kept,
      int far) {
    boolean isBetterThan(@Nullable Choice other) {
      if (other == null) {
        return true;
      }
      int byNeeds = shortfall.compareTo(other.shortfall());
      if (byNeeds != 0) {
        return byNeeds < 0;
      }
      int byAll = ofAll.compareTo(other.ofAll());
      if (byAll != 0) {
        return byAll < 0;
      }
      return kept != other.kept() ? kept > other.kept() : far < other.far();
    }
  }

  /**
   * All choices that differ in how many copies each engine gets: nodes with one engine differ in
   * their hosts only, so of each such choice one is looked at, the nearest.
   */
  private static final class Choices {
    private final CopyNeeds ofAll;
    private final CopyNeeds needs;
    private final Set<String> kinds;
    private final List<Candidate> candidates;
    private final Set<NodeId> have;
    private final boolean fixed;
    private final List<EngineTraits> engines;
    private final int[] wanted;
    private @Nullable Choice best;

    Choices(
        CopyNeeds ofAll,
        CopyNeeds needs,
        Set<String> kinds,
        List<Candidate> candidates,
        Set<NodeId> have,
        boolean fixed) {
      this.ofAll = ofAll;
      this.needs = needs;
      this.kinds = kinds;
      this.candidates = candidates;
      this.have = have;
      this.fixed = fixed;
      this.engines = distinct(engines(candidates));
      this.wanted = new int[engines.size()];
    }

    private static List<EngineTraits> distinct(Collection<EngineTraits> all) {
      Map<String, EngineTraits> byText = new TreeMap<>();
      all.forEach(one -> byText.put(one.kind() + " " + one.strengths(), one));
      return List.copyOf(byText.values());
    }

    Choice best() {
      if (needs.copies() > 0) {
        share(0, needs.copies() - (fixed ? 1 : 0));
      }
      return best == null ? choice(List.of(), 0, 0) : best;
    }

    /** Shares out so many copies among the engines from one on. */
    private void share(int from, int left) {
      if (from == engines.size() - 1) {
        wanted[from] = left;
        look();
        return;
      }
      for (int some = left; some >= 0; some--) {
        wanted[from] = some;
        share(from + 1, left - some);
      }
    }

    private void look() {
      List<EngineTraits> together = new ArrayList<>();
      if (fixed) {
        together.add(candidates.getFirst().engine());
      }
      for (int i = 0; i < wanted.length; i++) {
        for (int j = 0; j < wanted[i]; j++) {
          together.add(engines.get(i));
        }
      }
      CopyNeeds.Shortfall shortfall = needs.shortfall(together, kinds);
      if (best != null && shortfall.compareTo(best.shortfall()) > 0) {
        return;
      }
      int[] left = wanted.clone();
      List<Integer> chosen = new ArrayList<>();
      Set<String> taken = new TreeSet<>();
      if (fixed) {
        chosen.add(0);
        taken.add(candidates.getFirst().host());
      }
      if (fill(left, chosen, taken, fixed ? 1 : 0)) {
        List<Candidate> some = chosen.stream().map(candidates::get).toList();
        int kept = (int) some.stream().filter(one -> have.contains(one.node())).count();
        int far = chosen.stream().mapToInt(Integer::intValue).sum();
        Choice choice = choice(some, kept, far);
        best = choice.isBetterThan(best) ? choice : best;
      }
    }

    private Choice choice(List<Candidate> some, int kept, int far) {
      List<EngineTraits> chosen = engines(some);
      return new Choice(
          some, needs.shortfall(chosen, kinds), ofAll.shortfall(chosen, kinds), kept, far);
    }

    /** Takes the first candidates with the engines that are left, on hosts that are not taken. */
    private boolean fill(int[] left, List<Integer> chosen, Set<String> taken, int from) {
      if (chosen.size() == needs.copies()) {
        return true;
      }
      if (!mayFill(left, taken, from)) {
        return false;
      }
      for (int i = from; i < candidates.size(); i++) {
        Candidate one = candidates.get(i);
        int engine = engines.indexOf(one.engine());
        if (left[engine] > 0 && !taken.contains(one.host())) {
          left[engine]--;
          chosen.add(i);
          taken.add(one.host());
          if (fill(left, chosen, taken, i + 1)) {
            return true;
          }
          left[engine]++;
          chosen.removeLast();
          taken.remove(one.host());
        }
      }
      return false;
    }

    /** Whether each engine has free hosts enough, each looked at by itself. */
    private boolean mayFill(int[] left, Set<String> taken, int from) {
      for (int i = 0; i < left.length; i++) {
        Set<String> free = new TreeSet<>();
        for (Candidate one : candidates.subList(from, candidates.size())) {
          if (free.size() >= left[i]) {
            break;
          }
          if (one.engine().equals(engines.get(i)) && !taken.contains(one.host())) {
            free.add(one.host());
          }
        }
        if (free.size() < left[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
