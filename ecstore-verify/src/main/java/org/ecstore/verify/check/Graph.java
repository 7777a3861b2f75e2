package org.ecstore.verify.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A directed graph with labelled edges that is searched for cycles (Tarjan's components). Takes
 * time and space in proportion to nodes and edges; a million nodes are fine. For one thread.
 *
 * @param <W> why an edge is there
 */
public final class Graph<W> {
  /** From how many nodes of a component a shortest cycle is looked for. */
  private static final int STARTS_MAX = 32;

  /** An edge and why it is there. */
  public record Edge<W>(int from, int to, W why) {}

  private final List<List<Edge<W>>> edges = new ArrayList<>();

  /** A new node; nodes are numbered from zero. */
  public int addNode() {
    edges.add(new ArrayList<>(2));
    return edges.size() - 1;
  }

  /** An edge; from a node to itself it says nothing, and is left out. */
  public void addEdge(int from, int to, W why) {
    if (from != to) {
      edges.get(from).add(new Edge<>(from, to, why));
    }
  }

  /** The edges of a short cycle; empty if there is no cycle. */
  public List<Edge<W>> findCycle() {
    return findCycle(_ -> true, _ -> 1);
  }

  /**
   * The edges of a short cycle out of some of the edges only; empty if there is none.
   *
   * @param used which edges
   * @param length of an edge, 0 or 1: what is shortest
   */
  public List<Edge<W>> findCycle(Predicate<? super W> used, ToIntFunction<? super W> length) {
    int[] component = components(used).firstOfSeveral();
    List<Edge<W>> best = List.of();
    long shortest = Long.MAX_VALUE;
    int step = Math.max(1, component.length / STARTS_MAX);
    boolean[] inside = new boolean[component.length == 0 ? 0 : edges.size()];
    for (int node : component) {
      inside[node] = true;
    }
    for (int i = 0; i < component.length; i += step) {
      List<Edge<W>> cycle = shortestCycle(component[i], inside, used, length);
      long size = cycle.stream().mapToInt(edge -> length.applyAsInt(edge.why())).sum();
      if (!cycle.isEmpty() && size < shortest) {
        shortest = size;
        best = cycle;
      }
    }
    return best;
  }

  /** The number of each node's strongly connected component, below the number of nodes. */
  public int[] components() {
    return components(_ -> true).ofNodes();
  }

  private Components components(Predicate<? super W> used) {
    return Components.of(
        edges.size(),
        new Components.Edges() {
          @Override
          public int count(int node) {
            return edges.get(node).size();
          }

          @Override
          public int to(int node, int edge) {
            Edge<W> one = edges.get(node).get(edge);
            return used.test(one.why()) ? one.to() : -1;
          }
        });
  }

  /** A shortest cycle through a node within its component. */
  private List<Edge<W>> shortestCycle(
      int start, boolean[] inside, Predicate<? super W> used, ToIntFunction<? super W> length) {
    @Nullable Edge<W>[] cameBy = newEdges(edges.size());
    boolean[] done = new boolean[edges.size()];
    int[] distance = new int[edges.size()];
    Arrays.fill(distance, Integer.MAX_VALUE);
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (!queue.isEmpty()) {
      int node = queue.poll();
      if (done[node]) {
        // Taken out before, at no greater distance.
        continue;
      }
      int here = distance[node] == Integer.MAX_VALUE ? 0 : distance[node];
      if (node == start && cameBy[start] != null) {
        break;
      }
      done[node] = node != start;
      for (Edge<W> edge : edges.get(node)) {
        int to = edge.to();
        if (!inside[to] || !used.test(edge.why())) {
          continue;
        }
        int step = length.applyAsInt(edge.why());
        if (here + step < distance[to]) {
          distance[to] = here + step;
          cameBy[to] = edge;
          if (step == 0) {
            queue.addFirst(to);
          } else {
            queue.addLast(to);
          }
        }
      }
    }
    return path(start, cameBy);
  }

  private static <W> List<Edge<W>> path(int start, @Nullable Edge<W>[] cameBy) {
    ArrayDeque<Edge<W>> cycle = new ArrayDeque<>();
    int at = start;
    do {
      Edge<W> edge = cameBy[at];
      if (edge == null) {
        return List.of();
      }
      cycle.push(edge);
      at = edge.from();
    } while (at != start);
    return List.copyOf(cycle);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <W> @Nullable Edge<W>[] newEdges(int count) {
    return (Edge<W>[]) new Edge[count];
  }
}
