package org.ecstore.cluster.zookeeper.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.client.net.AddressList;

/**
 * One server of a ZooKeeper ensemble, as text {@code id@host:quorumPort:electionPort;clientPort},
 * where an IPv6 host is in brackets.
 *
 * @param id 1 to 255, its own in the ensemble and for ever the same
 * @param host without brackets
 * @param quorumPort where the leader takes its followers
 * @param electionPort where leaders are elected
 * @param clientPort where clients are served
 */
public record EnsembleMember(
    int id, String host, int quorumPort, int electionPort, int clientPort) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d{1,3})@(?:([^@:;\\s\\[\\]]+)|\\[([0-9A-Fa-f:.]*:[^@;\\s\\[\\]]*)\\])"
              + ":(\\d{1,5}):(\\d{1,5});(\\d{1,5})");
  private static final int ID_MAX = 255;
  private static final int PORT_MAX = 65_535;

  public EnsembleMember {
    if (id < 1 || id > ID_MAX) {
      throw new IllegalArgumentException("the id of a ZooKeeper server is 1 to 255, not " + id);
    }
    checkPort(quorumPort);
    checkPort(electionPort);
    checkPort(clientPort);
  }

  private static void checkPort(int port) {
    if (port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException("a port is 1 to 65535, not " + port);
    }
  }

  /**
   * The member that a text names.
   *
   * @throws IllegalArgumentException if it names none; the message shows the right form
   */
  public static EnsembleMember parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not of the form id@host:quorumPort:electionPort;clientPort");
    }
    String name = matcher.group(2);
    return new EnsembleMember(
        Integer.parseInt(matcher.group(1)),
        name == null ? matcher.group(3) : name,
        Integer.parseInt(matcher.group(4)),
        Integer.parseInt(matcher.group(5)),
        Integer.parseInt(matcher.group(6)));
  }

  /** Where clients reach it, {@code host:port}. */
  public String clientAddress() {
    return AddressList.text(host, clientPort);
  }

  @Override
  public String toString() {
    return id + "@" + AddressList.text(host, quorumPort) + ":" + electionPort + ";" + clientPort;
  }
}
