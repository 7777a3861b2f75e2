package org.ecstore.cluster.layout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.key.Bytes;

/**
 * The configuration of a node that is made, as text that its operator may change.
 *
 * @param node its number
 * @param nodeClass what machine it stands for
 * @param host the label of its host
 * @param splitHints where the data of the cluster will be
 * @param port where it listens
 * @param zooKeeper lines that say where ZooKeeper is
 * @param session how long a member may be silent; as usual if absent
 * @param ledger of all nodes
 * @param replication of all nodes
 * @param bookiePort of its bookie, if it has one
 * @param engine lines about its engine; empty for what is usual
 * @param changesKept how long the ledger is kept for readers of changes
 * @param metricsPort where it serves metrics, if it does
 * @param control of all nodes; nothing is said of what is usual
 */
public record NodeConfig(
    int node,
    NodeClass nodeClass,
    String host,
    List<Bytes> splitHints,
    int port,
    String zooKeeper,
    Optional<Duration> session,
    Ledger ledger,
    ServerConfig.Replication replication,
    Optional<Integer> bookiePort,
    List<String> engine,
    Duration changesKept,
    Optional<Integer> metricsPort,
    ServerConfig.Control control) {

  /** How many bookies have an entry, and how many of them must. */
  public record Ledger(int ensemble, int ackQuorum) {}

  public NodeConfig {
    splitHints = List.copyOf(splitHints);
    engine = List.copyOf(engine);
  }

  /** As the file has it. */
  public String text() {
    return """
    # Written by "ecstore cluster up"; yours to change while the node is down.
    coordination = "zookeeper"

    [cluster]
    secret-file = "../cluster.secret"
    %s
    [node]
    id = %d
    directory = "data"
    # All nodes are on one machine here: without labels of their own no range would have a
    # second copy.
    host = "%s"
    %s
    [listen]
    port = %d

    [zookeeper]
    %s
    %s
    [ledger]
    kind = "bookkeeper"
    ensemble = %d
    write-quorum = %d
    ack-quorum = %d

    [replication]
    copies = %d
    long-failure = "%s"
    settle = "%s"
    %s%s%s%s%s%s\
    """
        .formatted(
            hints(splitHints),
            node,
            host,
            nodeClass.lines().stream().map(line -> line + "\n").collect(Collectors.joining()),
            port,
            zooKeeper,
            session
                .map(time -> "session-timeout = \"" + ConfigText.duration(time) + "\"\n")
                .orElse(""),
            ledger.ensemble(),
            ledger.ensemble(),
            ledger.ackQuorum(),
            replication.copies(),
            ConfigText.duration(replication.longFailure()),
            ConfigText.duration(replication.settle()),
            replication.relaxed() ? "\n[placement]\nrelaxed = true\n" : "",
            changesKept.isZero()
                ? ""
                : "\n[changes]\nkept = \"" + ConfigText.duration(changesKept) + "\"\n",
            bookiePort.map(each -> "\n[bookie]\nenabled = true\nport = " + each + "\n").orElse(""),
            metricsPort.map(each -> "\n[metrics]\nport = " + each + "\n").orElse(""),
            engine.isEmpty() ? "" : "\n[engine]\n" + String.join("\n", engine) + "\n",
            controller(control));
  }

  private static String controller(ServerConfig.Control control) {
    List<String> lines = new ArrayList<>();
    ServerConfig.Control usual = ServerConfig.Control.DEFAULT;
    if (!control.check().equals(usual.check())) {
      lines.add("check = \"" + ConfigText.duration(control.check()) + "\"\n");
    }
    if (control.window() != usual.window()) {
      lines.add("window = " + control.window() + "\n");
    }
    if (!control.provisionWithin().equals(usual.provisionWithin())) {
      lines.add("provision-within = \"" + ConfigText.duration(control.provisionWithin()) + "\"\n");
    }
    return (lines.isEmpty() ? "" : "\n[qos]\n" + String.join("", lines))
        + control.provisioner().map(NodeConfig::provisioner).orElse("");
  }

  /** The lines about what starts and stops nodes, which may follow any others. */
  public static String provisioner(CommandWords command) {
    return "\n[provisioner]\ncommand = " + ConfigText.text(command.text()) + "\n";
  }

  /** The configuration of one node for ever, with a ledger in files. */
  public static String standalone(List<Bytes> splitHints, int port, List<String> engine) {
    return """
    # Written by "ecstore bench"; yours to change while the node is down.
    coordination = "local"

    [cluster]
    secret-file = "../cluster.secret"
    %s
    [node]
    id = 1
    directory = "data"

    [listen]
    port = %d

    [ledger]
    kind = "local"

    [engine]
    %s
    """
        .formatted(hints(splitHints), port, String.join("\n", engine));
  }

  private static String hints(List<Bytes> keys) {
    return keys.isEmpty()
        ? ""
        : keys.stream()
            .map(key -> '"' + HexFormat.of().formatHex(key.array()) + '"')
            .collect(Collectors.joining(", ", "split-hints = [", "]\n"));
  }
}
