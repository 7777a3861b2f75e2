package org.ecstore.replication.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds.Shortfall;
import org.junit.jupiter.api.Test;

class CopyChangeTest {
  private static final EngineTraits JE = new EngineTraits("je", true, true, false, true);
  private static final EngineTraits ROCKS = new EngineTraits("rocksdb", true, false, false, true);
  private static final EngineTraits MYSQL = new EngineTraits("mysql", false, true, false, true);
  private static final EngineTraits REDIS = new EngineTraits("redis", true, true, true, false);
  private static final List<EngineTraits> ALL = List.of(JE, ROCKS, MYSQL, REDIS);
  private static final CopyNeeds THREE = CopyNeeds.of(3);

  private static Candidate on(long node, EngineTraits engine, String host) {
    return new Candidate(new NodeId(node), host, engine);
  }

  /** Hosts with a node of each kind, node 1 the first kind on host 0, and so on. */
  private static List<Candidate> hosts(int count, EngineTraits... kinds) {
    List<Candidate> all = new ArrayList<>();
    for (int host = 0; host < count; host++) {
      for (EngineTraits kind : kinds) {
        all.add(on(all.size() + 1, kind, "host" + host));
      }
    }
    return all;
  }

  private static List<NodeId> nodes(long... ids) {
    return Arrays.stream(ids).mapToObj(NodeId::new).toList();
  }

  @Test
  void quorumsAreTheLeastThatOverlap() {
    assertEquals(new CopyNeeds(3, 2, 2, 2, true), CopyNeeds.of(3));
    assertEquals(new CopyNeeds(4, 3, 3, 2, true), CopyNeeds.of(4));
    assertEquals(new CopyNeeds(5, 3, 3, 3, true), CopyNeeds.of(5));
    assertEquals(new CopyNeeds(2, 1, 2, 1, true), CopyNeeds.of(2));
    assertEquals(new CopyNeeds(3, 3, 3, 2, true), CopyNeeds.of(4).atMost(3));
    assertEquals(new CopyNeeds(2, 2, 2, 2, true), CopyNeeds.of(3).atMost(2));
    assertEquals(new CopyNeeds(1, 1, 1, 1, true), CopyNeeds.of(1));
  }

  @Test
  void eachKindGetsACopyOnAHostOfItsOwn() {
    List<Candidate> all = hosts(3, JE, MYSQL, REDIS);
    CopyChange change = CopyChange.of(THREE, List.of(all.getFirst()), true, all);
    assertEquals(2, change.missing().size());
    List<Candidate> chosen =
        all.stream().filter(one -> change.missing().contains(one.node())).toList();
    assertEquals(
        Set.of("mysql", "redis"),
        Set.copyOf(chosen.stream().map(one -> one.engine().kind()).toList()));
    assertEquals(2, chosen.stream().map(Candidate::host).distinct().count());
    assertTrue(chosen.stream().noneMatch(one -> one.host().equals("host0")));
    assertTrue(change.shortfall().isNone());
  }

  @Test
  void fourCopiesForThreeAndTwoHaveThreeFastAtWriting() {
    List<Candidate> all = hosts(4, ROCKS, MYSQL, REDIS);
    CopyChange change = CopyChange.of(CopyNeeds.of(4), List.of(all.getFirst()), true, all);
    List<String> kinds =
        all.stream()
            .filter(one -> change.missing().contains(one.node()))
            .map(one -> one.engine().kind())
            .sorted()
            .toList();
    assertTrue(change.shortfall().isNone(), change::toString);
    assertEquals(1, kinds.stream().filter("mysql"::equals).count(), kinds::toString);
    assertEquals(1, kinds.stream().filter("redis"::equals).count(), kinds::toString);
    assertEquals(1, kinds.stream().filter("rocksdb"::equals).count(), kinds::toString);
  }

  /** One that persists was dropped, and one in memory made in its stead: a single disk was left. */
  @Test
  void ofThreeCopiesTwoPersistAlsoOnTwoHosts() {
    List<Candidate> there = hosts(2, JE, MYSQL, REDIS);
    // Nodes 1 (je) and 5 (mysql); the third host is gone, and had the copy in memory.
    List<Candidate> present = List.of(there.getFirst(), there.get(4));
    List<Candidate> without = there.stream().filter(one -> one.node().value() != 4).toList();
    CopyChange kept = CopyChange.of(THREE, present, true, without);
    assertEquals(List.of(), kept.missing(), kept::toString);
    assertEquals(List.of(), kept.surplus(), kept::toString);
    CopyChange faster = CopyChange.of(THREE, present, true, there);
    assertEquals(nodes(4), faster.missing(), "one that persists and is fast at writing");
    assertEquals(0, faster.shortfall().persisting(), faster::toString);
  }

  /** The fourth copy came when only the node in memory was there of its host. */
  @Test
  void ofFourCopiesASecondInMemoryGivesWayToOneThatPersists() {
    List<Candidate> all = hosts(4, ROCKS, MYSQL, REDIS);
    // Nodes 1 (rocksdb), 5 (mysql), 9 and 12 (redis).
    List<Candidate> present = List.of(all.getFirst(), all.get(4), all.get(8), all.get(11));
    CopyChange change = CopyChange.of(CopyNeeds.of(4), present, true, all);
    assertEquals(1, change.missing().size(), change::toString);
    assertEquals("rocksdb", all.get((int) change.missing().getFirst().value() - 1).engine().kind());
    assertEquals(1, change.surplus().size(), change::toString);
    assertTrue(nodes(9, 12).containsAll(change.surplus()), change::toString);
    assertTrue(change.shortfall().isNone(), change::toString);
  }

  @Test
  void needsAreGivenUpInTheirOrder() {
    // Two hosts are all there are that persist, so a third copy in memory is taken before a kind
    // that would leave but one that persists.
    List<Candidate> few =
        List.of(on(1, JE, "a"), on(2, REDIS, "b"), on(3, REDIS, "c"), on(4, MYSQL, "c"));
    CopyChange change = CopyChange.of(THREE, List.of(few.getFirst()), true, few);
    assertEquals(nodes(2, 4), change.missing());
    assertTrue(change.shortfall().isNone());

    // All for reading: the cluster has what it can, and it is said what is lacking.
    List<Candidate> reading = hosts(3, MYSQL);
    CopyChange slow = CopyChange.of(THREE, List.of(reading.getFirst()), true, reading);
    assertEquals(2, slow.missing().size());
    assertEquals(new Shortfall(0, 0, 1, 2, 0, 0), slow.shortfall());
    assertEquals(
        "one that is fit for the primary, 2 fewer that are fast at writing",
        slow.shortfall().toString());

    // Persisting comes before fast at writing, and that before fast at reading.
    List<Candidate> choice =
        List.of(on(1, MYSQL, "a"), on(2, MYSQL, "b"), on(3, REDIS, "b"), on(4, REDIS, "c"));
    CopyChange kept = CopyChange.of(THREE, List.of(choice.getFirst()), true, choice);
    assertEquals(nodes(2, 4), kept.missing());
    List<Candidate> write =
        List.of(on(1, ROCKS, "a"), on(2, ROCKS, "b"), on(3, MYSQL, "b"), on(4, MYSQL, "c"));
    CopyChange writes = CopyChange.of(THREE, List.of(write.getFirst()), true, write);
    assertEquals(nodes(2, 4), writes.missing());
  }

  /** It had the range for want of another that was there, and would serve it for ever. */
  @Test
  void aPrimaryThatIsNotFitGetsACopyToGiveWayTo() {
    List<Candidate> all = List.of(on(1, MYSQL, "a"), on(2, REDIS, "b"), on(3, ROCKS, "c"));
    CopyChange change = CopyChange.of(CopyNeeds.of(2), all.subList(0, 2), true, all);
    assertEquals(nodes(3), change.missing());
    // It has given way: again a copy that writes fast is beside it.
    List<Candidate> then = List.of(all.get(2), all.getFirst());
    assertEquals(nodes(2), CopyChange.of(CopyNeeds.of(2), then, true, all).missing());
  }

  @Test
  void whereEnginesAreAlikeTheNearestGetIt() {
    List<Candidate> all = hosts(5, JE);
    List<Candidate> nearest = List.of(all.get(3), all.get(1), all.get(2), all.get(4), all.get(0));
    assertEquals(
        nodes(4, 2), CopyChange.of(THREE, List.of(all.getFirst()), true, nearest).missing());
    assertEquals(
        nodes(4),
        CopyChange.of(THREE, List.of(all.getFirst(), all.get(4)), true, nearest).missing());
    CopyChange enough =
        CopyChange.of(
            THREE, List.of(all.getFirst(), all.get(4), all.get(1), all.get(2)), true, nearest);
    assertTrue(enough.isEnough());
    assertEquals(nodes(3), enough.surplus(), "the last named");
  }

  @Test
  void aCopyIsReplacedByOneOfAMissingKindOnlyOnceThatIsThere() {
    List<Candidate> all = hosts(4, JE, REDIS);
    // Copies on three hosts, all for writing; a redis node has come.
    List<Candidate> present = List.of(all.get(0), all.get(2), all.get(4));
    CopyChange first = CopyChange.of(THREE, present, true, all);
    assertEquals(1, first.missing().size());
    List<Candidate> more = new ArrayList<>(present);
    all.stream().filter(one -> first.missing().contains(one.node())).forEach(more::add);
    CopyChange then = CopyChange.of(THREE, more, true, all);
    assertTrue(then.isEnough());
    assertEquals(1, then.surplus().size());
    assertFalse(then.surplus().contains(new NodeId(1)), "the primary stays");
    assertFalse(then.surplus().containsAll(first.missing()), "nor does the new one go again");
  }

  /** Whatever the nodes and copies: to make what is missing and drop what is too much ends. */
  @Test
  void noStepCallsForItsReverse() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      List<Candidate> all = new ArrayList<>();
      int count = 1 + random.nextInt(9);
      for (int i = 1; i <= count; i++) {
        all.add(on(i, ALL.get(random.nextInt(ALL.size())), "host" + random.nextInt(6)));
      }
      CopyNeeds needs = CopyNeeds.of(1 + random.nextInt(4));
      List<Candidate> present = new ArrayList<>(List.of(all.get(random.nextInt(count))));
      for (Candidate one : all) {
        if (!present.contains(one) && random.nextInt(3) == 0) {
          present.add(one);
        }
      }
      Set<NodeId> made = new TreeSet<>();
      int steps = 0;
      CopyChange change = CopyChange.of(needs, present, true, all);
      while (!change.missing().isEmpty() || !change.surplus().isEmpty()) {
        int of = seed;
        assertTrue(++steps < 20, () -> "seed " + of + " does not end");
        if (!change.missing().isEmpty()) {
          NodeId next = change.missing().getFirst();
          assertTrue(made.add(next), () -> "seed " + of + " makes " + next + " twice");
          all.stream().filter(one -> one.node().equals(next)).forEach(present::add);
        } else {
          NodeId next = change.surplus().getFirst();
          assertFalse(made.contains(next), () -> "seed " + of + " drops what it made: " + next);
          present.removeIf(one -> one.node().equals(next));
        }
        change = CopyChange.of(needs, present, true, all);
      }
      assertEquals(
          present.size(), present.stream().map(Candidate::host).distinct().count(), "hosts");
      assertEquals(
          best(needs, present.getFirst(), all),
          change.shortfall(),
          "seed %d: as good as any choice".formatted(seed));
    }
  }

  /** By trying all choices. */
  private static Shortfall best(CopyNeeds needs, Candidate primary, List<Candidate> all) {
    Set<String> kinds = new TreeSet<>();
    all.forEach(one -> kinds.add(one.engine().kind()));
    int hosts = (int) all.stream().map(Candidate::host).distinct().count();
    CopyNeeds possible = needs.atMost(hosts);
    Shortfall best = null;
    Candidate chosenPrimary = primary;
    List<Candidate> bestChoice = List.of();
    for (int bits = 0; bits < 1 << all.size(); bits++) {
      int mask = bits;
      List<Candidate> some =
          IntStream.range(0, all.size())
              .filter(i -> (mask & 1 << i) != 0)
              .mapToObj(all::get)
              .toList();
      boolean fits =
          some.size() == possible.copies()
              && some.contains(chosenPrimary)
              && some.stream().map(Candidate::host).distinct().count() == some.size();
      if (fits) {
        Shortfall of = possible.shortfall(engines(some), kinds);
        boolean isAlike = best != null && of.compareTo(best) == 0;
        if (best == null
            || of.compareTo(best) < 0
            || (isAlike
                && needs
                        .shortfall(engines(some), kinds)
                        .compareTo(needs.shortfall(engines(bestChoice), kinds))
                    < 0)) {
          best = of;
          bestChoice = some;
        }
      }
    }
    return needs.shortfall(engines(bestChoice), kinds);
  }

  private static List<EngineTraits> engines(List<Candidate> some) {
    return some.stream().map(Candidate::engine).toList();
  }

  @Test
  void aClusterOfOneKindMayLackANeedWhateverItsSize() {
    assertEquals(List.of(), CopyNeeds.lacking(List.of(JE, JE)));
    assertEquals(List.of("none is fast at writing"), CopyNeeds.lacking(List.of(MYSQL)));
    assertEquals(List.of("none persists"), CopyNeeds.lacking(List.of(REDIS, REDIS)));
    assertEquals(List.of("none is fast at reading"), CopyNeeds.lacking(List.of(ROCKS)));
    assertEquals(List.of(), CopyNeeds.lacking(List.of(ROCKS, REDIS)));
    assertEquals(
        List.of("none both persists and is fast at writing, as primaries are to"),
        CopyNeeds.lacking(List.of(MYSQL, REDIS)));
  }

  @Test
  void primariesAreOnEnginesThatPersistAndWriteFastUnlessPlacementIsRelaxed() {
    List<EngineTraits> none = List.of(MYSQL, REDIS);
    assertTrue(Stream.of(JE, ROCKS).allMatch(one -> PrimaryRule.mayServe(one, ALL, false)));
    assertTrue(Stream.of(MYSQL, REDIS).noneMatch(one -> PrimaryRule.mayServe(one, none, false)));
    assertTrue(PrimaryRule.mayServe(MYSQL, none, true));
    assertFalse(PrimaryRule.mayServe(REDIS, none, true), "one that persists is there");
    assertFalse(PrimaryRule.mayServe(MYSQL, ALL, true), "one that is fit is there");
    assertTrue(PrimaryRule.mayServe(REDIS, List.of(REDIS), true));
  }
}
