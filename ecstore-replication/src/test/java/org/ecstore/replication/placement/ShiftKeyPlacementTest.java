package org.ecstore.replication.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.ShiftKeyPlacement.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShiftKeyPlacementTest {
  private static final int NODES = 18;
  private static final int COPIES = 3;
  private static final int RECORDS = 60_000;
  private static final int RANGES_EACH = 8;
  private static final int SAMPLE_EVERY = 30;
  private static final int KNOTS = 256;

  /** How keys may be distributed. */
  enum Keys {
    UNIFORM {
      @Override
      Bytes key(int number, Random random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
      }
    },
    USERS {
      @Override
      Bytes key(int number, Random random) {
        return Bytes.utf8("user" + random.nextLong(1L << 62));
      }
    },
    TIMES {
      @Override
      Bytes key(int number, Random random) {
        // A month of events, busy by day and quiet by night.
        double day = random.nextInt(30) + 0.5 + Math.clamp(random.nextGaussian() / 8, -0.5, 0.5);
        long millis = 1_700_000_000_000L + (long) (day * 86_400_000);
        return Bytes.utf8("event/%d/%d".formatted(millis, number));
      }
    };

    abstract Bytes key(int number, Random random);

    List<Bytes> sorted() {
      Random random = new Random(name().length());
      TreeSet<Bytes> keys = new TreeSet<>();
      for (int i = 0; i < RECORDS; i++) {
        keys.add(key(i, random));
      }
      return new ArrayList<>(keys);
    }
  }

  /** How much more than the mean the fullest node has, of primary and of secondary records. */
  private record Shares(double primary, double secondary) {}

  /** Nodes own equal parts of the data, as balancing by storage leaves it (rule 21). */
  private static Shares shares(List<Bytes> keys, PositionMap positions) {
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Bytes start = i == 0 ? Bytes.EMPTY : keys.get(i * keys.size() / NODES);
      sites.add(new Site(new NodeId(i + 1), start, "host" + i));
    }
    ShiftKeyPlacement placement = new ShiftKeyPlacement(positions, sites);
    Map<NodeId, Integer> primary = new HashMap<>();
    Map<NodeId, Integer> secondary = new HashMap<>();
    int ranges = NODES * RANGES_EACH;
    for (int i = 0; i < ranges; i++) {
      int from = i * keys.size() / ranges;
      int to = (i + 1) * keys.size() / ranges;
      KeyRange range =
          KeyRange.between(
              i == 0 ? Bytes.EMPTY : keys.get(from),
              Optional.ofNullable(i == ranges - 1 ? null : keys.get(to)));
      NodeId owner = new NodeId(i / RANGES_EACH + 1);
      primary.merge(owner, to - from, Integer::sum);
      for (NodeId copy : placement.secondaries(range, owner, COPIES)) {
        secondary.merge(copy, to - from, Integer::sum);
      }
    }
    double mean = (double) keys.size() / NODES;
    return new Shares(
        Collections.max(primary.values()) / mean,
        Collections.max(secondary.values()) / (mean * (COPIES - 1)));
  }

  private static PositionMap fitted(List<Bytes> keys) {
    List<Bytes> sample = new ArrayList<>();
    for (int i = 0; i < keys.size(); i += SAMPLE_EVERY) {
      sample.add(keys.get(i));
    }
    return PositionMap.fitted(sample, KNOTS);
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void withTheFittedMapNoNodeHasMuchMoreThanTheMean(Keys kind) {
    List<Bytes> keys = kind.sorted();
    Shares shares = shares(keys, fitted(keys));
    assertTrue(shares.primary() <= 1.5 && shares.secondary() <= 1.5, shares.toString());
  }

  @ParameterizedTest
  @EnumSource(
      value = Keys.class,
      names = {"USERS", "TIMES"})
  void withTheFirstBytesAloneClusteredKeysHaveTheirCopiesOnFewNodes(Keys kind) {
    Shares shares = shares(kind.sorted(), PositionMap.FIRST_BYTES);
    assertTrue(shares.secondary() > 1.5, shares.toString());
  }

  @Test
  void uniformKeysNeedNoFitting() {
    Shares shares = shares(Keys.UNIFORM.sorted(), PositionMap.FIRST_BYTES);
    assertTrue(shares.secondary() <= 1.5, shares.toString());
  }

  private static List<Site> four(String... hosts) {
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sites.add(new Site(new NodeId(i + 1), i == 0 ? Bytes.EMPTY : Bytes.of(64 * i), hosts[i]));
    }
    return sites;
  }

  @Test
  void copiesAreShiftedByAPartOfAllPositions() {
    ShiftKeyPlacement placement =
        new ShiftKeyPlacement(PositionMap.FIRST_BYTES, four("a", "b", "c", "d"));
    KeyRange low = KeyRange.of(Bytes.EMPTY, Bytes.of(16));
    assertEquals(
        List.of(new NodeId(2), new NodeId(3), new NodeId(4)),
        placement.secondaries(low, new NodeId(1), 4));
    assertEquals(List.of(new NodeId(3)), placement.secondaries(low, new NodeId(1), 2));
    KeyRange high = KeyRange.from(Bytes.of(200));
    assertEquals(List.of(new NodeId(2)), placement.secondaries(high, new NodeId(4), 2));
  }

  @Test
  void twoCopiesAreNeverOnOneHost() {
    ShiftKeyPlacement placement =
        new ShiftKeyPlacement(PositionMap.FIRST_BYTES, four("a", "b", "a", "c"));
    KeyRange low = KeyRange.of(Bytes.EMPTY, Bytes.of(16));
    assertEquals(List.of(new NodeId(4)), placement.secondaries(low, new NodeId(1), 2));
    assertEquals(
        List.of(new NodeId(2), new NodeId(4)), placement.secondaries(low, new NodeId(1), 3));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> placement.secondaries(low, new NodeId(1), 4));
    assertEquals(
        "4 copies of each range need as many nodes on hosts of their own, and there are 3",
        refused.getMessage());
  }

  @Test
  void aRangeAwayFromItsOwnerStillHasItsCopiesOnOthers() {
    ShiftKeyPlacement placement =
        new ShiftKeyPlacement(PositionMap.FIRST_BYTES, four("a", "b", "c", "d"));
    KeyRange low = KeyRange.of(Bytes.EMPTY, Bytes.of(16));
    assertEquals(List.of(new NodeId(4)), placement.secondaries(low, new NodeId(3), 2));
  }
}
