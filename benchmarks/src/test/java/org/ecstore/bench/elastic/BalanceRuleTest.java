package org.ecstore.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.bench.elastic.ClusterSampler.Copied;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.id.NodeId;
import org.ecstore.model.CopyState;
import org.junit.jupiter.api.Test;

class BalanceRuleTest {
  private final BalanceRule rule = new BalanceRule(2);
  private final MadeUpSight sight = MadeUpSight.of(3);

  private void lacks(String what) {
    String lacks = rule.lacks(sight.get(), MadeUpSight.nodes(3)).orElse("nothing");
    assertTrue(lacks.contains(what), lacks);
  }

  @Test
  void withAllCopiesWholeAndAboutAsMuchOnEachNodeItIsBalanced() {
    assertEquals(Optional.empty(), rule.lacks(sight.get(), MadeUpSight.nodes(3)));
    sight.share(0, MadeUpSight.BYTES * 2);
    assertEquals(Optional.empty(), rule.lacks(sight.get(), MadeUpSight.nodes(3)));
    sight.copy(new NodeId(1), 3, CopyState.FOLLOWING);
    sight.copy(new NodeId(1), 2, CopyState.RETIRED);
    assertEquals(Optional.empty(), rule.lacks(sight.get(), MadeUpSight.nodes(3)));
  }

  @Test
  void aNodeThatIsNotThereYetOrStillIsNot() {
    String fourth = rule.lacks(sight.get(), MadeUpSight.nodes(4)).orElse("");
    assertEquals("n4 does not serve", fourth);
    sight.running.add(new NodeId(4));
    lacks("the process of n4 still runs");
    sight.running.remove(new NodeId(4));
    sight.silent.add(new NodeId(2));
    lacks("n2 does not serve");
  }

  @Test
  void aCopyThatIsBeingMadeOrLackingIsNot() {
    sight.copy(new NodeId(2), 1, CopyState.REPLAYING);
    lacks("r1 has 1 whole copies of 2");
    sight.copy(new NodeId(2), 1, CopyState.FOLLOWING);
    sight.copy(new NodeId(1), 2, CopyState.BUILDING);
    lacks("r2 on n1 is building");
  }

  @Test
  void whatTheStewardIsAtOrWouldMoveIsNot() {
    sight.busy = Optional.of("move r1");
    lacks("move r1");
    sight.busy = Optional.empty();
    sight.share(0, MadeUpSight.BYTES * 3);
    lacks("n1 holds 300,000,000 bytes, its neighbour n2 100,000,000");
    // Of little it would not move anything.
    sight.share(0, 3_000);
    sight.share(1, 1_000);
    sight.share(2, 9_000);
    assertEquals(Optional.empty(), rule.lacks(sight.get(), MadeUpSight.nodes(3)));
    sight.shares.removeLast();
    lacks("the tree has [n1, n2], not [n1, n2, n3]");
  }

  @Test
  void itCountsFromTheFirstOfManyLooksThatAreAlike() {
    BalanceWatch watch = new BalanceWatch(rule, MadeUpSight.nodes(3), 10);
    watch.see(1, sight.get());
    watch.see(10, sight.get());
    assertEquals(OptionalDouble.empty(), watch.since());
    watch.see(11, sight.get());
    assertEquals(OptionalDouble.of(1), watch.since());
    watch.missed();
    assertEquals(OptionalDouble.empty(), watch.since());
    watch.see(20, sight.get());
    sight.add(4, new NodeId(1), new NodeId(2));
    watch.see(31, sight.get());
    assertEquals(OptionalDouble.empty(), watch.since());
    watch.see(41, sight.get());
    assertEquals(OptionalDouble.of(31), watch.since());
  }

  @Test
  void aSamplerSaysSinceWhenItIsBalancedAndWhatWasCopied() {
    double[] now = {0};
    boolean[] isGone = {false};
    ClusterSampler sampler =
        ClusterSampler.idle(
            () -> {
              if (isGone[0]) {
                throw new IOException("a node is being added");
              }
              return sight.get();
            },
            () -> now[0],
            rule,
            2,
            7);
    sampler.sample();
    Copied before = sampler.copied();
    sampler.await(MadeUpSight.nodes(3));
    assertEquals(OptionalDouble.empty(), sampler.balancedSince());
    sight.copy(new NodeId(1), 2, CopyState.BUILDING);
    sampler.sample();
    assertTrue(sampler.lacks().contains("building"), sampler::lacks);
    assertEquals(new Copied(1, MadeUpSight.BYTES), sampler.copied().since(before));
    now[0] = 3;
    sampler.sample();
    assertEquals(List.of(new Period(0, 3)), sampler.moving());
    sight.copy(new NodeId(1), 2, CopyState.RETIRED);
    for (now[0] = 5; now[0] < 8; now[0]++) {
      sampler.sample();
    }
    assertEquals(OptionalDouble.of(5), sampler.balancedSince());
    assertEquals(List.of(new Period(0, 5)), sampler.moving());
    // It was made between two looks.
    sight.copy(new NodeId(2), 3, CopyState.FOLLOWING);
    sampler.sample();
    now[0]++;
    sampler.sample();
    assertEquals(List.of(new Period(0, 5), new Period(8, 9)), sampler.moving());
    isGone[0] = true;
    sampler.sample();
    assertEquals("nodes could not be asked", sampler.lacks());
    // Whenever it is asked for, a look counts for the phase in which it was.
    double first = sampler.cores(0, 5).seconds();
    double then = sampler.cores(5, 10).seconds();
    assertTrue(first > 0 && then > 0, () -> first + " s, " + then + " s");
    assertEquals(first + then, sampler.cores(0, 10).seconds(), 1e-9);
    assertEquals(0, sampler.cores(10, 20).seconds());
  }
}
