package org.ecstore.sim.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A directed graph with labelled edges that is searched for cycles (Tarjan's components). */
final class Graph {
  /** An edge and why it is there. */
  record Edge(int from, int to, String why) {}

  private final List<List<Edge>> edges = new ArrayList<>();

  int addNode() {
    edges.add(new ArrayList<>());
    return edges.size() - 1;
  }

  void addEdge(int from, int to, String why) {
    if (from != to) {
      edges.get(from).add(new Edge(from, to, why));
    }
  }

  /**
   * The edges of a shortest cycle through some node that lies on one; empty if there is no cycle.
   */
  List<Edge> findCycle() {
    int start = nodeOnCycle();
    return start < 0 ? List.of() : shortestCycle(start);
  }

  /** Some node of a component of two or more; -1 if there is none. */
  private int nodeOnCycle() {
    int count = edges.size();
    int[] index = new int[count];
    int[] low = new int[count];
    boolean[] onStack = new boolean[count];
    int[] nextEdge = new int[count];
    Arrays.fill(index, -1);
    ArrayDeque<Integer> stack = new ArrayDeque<>();
    ArrayDeque<Integer> path = new ArrayDeque<>();
    int counter = 0;
    for (int root = 0; root < count; root++) {
      if (index[root] >= 0) {
        continue;
      }
      path.push(root);
      while (!path.isEmpty()) {
        int node = path.peek();
        if (index[node] < 0) {
          index[node] = low[node] = counter++;
          stack.push(node);
          onStack[node] = true;
        }
        if (nextEdge[node] < edges.get(node).size()) {
          int to = edges.get(node).get(nextEdge[node]++).to();
          if (index[to] < 0) {
            path.push(to);
          } else if (onStack[to]) {
            low[node] = Math.min(low[node], index[to]);
          }
          continue;
        }
        path.pop();
        if (!path.isEmpty()) {
          low[path.peek()] = Math.min(low[path.peek()], low[node]);
        }
        if (low[node] == index[node]) {
          if (stack.peek() != node) {
            return node;
          }
          onStack[stack.pop()] = false;
        }
      }
    }
    return -1;
  }

  private List<Edge> shortestCycle(int start) {
    Edge[] cameBy = new Edge[edges.size()];
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (!queue.isEmpty()) {
      int node = queue.poll();
      for (Edge edge : edges.get(node)) {
        if (edge.to() == start) {
          ArrayDeque<Edge> cycle = new ArrayDeque<>(List.of(edge));
          for (int at = node; at != start; at = cameBy[at].from()) {
            cycle.push(cameBy[at]);
          }
          return List.copyOf(cycle);
        }
        if (cameBy[edge.to()] == null) {
          cameBy[edge.to()] = edge;
          queue.add(edge.to());
        }
      }
    }
    return List.of();
  }
}
