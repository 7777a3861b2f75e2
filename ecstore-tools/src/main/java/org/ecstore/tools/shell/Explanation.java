package org.ecstore.tools.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ecstore.client.Table;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Explained;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where a key lives as a node without a map would (rule 20): asks one node, follows the
 * link that it names, and so on to the node that has a copy. Each node uses its own links only.
 */
final class Explanation implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
  private static final int HOPS_MAX = 64;

  private final NettyConnector connector;
  private final List<String> addresses;
  private final Map<String, NodeConnection> connections = new TreeMap<>();

  Explanation(List<String> addresses) {
    this.addresses = List.copyOf(addresses);
    connector = new NettyConnector(addresses, CONNECT_WITHIN);
  }

  private record Stop(String address, Explained said) {}

  /** Some lines about a key. */
  List<String> of(Table<Bytes> table, Tuple key, ReadLevel level) {
    Bytes stored = key.encode(Tuple.of(table.name()).encode());
    List<String> lines = new ArrayList<>();
    lines.add("key      " + KeyText.of(stored));
    List<Stop> way = new ArrayList<>();
    Optional<String> broken = walk(stored, way);
    if (way.isEmpty()) {
      throw new ShellException("no node answers: " + broken.orElse(""));
    }
    Stop last = way.getLast();
    Optional<Route> inMap = way.getFirst().said().inMap();
    lines.add(
        "map      "
            + inMap
                .map(route -> described(route, way.getFirst().said()))
                .orElse(way.getFirst().said().node() + " has no map yet"));
    lines.add("way      " + way(way) + broken.map(reason -> "; then " + reason).orElse(""));
    last.said()
        .copy()
        .ifPresentOrElse(
            copy -> {
              lines.add("copy     " + described(last.said().node(), copy));
              lines.add("answers  " + whether(last.said(), copy, level));
            },
            () -> lines.add("copy     none was found that is in the map"));
    return lines;
  }

  private Optional<String> walk(Bytes key, List<Stop> way) {
    Optional<String> failed = Optional.empty();
    for (String first : addresses) {
      Asked asked = ask(first, new ClientRequest.Explain(key, Optional.empty()));
      if (asked.reply() instanceof Explained said) {
        way.add(new Stop(first, said));
        return follow(key, way);
      }
      failed = Optional.of(asked.failure());
    }
    return failed;
  }

  private Optional<String> follow(Bytes key, List<Stop> way) {
    while (way.getLast().said().copy().isEmpty()) {
      Stop here = way.getLast();
      if (here.said().next().isEmpty()) {
        return Optional.of(here.said().node() + " knows no way on");
      }
      if (way.size() > HOPS_MAX) {
        return Optional.of("the way has no end");
      }
      NodeLine next = here.said().next().get();
      if (next.address().isEmpty()) {
        return Optional.of(next.node() + ", which is not there");
      }
      Asked asked =
          ask(next.address(), new ClientRequest.Explain(key, Optional.of(here.said().node())));
      if (!(asked.reply() instanceof Explained said)) {
        return Optional.of(next.node() + " at " + next.address() + ": " + asked.failure());
      }
      way.add(new Stop(next.address(), said));
    }
    return Optional.empty();
  }

  private record Asked(@Nullable ClientReply reply, String failure) {}

  private Asked ask(String address, ClientRequest request) {
    try {
      ClientReply reply =
          connections
              .computeIfAbsent(address, connector::connect)
              .call(request, ANSWER_WITHIN)
              .get(ANSWER_WITHIN.toMillis() * 2, TimeUnit.MILLISECONDS);
      return new Asked(
          reply,
          reply instanceof ClientReply.Refused refused ? refused.detail() : "it answers something");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Asked(null, address + " does not answer (" + cause.getMessage() + ")");
    } catch (TimeoutException e) {
      return new Asked(null, address + " does not answer in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Asked(null, "interrupted");
    }
  }

  private static String described(Route route, Explained by) {
    return "range "
        + route.range()
        + " epoch "
        + route.epoch().value()
        + ", "
        + bounds(route.keys())
        + ", primary "
        + route.primary()
        + (route.address().isEmpty() ? ", which is not there" : " at " + route.address())
        + " (map version "
        + by.point().mapVersion().value()
        + " of "
        + by.node()
        + ")";
  }

  private static String bounds(KeyRange keys) {
    return "from " + KeyText.start(keys) + " to " + KeyText.end(keys);
  }

  private static String way(List<Stop> way) {
    List<String> nodes = way.stream().map(stop -> stop.said().node().toString()).toList();
    int hops = way.size() - 1;
    return String.join(" -> ", nodes)
        + (hops == 0
            ? ", which was asked first"
            : " by links of the overlay, " + hops + (hops == 1 ? " hop" : " hops"));
  }

  private static String described(NodeId node, CopyLine copy) {
    return "on "
        + node
        + ", range "
        + copy.range()
        + " epoch "
        + copy.epoch().value()
        + ", "
        + copy.state()
        + ", base "
        + copy.base().value()
        + ", closed "
        + copy.closed().value();
  }

  /** Rules 9 and 10, for this copy now. */
  private static String whether(Explained said, CopyLine copy, ReadLevel level) {
    switch (copy.state()) {
      case "waiting" -> {
        return "not yet: the node has come back and waits for a new epoch (rule 19)";
      }
      case "replaying" -> {
        return "not yet: the ledger is replayed through the record of its epoch (rule 10)";
      }
      default -> {}
    }
    long durable = said.point().position().value();
    String start =
        switch (level.kind()) {
          case LOCAL -> "local reads begin at the least closed position of the node they begin on";
          case BOUNDED ->
              "bounded reads begin at a position that the sequencer gave within the last "
                  + level.lagMillis()
                  + " ms";
          case SESSION ->
              "session reads begin at what the session has seen, or at the position of the node"
                  + " they begin on (here "
                  + durable
                  + ")";
          case STRONG ->
              "strong reads begin at a position that the sequencer gives after an append begun"
                  + " later than they";
        };
    return "as the primary, which has replayed the ledger through its epoch's record: "
        + start
        + "; any from "
        + copy.base().value()
        + " on is answered once the node has reached it, those up to "
        + copy.closed().value()
        + " without a look at write marks";
  }

  @Override
  public void close() {
    connections.values().forEach(NodeConnection::close);
    connector.close();
  }
}
