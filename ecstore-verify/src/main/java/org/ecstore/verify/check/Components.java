package org.ecstore.verify.check;

import java.util.Arrays;

/** The strongly connected components of a graph (Tarjan, 1972), without recursion. */
final class Components {
  private static final int UNSEEN = -1;

  /** The edges of a graph, by the nodes that they lead from. */
  interface Edges {
    /** How many lead from a node. */
    int count(int node);

    /** The node that one of them leads to; below 0 if that edge is left out. */
    int to(int node, int edge);
  }

  private final Edges edges;
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

  private Components(int nodes, Edges edges) {
    this.edges = edges;
    this.index = new int[nodes];
    this.low = new int[nodes];
    this.component = new int[nodes];
    this.nextEdge = new int[nodes];
    this.path = new int[nodes];
    this.open = new int[nodes];
    Arrays.fill(index, UNSEEN);
    Arrays.fill(component, UNSEEN);
  }

  /** Those of a graph. */
  static Components of(int nodes, Edges edges) {
    Components found = new Components(nodes, edges);
    for (int node = 0; node < nodes; node++) {
      if (found.index[node] == UNSEEN) {
        found.search(node);
      }
    }
    return found;
  }

  /** The number of each node's component, below the number of nodes. */
  int[] ofNodes() {
    return component.clone();
  }

  /**
   * The nodes of the first component of two or more, in the order in which the search met them;
   * none if there is no such component.
   */
  int[] firstOfSeveral() {
    int[] sizes = new int[component.length];
    for (int each : component) {
      sizes[each]++;
    }
    int first = 0;
    while (first < components && sizes[first] < 2) {
      first++;
    }
    if (first == components) {
      return new int[0];
    }
    int[] met = new int[component.length];
    for (int node = 0; node < met.length; node++) {
      met[index[node]] = node;
    }
    int wanted = first;
    return Arrays.stream(met).filter(node -> component[node] == wanted).toArray();
  }

  private void search(int root) {
    enter(root);
    while (pathSize > 0) {
      int node = path[pathSize - 1];
      if (nextEdge[node] < edges.count(node)) {
        int to = edges.to(node, nextEdge[node]++);
        if (to < 0) {
          continue;
        }
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
