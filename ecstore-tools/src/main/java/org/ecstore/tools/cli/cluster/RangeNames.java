package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.StewardLine;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyText;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Finds the range that an operator names: by its id, by the id of a range that became this one, or
 * by a key in it.
 */
final class RangeNames {
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(2);
  private static final Pattern ID = Pattern.compile("r?[1-9][0-9]{0,17}");
  private static final Pattern ID_IN_TEXT = Pattern.compile("\\br([1-9][0-9]{0,17})\\b");

  /** What the steward has decided lately, the newest last. */
  interface Decisions {
    List<DecisionLine> all() throws IOException;
  }

  private final List<Route> routes;
  private final Decisions decisions;
  private final Consumer<String> say;

  /**
   * Over the ranges that there are.
   *
   * @param routes none if no map is known: then ids are taken as they are
   * @param say is told where an id was followed
   */
  RangeNames(List<Route> routes, Decisions decisions, Consumer<String> say) {
    this.routes = List.copyOf(routes);
    this.decisions = decisions;
    this.say = say;
  }

  /** Those of a cluster now. */
  static RangeNames of(ProcessCluster cluster, Consumer<String> say) throws IOException {
    return new RangeNames(
        cluster.look(LOOK_WITHIN).map().map(StatusReport::ranges).orElse(List.of()),
        () -> cluster.askSteward(new ClientRequest.AskDecisions(Optional.empty())).decisions(),
        say);
  }

  /** Those of a cluster whose nodes were named, as they were seen. */
  static RangeNames of(ClusterLook seen, StewardLine line, Consumer<String> say) {
    return new RangeNames(
        seen.map().map(StatusReport::ranges).orElse(List.of()),
        () -> line.ask(new ClientRequest.AskDecisions(Optional.empty()), Decided.class).decisions(),
        say);
  }

  /**
   * The range that a text means.
   *
   * @throws BadInputException if there is none, or it has become several; it says which
   */
  RangeId find(String text) throws IOException {
    if (!ID.matcher(text).matches()) {
      return withKey(text);
    }
    RangeId id = StewardCommands.range(text);
    return routes.isEmpty() || isThere(id) ? id : successor(id);
  }

  /** As {@link #find}, but an id means the range that has or had it, and no other. */
  RangeId asNamed(String text) {
    return ID.matcher(text).matches() ? StewardCommands.range(text) : withKey(text);
  }

  private RangeId withKey(String text) {
    Bytes key = StewardCommands.key("RANGE", text);
    return routes.stream()
        .filter(route -> route.keys().contains(key))
        .map(Route::range)
        .findFirst()
        .orElseThrow(
            () -> new BadInputException("no node that answers knows the range of the key " + text));
  }

  private boolean isThere(RangeId id) {
    return routes.stream().anyMatch(route -> route.range().equals(id));
  }

  private RangeId successor(RangeId id) throws IOException {
    Set<RangeId> now = successors(id);
    if (now.size() == 1) {
      RangeId found = now.iterator().next();
      say.accept("range " + id + " is " + found + " now, " + bounds(found));
      return found;
    }
    if (now.isEmpty()) {
      throw new BadInputException(
          "there is no range %s, and the steward does not know what became of it: see cluster status, or give a key that is in it"
              .formatted(id));
    }
    throw new BadInputException(
        "range %s has become several: %s; give one of them, or a key that is in it"
            .formatted(
                id,
                now.stream()
                    .map(one -> one + " " + bounds(one))
                    .collect(Collectors.joining(", "))));
  }

  /** The ranges of today that came of one, by what was done since. */
  private Set<RangeId> successors(RangeId id) throws IOException {
    List<DecisionLine> done = decisions.all().stream().filter(DecisionLine::isDone).toList();
    Set<RangeId> seen = new TreeSet<>(Set.of(id));
    Set<RangeId> now = new TreeSet<>();
    Deque<RangeId> left = new ArrayDeque<>(seen);
    while (!left.isEmpty()) {
      RangeId each = left.remove();
      for (DecisionLine line : done) {
        if (line.ranges().contains(each)) {
          for (RangeId other : named(line).filter(seen::add).toList()) {
            if (isThere(other)) {
              now.add(other);
            } else {
              left.add(other);
            }
          }
        }
      }
    }
    return now;
  }

  private static Stream<RangeId> named(DecisionLine line) {
    Matcher ids = ID_IN_TEXT.matcher(line.detail());
    return ids.results().map(found -> new RangeId(Long.parseLong(found.group(1))));
  }

  private String bounds(RangeId id) {
    return routes.stream()
        .filter(route -> route.range().equals(id))
        .map(route -> KeyText.brief(route.keys()))
        .findFirst()
        .orElse("");
  }
}
