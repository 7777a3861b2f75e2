package org.ecstore.engines.mysql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of the driver that a URL must not have. It takes them before those that a store gives it,
 * and what a store promises rests on these.
 */
final class RefusedOptions {
  private static final String WAITS = "the node knows by its own that a server hangs";
  private static final String SESSIONS = "it decides what a statement finds";

  /** As the driver's documents have their names. */
  private static final List<Refused> ALL =
      List.of(
          new Refused("connectTimeout", WAITS),
          new Refused("socketTimeout", WAITS),
          new Refused("autocommit", "the node ends its transactions itself"),
          new Refused("transactionReplay", "what has no outcome must not be made again"),
          new Refused("pool", "a connection that is given up must end"),
          new Refused("sessionVariables", SESSIONS),
          new Refused("initSql", SESSIONS),
          new Refused("allowMultiQueries", "a statement of the node is one"),
          new Refused("useServerPrepStmts", "the node's statements are prepared on the server"),
          new Refused("useBulkStmts", "the node writes by such statements"),
          new Refused("maxAllowedPacket", "the node asks the server for it"));

  private RefusedOptions() {}

  private record Refused(String name, String why) {}

  /** Which of them a URL has and why it must not, as {@code must ...}; empty if it has none. */
  static Optional<String> problem(String url) {
    Set<String> names = names(url);
    List<String> found = new ArrayList<>();
    for (Refused each : ALL) {
      if (names.contains(each.name().toLowerCase(Locale.ROOT))) {
        found.add(each.name() + " (" + each.why() + ")");
      }
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of("must not set " + String.join(", ", found));
  }

  /** All that a URL has, in small letters: the driver knows them in capitals too. */
  static Set<String> names(String url) {
    int begin = url.indexOf('?');
    return begin < 0
        ? Set.of()
        : Stream.of(url.substring(begin + 1).split("&", -1))
            .map(option -> option.split("=", 2)[0].strip().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }
}
