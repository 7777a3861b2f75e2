package org.ecstore.bench.smallbank;

import java.util.Arrays;
import java.util.List;

/** The strongly connected components of a graph (Tarjan, 1972), without recursion. */
final class Components {
  private static final int UNSEEN = -1;

  private final List<List<Integer>> after;
  private final int[] index;
  private final int[] low;
  private final int[] component;
  private final int[] nextEdge;

  /** Nodes on the way down, and nodes whose component is not known yet. */
  private final int[] path;

  private final int[] open;
  private int pathSize;
  private int openSize;
  private int indices;
  private int components;

  private Components(List<List<Integer>> after) {
    int nodes = after.size();
    this.after = after;
    this.index = new int[nodes];
    this.low = new int[nodes];
    this.component = new int[nodes];
    this.nextEdge = new int[nodes];
    this.path = new int[nodes];
    this.open = new int[nodes];
    Arrays.fill(index, UNSEEN);
    Arrays.fill(component, UNSEEN);
  }

  /**
   * The number of each node's component, below the number of nodes.
   *
   * @param after the nodes that each node has an edge to
   */
  static int[] of(List<List<Integer>> after) {
    Components found = new Components(after);
    for (int node = 0; node < after.size(); node++) {
      if (found.index[node] == UNSEEN) {
        found.search(node);
      }
    }
    return found.component;
  }

  private void search(int root) {
    enter(root);
    while (pathSize > 0) {
      int node = path[pathSize - 1];
      if (nextEdge[node] < after.get(node).size()) {
        int to = after.get(node).get(nextEdge[node]++);
        if (index[to] == UNSEEN) {
          enter(to);
        } else if (component[to] == UNSEEN) {
          low[node] = Math.min(low[node], index[to]);
        }
      } else {
        leave(node);
      }
    }
  }

  private void enter(int node) {
    index[node] = indices;
    low[node] = indices++;
    path[pathSize++] = node;
    open[openSize++] = node;
  }

  private void leave(int node) {
    pathSize--;
    if (pathSize > 0) {
      int parent = path[pathSize - 1];
      low[parent] = Math.min(low[parent], low[node]);
    }
    if (low[node] == index[node]) {
      int member;
      do {
        member = open[--openSize];
        component[member] = components;
      } while (member != node);
      components++;
    }
  }
}
