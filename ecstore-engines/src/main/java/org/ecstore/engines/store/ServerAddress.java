package org.ecstore.engines.store;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of one server as it stands in a URL: a host, and a port behind a colon. */
public final class ServerAddress {
  private static final Pattern PARTS = Pattern.compile("(?:\\[[^\\[\\]]+]|[^:,\\[\\]]+)(?::(.*))?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
  private static final int PORT_MAX = 65_535;

  private ServerAddress() {}

  /** What is wrong with an address, as {@code must ...}; empty if nothing is. */
  public static Optional<String> problem(String address) {
    Matcher parts = PARTS.matcher(address);
    if (!parts.matches()) {
      return Optional.of("must name a host, and its port behind a colon");
    }
    return parts.group(1) == null ? Optional.empty() : portProblem(parts.group(1));
  }

  /** What is wrong with a port, as {@code must ...}; empty if nothing is. */
  public static Optional<String> portProblem(String port) {
    int number = NUMBER.matcher(port).matches() ? Integer.parseInt(port) : 0;
    return number >= 1 && number <= PORT_MAX
        ? Optional.empty()
        : Optional.of("must have a port from 1 to " + PORT_MAX);
  }
}
