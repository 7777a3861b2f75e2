package org.ecstore.tools.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.ecstore.key.KeyText;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyState;
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
    lines.add("key      " + KeyText.of(stored) + " of table " + table.name());
    List<Stop> way = new ArrayList<>();
    Optional<String> broken = walk(stored, way);
    if (way.isEmpty()) {
      throw new ShellException("no node answers: " + broken.orElse(""));
    }
    Stop last = way.getLast();
    way.getFirst()
        .said()
        .inMap()
        .ifPresentOrElse(
            route -> lines.addAll(described(route, way.getFirst().said())),
            () -> lines.add("range    " + way.getFirst().said().node() + " has no map yet"));
    lines.add("found    " + way(way) + broken.map(reason -> "; then " + reason).orElse(""));
    last.said()
        .copy()
        .ifPresentOrElse(
            copy -> {
              lines.add("copy     " + described(last.said().node(), copy));
              lines.add("reads    " + whether(last.said(), copy, level));
            },
            () -> lines.add("copy     no node that was reached has one: see cluster status"));
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

  private static List<String> described(Route route, Explained by) {
    String served =
        route.address().isEmpty()
            ? "by no node now: " + route.primary() + " is not there"
            : "by " + route.primary() + " at " + route.address();
    return List.of(
        "range    " + route.range() + ", " + KeyText.brief(route.keys()),
        "served   "
            + served
            + ", since change "
            + route.epoch().value()
            + " of the range (its epoch; map version "
            + by.point().mapVersion().value()
            + ")");
  }

  private static String way(List<Stop> way) {
    List<String> nodes = way.stream().map(stop -> stop.said().node().toString()).toList();
    int hops = way.size() - 1;
    return hops == 0
        ? "on " + nodes.getFirst() + ", the node that was asked first"
        : "by the nodes' links, without a map: "
            + String.join(" -> ", nodes)
            + ", "
            + hops
            + (hops == 1 ? " hop" : " hops");
  }

  private static String described(NodeId node, CopyLine copy) {
    return "on "
        + node
        + ", "
        + inWords(copy.state())
        + "; has all commits up to number "
        + copy.closed().value()
        + (copy.base().value() == 0
            ? ""
            : ", and answers for moments from " + copy.base().value() + " on");
  }

  private static String inWords(CopyState state) {
    return switch (state) {
      case WAITING -> "waiting: its node is back, and the steward has not confirmed it yet";
      case REPLAYING -> "replaying: it reads the commits that it lacks from the ledger";
      case FOLLOWING -> "following: a secondary copy that gets what its primary writes";
      case SERVING -> "serving: it takes reads and writes";
      case BUILDING, BUILT, REFUSES_WRITES, RETIRED, LOST, UNKNOWN -> state.word();
    };
  }

  /** Whether this copy would answer a read of some freshness now, and from when on. */
  private static String whether(Explained said, CopyLine copy, ReadLevel level) {
    if (copy.state() == CopyState.WAITING || copy.state() == CopyState.REPLAYING) {
      return "are answered by it once it serves";
    }
    long durable = said.point().position().value();
    return "at level "
        + level.toString().toLowerCase(Locale.ROOT)
        + " "
        + switch (level.kind()) {
          case LOCAL -> "see what the node that is asked has now, and never wait";
          case BOUNDED ->
              "see all that was committed more than "
                  + level.lagMillis()
                  + " ms ago, which the sequencer is asked for at most that often";
          case SESSION ->
              "see all that this shell has seen or written, and wait for a copy that has it; its"
                  + " node is at commit "
                  + durable
                  + " now";
          case STRONG ->
              "see all that was committed before they began, for which the sequencer is asked each"
                  + " time";
        };
  }

  @Override
  public void close() {
    connections.values().forEach(NodeConnection::close);
    connector.close();
  }
}
