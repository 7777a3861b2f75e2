package org.ecstore.txn.steward;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;

/** Which nodes share a host, by their addresses: no two copies of a range on one (rule 22). */
final class Hosts {
  private Hosts() {}

  /**
   * One of some nodes that is on a node's host. Where all are on one host, as on a developer's
   * machine, there is nothing to keep apart.
   */
  static Optional<NodeId> neighbour(List<Member> members, NodeId node, List<NodeId> others) {
    long hosts = members.stream().map(Hosts::host).distinct().count();
    Optional<String> host = host(members, node);
    return hosts <= others.size() || host.isEmpty()
        ? Optional.empty()
        : others.stream().filter(other -> host(members, other).equals(host)).findFirst();
  }

  private static Optional<String> host(List<Member> members, NodeId node) {
    return members.stream()
        .filter(member -> member.node().equals(node))
        .map(Hosts::host)
        .findFirst();
  }

  private static String host(Member member) {
    String address = member.info().address();
    int colon = address.lastIndexOf(':');
    return colon <= 0 ? member.node().toString() : address.substring(0, colon);
  }
}
