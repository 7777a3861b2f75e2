package org.ecstore.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cycles are found, short ones before long ones, and none where there is none. */
@Timeout(60)
class GraphTest {
  private final Graph<String> graph = new Graph<>();

  private void nodes(int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(i, graph.addNode());
    }
  }

  private static List<String> why(List<Graph.Edge<String>> cycle) {
    return cycle.stream().map(Graph.Edge::why).toList();
  }

  /** The edges lead from one to the next and back to the first. */
  private static void assertClosed(List<Graph.Edge<String>> cycle) {
    for (int i = 0; i < cycle.size(); i++) {
      assertEquals(cycle.get(i).to(), cycle.get((i + 1) % cycle.size()).from());
    }
  }

  @Test
  void edgesInOneDirectionAreNoCycle() {
    Random random = new Random(1);
    nodes(2_000);
    for (int i = 0; i < 20_000; i++) {
      int from = random.nextInt(1_999);
      graph.addEdge(from, from + 1 + random.nextInt(1_999 - from), "forward");
    }
    assertEquals(List.of(), graph.findCycle());
  }

  @Test
  void oneEdgeBackMakesACycle() {
    nodes(1_000);
    for (int i = 0; i < 999; i++) {
      graph.addEdge(i, i + 1, "forward");
    }
    graph.addEdge(700, 300, "back");
    List<Graph.Edge<String>> cycle = graph.findCycle();
    assertEquals(401, cycle.size());
    assertClosed(cycle);
    assertTrue(why(cycle).contains("back"));
  }

  @Test
  void nodeLeadsNotToItself() {
    nodes(1);
    graph.addEdge(0, 0, "self");
    assertEquals(List.of(), graph.findCycle());
  }

  @Test
  void shortWayAroundIsFound() {
    nodes(6);
    for (int i = 0; i < 5; i++) {
      graph.addEdge(i, i + 1, "long");
    }
    graph.addEdge(0, 5, "short");
    graph.addEdge(5, 0, "back");
    List<Graph.Edge<String>> cycle = graph.findCycle();
    assertEquals(2, cycle.size());
    assertClosed(cycle);
  }

  @Test
  void edgesOfNoLengthAreWalkedForNothing() {
    nodes(6);
    for (int i = 0; i < 5; i++) {
      graph.addEdge(i, i + 1, "free");
    }
    graph.addEdge(0, 4, "dear");
    graph.addEdge(4, 5, "dear");
    graph.addEdge(5, 0, "back");
    List<Graph.Edge<String>> cycle = graph.findCycle(_ -> true, why -> why.equals("free") ? 0 : 1);
    assertEquals(List.of("free", "free", "free", "free", "free", "back"), sorted(cycle));
  }

  private static List<String> sorted(List<Graph.Edge<String>> cycle) {
    return why(cycle).stream().sorted((a, b) -> b.compareTo(a)).toList();
  }

  @Test
  void onlyTheEdgesAskedForCount() {
    nodes(3);
    graph.addEdge(0, 1, "data");
    graph.addEdge(1, 2, "data");
    graph.addEdge(2, 0, "time");
    assertEquals(List.of(), graph.findCycle(why -> why.equals("data"), _ -> 1));
    assertEquals(3, graph.findCycle().size());
  }

  @Test
  void secondComponentIsSearchedToo() {
    nodes(5);
    graph.addEdge(0, 1, "one");
    graph.addEdge(3, 4, "other");
    graph.addEdge(4, 3, "other");
    assertEquals(List.of("other", "other"), why(graph.findCycle()));
  }
}
