package org.ecstore.verify.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ComponentsTest {
  private static final int GRAPHS = 2000;
  private static final int NODES_MAX = 9;

  private static Components components(List<List<Integer>> after) {
    return Components.of(
        after.size(),
        new Components.Edges() {
          @Override
          public int count(int node) {
            return after.get(node).size();
          }

          @Override
          public int to(int node, int edge) {
            return after.get(node).get(edge);
          }
        });
  }

  @Test
  void nodesThatReachEachOtherShareAComponent() {
    for (int seed = 0; seed < GRAPHS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int nodes = random.nextInt(1, NODES_MAX + 1);
      List<List<Integer>> after = new ArrayList<>();
      boolean[][] reaches = new boolean[nodes][nodes];
      for (int i = 0; i < nodes; i++) {
        after.add(new ArrayList<>());
        reaches[i][i] = true;
      }
      for (int edge = random.nextInt(2 * nodes); edge > 0; edge--) {
        int from = random.nextInt(nodes);
        int to = random.nextInt(nodes);
        after.get(from).add(to);
        reaches[from][to] = true;
      }
      for (int via = 0; via < nodes; via++) {
        for (int i = 0; i < nodes; i++) {
          for (int j = 0; j < nodes; j++) {
            reaches[i][j] |= reaches[i][via] && reaches[via][j];
          }
        }
      }
      int[] components = components(after).ofNodes();
      for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
          assertEquals(
              reaches[i][j] && reaches[j][i], components[i] == components[j], "seed " + seed);
        }
      }
    }
  }

  @Test
  void aLongCycleIsOneComponent() {
    List<List<Integer>> after = new ArrayList<>();
    int nodes = 200_000;
    for (int i = 0; i < nodes; i++) {
      after.add(List.of((i + 1) % nodes));
    }
    int[] components = components(after).ofNodes();
    for (int component : components) {
      assertEquals(0, component);
    }
  }

  @Test
  void theFirstOfSeveralNodesIsFoundPastSingleOnes() {
    List<List<Integer>> after =
        List.of(List.of(1), List.of(), List.of(4), List.of(2), List.of(3, 1), List.of(5));
    assertArrayEquals(new int[] {2, 4, 3}, components(after).firstOfSeveral());
    assertArrayEquals(new int[0], components(List.of(List.of(1), List.of())).firstOfSeveral());
  }
}
