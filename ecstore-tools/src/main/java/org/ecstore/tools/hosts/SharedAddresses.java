package org.ecstore.tools.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.TraitsLine;

/**
 * Nodes that count as on hosts of their own and are at one address: what is one machine fails as
 * one, with all copies of a range perhaps. A node that was given no {@code node.host} is on the
 * host that it advertises, by that name: so a machine with two names is two hosts. Where each of
 * them was given one an operator has said so, as {@code cluster up} does of processes.
 */
public final class SharedAddresses {
  /**
   * A node.
   *
   * @param host what it counts as on
   * @param name by which others reach it
   */
  private record Seat(NodeId node, String host, String name) {
    boolean isOnItsName() {
      return host.equals(name);
    }
  }

  private final NameLookup lookup;

  /** By what a lookup finds. */
  public SharedAddresses(NameLookup lookup) {
    this.lookup = lookup;
  }

  /** For people, a line for each address of which that has to be said. */
  public List<String> warnings(StatusReport report) throws InterruptedException {
    List<Seat> seats = seats(report);
    if (!isSuspect(seats)) {
      return List.of();
    }
    Map<String, Set<String>> known =
        lookup.addresses(seats.stream().map(Seat::name).collect(Collectors.toSet()));
    Map<String, List<Seat>> byAddress = new TreeMap<>();
    for (Seat seat : seats) {
      Set<String> addresses = new TreeSet<>(known.getOrDefault(seat.name(), Set.of()));
      if (addresses.isEmpty()) {
        addresses.add(seat.name());
      }
      addresses.forEach(
          address -> byAddress.computeIfAbsent(address, _ -> new ArrayList<>()).add(seat));
    }
    List<String> warnings = new ArrayList<>();
    Set<List<Seat>> said = new HashSet<>();
    byAddress.forEach(
        (address, there) -> {
          if (isSuspect(there) && said.add(there)) {
            warnings.add(warning(address, there));
          }
        });
    return warnings;
  }

  private static List<Seat> seats(StatusReport report) {
    Map<NodeId, String> hosts = new TreeMap<>();
    for (TraitsLine line : report.traits()) {
      hosts.put(line.node(), line.host());
    }
    List<Seat> seats = new ArrayList<>();
    for (NodeLine line : report.nodes()) {
      Optional<String> name = name(line.address());
      String host = hosts.getOrDefault(line.node(), "");
      if (name.isPresent() && !host.isEmpty()) {
        seats.add(new Seat(line.node(), host, name.get()));
      }
    }
    return seats;
  }

  /** Of {@code host:port} the host. */
  private static Optional<String> name(String address) {
    int port = address.lastIndexOf(':');
    return port > 0 ? Optional.of(address.substring(0, port)) : Optional.empty();
  }

  private static boolean isSuspect(List<Seat> seats) {
    return seats.stream().anyMatch(Seat::isOnItsName)
        && seats.stream().map(Seat::host).distinct().count() > 1;
  }

  private static String warning(String address, List<Seat> there) {
    List<String> hosts = there.stream().map(Seat::host).distinct().sorted().toList();
    return ("nodes %s are at one address, %s, and count as on %d hosts, %s: if that is one machine,"
            + " all copies of a range may be on it; give its nodes the same node.host")
        .formatted(
            there.stream()
                .map(seat -> String.valueOf(seat.node().value()))
                .collect(Collectors.joining(", ")),
            address,
            hosts.size(),
            String.join(" and ", hosts));
  }
}
