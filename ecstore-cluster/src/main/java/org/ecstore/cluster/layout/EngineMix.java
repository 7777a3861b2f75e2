package org.ecstore.cluster.layout;

import java.util.List;
import org.ecstore.client.error.WrongArgumentException;

/**
 * Hosts that each have a node of every kind of engine, as machines of a cluster with copies on
 * several engines have (rule 23: one copy of a range on a host). Node 1 is of the first kind on
 * host 1, node 2 of the second there, and so on.
 *
 * @param hosts 1 or more
 * @param kinds names of engines, each once
 */
public record EngineMix(int hosts, List<String> kinds) {
  private static final int HOSTS_MAX = 32;

  /**
   * A mix.
   *
   * @throws WrongArgumentException if there is no host or no kind, or a kind is named twice
   */
  public EngineMix {
    kinds = List.copyOf(kinds);
    if (hosts < 1 || hosts > HOSTS_MAX) {
      throw new WrongArgumentException("hosts are from 1 to " + HOSTS_MAX, null, "hosts", hosts);
    }
    if (kinds.isEmpty() || kinds.stream().distinct().count() != kinds.size()) {
      throw new WrongArgumentException(
          "a host has one node of each kind of engine: name each once", null, "kinds", kinds);
    }
  }

  /** How many nodes there are. */
  public int nodes() {
    return hosts * kinds.size();
  }

  /** The host of a node, from 1. */
  public int host(int node) {
    return (node - 1) / kinds.size() + 1;
  }

  /** The kind of a node's engine. */
  public String kind(int node) {
    return kinds.get((node - 1) % kinds.size());
  }

  /** Whether a node is the first of its host, which has what a host needs once: a bookie. */
  public boolean isFirstOfHost(int node) {
    return node == firstOf(host(node));
  }

  /** The first node of a host. */
  public int firstOf(int host) {
    return (host - 1) * kinds.size() + 1;
  }
}
