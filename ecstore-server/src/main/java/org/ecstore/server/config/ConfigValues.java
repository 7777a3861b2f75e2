package org.ecstore.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.config.ConfigReader.Given;
import org.ecstore.server.config.Keys.CoordinationKind;
import org.ecstore.server.config.Keys.LedgerKind;
import org.ecstore.server.secret.ClusterSecret;
import org.ecstore.server.secret.SecretFile;
import org.ecstore.server.secret.SecretSource;
import org.ecstore.server.zookeeper.EnsembleMember;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration of single values: what must be there, what follows from what, and what
 * contradicts what. Where one value is wrong the rest is looked at all the same.
 */
final class ConfigValues {
  /** Zero in as many ways as address parsers take it. */
  private static final Pattern ANY_ADDRESS =
      Pattern.compile("(0[xX])?0+(\\.(0[xX])?0+){0,3}|[0:]*::[0:.]*|0+(:0+){7}");

  private static final Pattern HOST_AND_PORT = Pattern.compile("[^:]*:[^:]*");

  private final Path file;
  private final Map<ConfigKey<?>, Given> given;
  private final BiConsumer<@Nullable ConfigKey<?>, String> problems;
  private boolean sound = true;

  /**
   * Over some values.
   *
   * @param file beside which relative paths begin
   * @param problems takes what is wrong, with the key whose place in the file tells where
   */
  ConfigValues(
      Path file,
      Map<ConfigKey<?>, Given> given,
      BiConsumer<@Nullable ConfigKey<?>, String> problems) {
    this.file = file;
    this.given = given;
    this.problems = problems;
  }

  private void problem(@Nullable ConfigKey<?> key, String message) {
    sound = false;
    problems.accept(key, message);
  }

  /** The value that is given or stands in for it; absent if there is none or it is wrong. */
  private <T> Optional<T> value(ConfigKey<T> key) {
    Given at = given.get(key);
    return at == null ? key.fallback() : key.kind().read(at.value());
  }

  private <T> T value(ConfigKey<T> key, T instead) {
    return value(key).orElse(instead);
  }

  private int number(ConfigKey<Long> key) {
    return value(key, 1L).intValue();
  }

  private boolean isSet(ConfigKey<?> key) {
    return given.containsKey(key);
  }

  private Path path(ConfigKey<String> key, Path instead) {
    return value(key).map(text -> file.resolveSibling(text).normalize()).orElse(instead);
  }

  /**
   * The configuration.
   *
   * @param partial the file could not be read to its end: what is missing may be there
   */
  Optional<ServerConfig> config(boolean partial) {
    if (!partial) {
      mustBeGiven(Keys.NODE_ID);
      mustBeGiven(Keys.NODE_DIRECTORY);
    }
    checkKinds();
    checkSplitHints();
    checkHost(Keys.LISTEN_HOST);
    checkHost(Keys.LISTEN_ADVERTISE);
    checkSecret();
    checkPorts();
    checkDirectories();
    checkQuorums();
    NodeId node = new NodeId(value(Keys.NODE_ID, 1L));
    Path directory = path(Keys.NODE_DIRECTORY, file);
    ServerConfig.Listen listen = listen();
    ServerConfig config =
        new ServerConfig(
            value(Keys.CLUSTER_NAME, ""),
            secret(),
            value(Keys.CLUSTER_SPLIT_HINTS, List.of()).stream()
                .map(hexadecimal -> Bytes.wrap(HexFormat.of().parseHex(hexadecimal)))
                .toList(),
            node,
            directory,
            value(Keys.NODE_HOST, listen.advertisedHost()),
            listen,
            coordination(node, directory, listen),
            ledger(directory),
            replication(),
            balance(),
            value(Keys.VERSIONS_KEPT, Duration.ZERO),
            bookie(directory, listen),
            value(Keys.ENGINE_CACHE, 0L),
            value(Keys.STOP_TIMEOUT, Duration.ZERO),
            new ServerConfig.Log(
                value(Keys.LOG_LEVEL, LogLevel.INFO),
                value(Keys.LOG_LIBRARIES, LogLevel.ERROR),
                value(Keys.LOG_FILE).map(text -> file.resolveSibling(text).normalize()),
                value(Keys.LOG_FILE_SIZE, 1L << 20),
                number(Keys.LOG_FILES)));
    return sound ? Optional.of(config) : Optional.empty();
  }

  private void mustBeGiven(ConfigKey<?> key) {
    if (!isSet(key)) {
      problem(
          null,
          key.name() + " is missing: give " + key.kind().words() + " here or in " + key.variable());
    }
  }

  private boolean onZooKeeper() {
    return value(Keys.COORDINATION, CoordinationKind.LOCAL) == CoordinationKind.ZOOKEEPER;
  }

  private boolean onBookies() {
    return value(Keys.LEDGER_KIND, LedgerKind.LOCAL) == LedgerKind.BOOKKEEPER;
  }

  private void checkKinds() {
    if (value(Keys.COORDINATION).isEmpty() || value(Keys.LEDGER_KIND).isEmpty()) {
      // What is meant is not known, so nothing can contradict it.
      return;
    }
    boolean embedded = value(Keys.ZOOKEEPER_EMBEDDED, false);
    if (onBookies() && !onZooKeeper()) {
      problem(
          Keys.LEDGER_KIND,
          "ledger.kind \"bookkeeper\" needs coordination = \"zookeeper\": bookies are found there");
    }
    if (onZooKeeper() && !onBookies()) {
      problem(
          Keys.COORDINATION,
          "coordination \"zookeeper\" needs ledger.kind = \"bookkeeper\": nodes of one cluster"
              + " share a ledger, and a local one is this node's alone");
    }
    if (!onZooKeeper()) {
      needsZooKeeper(Keys.ZOOKEEPER_CONNECT, isSet(Keys.ZOOKEEPER_CONNECT));
      needsZooKeeper(Keys.ZOOKEEPER_EMBEDDED, embedded);
      needsZooKeeper(Keys.ZOOKEEPER_SERVERS, !value(Keys.ZOOKEEPER_SERVERS, List.of()).isEmpty());
      needsZooKeeper(Keys.BOOKIE_ENABLED, value(Keys.BOOKIE_ENABLED, false));
    } else if (!embedded) {
      if (!isSet(Keys.ZOOKEEPER_CONNECT)) {
        problem(
            Keys.COORDINATION,
            "coordination \"zookeeper\" needs zookeeper.connect, or zookeeper.embedded = true");
      }
      if (!value(Keys.ZOOKEEPER_SERVERS, List.of()).isEmpty()) {
        problem(
            Keys.ZOOKEEPER_SERVERS,
            "zookeeper.servers lists embedded servers, but zookeeper.embedded is false here: name"
                + " their ports of clients in zookeeper.connect");
      }
    }
  }

  private void checkSecret() {
    if (isSet(Keys.CLUSTER_SECRET) && isSet(Keys.CLUSTER_SECRET_FILE)) {
      problem(
          Keys.CLUSTER_SECRET_FILE,
          "cluster.secret-file is given, and cluster.secret too: give one");
    } else if (onZooKeeper() && !isSet(Keys.CLUSTER_SECRET) && !isSet(Keys.CLUSTER_SECRET_FILE)) {
      problem(
          Keys.COORDINATION,
          "coordination \"zookeeper\" needs cluster.secret-file, the same on all nodes: they know"
              + " each other by it. Make one by "
              + SecretFile.HOW_TO_MAKE);
    }
  }

  private Optional<SecretSource> secret() {
    if (isSet(Keys.CLUSTER_SECRET_FILE)) {
      return Optional.of(new SecretSource.File(path(Keys.CLUSTER_SECRET_FILE, file)));
    }
    return value(Keys.CLUSTER_SECRET).map(text -> new SecretSource.Value(ClusterSecret.of(text)));
  }

  private void needsZooKeeper(ConfigKey<?> key, boolean wanted) {
    if (wanted) {
      problem(key, key.name() + " needs coordination = \"zookeeper\"");
    }
  }

  private void checkSplitHints() {
    List<String> hints = value(Keys.CLUSTER_SPLIT_HINTS, List.of());
    for (int i = 0; i < hints.size(); i++) {
      if (i > 0 && hints.get(i - 1).compareTo(hints.get(i)) >= 0) {
        problem(
            Keys.CLUSTER_SPLIT_HINTS,
            "cluster.split-hints must be in order, each once: "
                + hints.get(i)
                + " comes after "
                + hints.get(i - 1));
        return;
      }
      if (hints.get(i).length() > 2 * Limits.KEY_BYTES_MAX) {
        problem(
            Keys.CLUSTER_SPLIT_HINTS,
            "cluster.split-hints: number "
                + (i + 1)
                + " is longer than a key may be, "
                + Limits.KEY_BYTES_MAX
                + " bytes");
        return;
      }
    }
  }

  private void checkHost(ConfigKey<String> key) {
    String host = value(key, "");
    if (isSet(key) && HOST_AND_PORT.matcher(host).matches()) {
      problem(
          key, key.name() + " is a host without a port, not " + host + ": the port is listen.port");
    }
  }

  /** Ports of this node's own servers, and those that the ensemble has on one host. */
  private void checkPorts() {
    Map<String, String> taken = new TreeMap<>();
    String here = value(Keys.LISTEN_HOST, "");
    value(Keys.LISTEN_PORT)
        .filter(port -> port > 0)
        .ifPresent(port -> taken.put(here + ":" + port, Keys.LISTEN_PORT.name()));
    if (value(Keys.BOOKIE_ENABLED, false)) {
      checkPort(taken, Keys.BOOKIE_PORT, here, value(Keys.BOOKIE_PORT), Keys.BOOKIE_PORT.name());
    }
    if (!value(Keys.ZOOKEEPER_EMBEDDED, false)) {
      return;
    }
    List<String> servers = value(Keys.ZOOKEEPER_SERVERS, List.of());
    if (servers.isEmpty()) {
      checkPort(
          taken, Keys.ZOOKEEPER_PORT, here, value(Keys.ZOOKEEPER_PORT), Keys.ZOOKEEPER_PORT.name());
    }
    for (String text : servers) {
      member(text).ifPresent(member -> checkPorts(taken, member));
    }
  }

  private static Optional<EnsembleMember> member(String text) {
    try {
      return Optional.of(EnsembleMember.parse(text));
    } catch (IllegalArgumentException e) {
      // Said where the ensemble is made.
      return Optional.empty();
    }
  }

  private void checkPorts(Map<String, String> taken, EnsembleMember member) {
    String of = "of server " + member.id() + " in zookeeper.servers";
    for (Map.Entry<String, Integer> port :
        Map.of(
                "1 the quorum port ", member.quorumPort(),
                "2 the election port ", member.electionPort(),
                "3 the port of clients ", member.clientPort())
            .entrySet()
            .stream()
            .sorted(Map.Entry.comparingByKey())
            .toList()) {
      checkPort(
          taken,
          Keys.ZOOKEEPER_SERVERS,
          member.host(),
          Optional.of(port.getValue().longValue()),
          port.getKey().substring(2) + of);
    }
  }

  private void checkPort(
      Map<String, String> taken, ConfigKey<?> key, String host, Optional<Long> port, String name) {
    if (port.isPresent()) {
      String before = taken.putIfAbsent(host + ":" + port.get(), name);
      if (before != null) {
        problem(key, name + " is the same as " + before + ": " + port.get());
      }
    }
  }

  /** Each part of a node wipes or locks what it finds in its directory as its own. */
  private void checkDirectories() {
    Map<Path, ConfigKey<?>> taken = new TreeMap<>();
    taken.put(path(Keys.NODE_DIRECTORY, file), Keys.NODE_DIRECTORY);
    if (value(Keys.ZOOKEEPER_EMBEDDED, false)) {
      checkDirectory(taken, Keys.ZOOKEEPER_DIRECTORY, "zookeeper");
    }
    if (value(Keys.BOOKIE_ENABLED, false)) {
      checkDirectory(taken, Keys.BOOKIE_DIRECTORY, "bookie");
    }
    if (!onBookies()) {
      checkDirectory(taken, Keys.LEDGER_DIRECTORY, "ledger");
    }
  }

  private void checkDirectory(
      Map<Path, ConfigKey<?>> taken, ConfigKey<String> key, String usually) {
    Path directory = path(key, path(Keys.NODE_DIRECTORY, file).resolve(usually));
    ConfigKey<?> before = taken.putIfAbsent(directory, key);
    if (before != null) {
      ConfigKey<?> at = isSet(key) ? key : before;
      problem(at, key.name() + " is the same directory as " + before.name() + ": " + directory);
    }
  }

  private void checkQuorums() {
    noMoreThan(Keys.LEDGER_WRITE_QUORUM, Keys.LEDGER_ENSEMBLE);
    noMoreThan(Keys.LEDGER_ACK_QUORUM, Keys.LEDGER_WRITE_QUORUM);
    Optional<Long> acknowledged = value(Keys.LEDGER_ACK_QUORUM);
    Optional<Long> written = value(Keys.LEDGER_WRITE_QUORUM);
    if (acknowledged.isPresent()
        && written.isPresent()
        && 2 * acknowledged.get() <= written.get()) {
      problem(
          isSet(Keys.LEDGER_ACK_QUORUM) ? Keys.LEDGER_ACK_QUORUM : Keys.LEDGER_WRITE_QUORUM,
          "ledger.ack-quorum is "
              + acknowledged.get()
              + ", no majority of ledger.write-quorum, which is "
              + written.get());
    }
  }

  private ServerConfig.Replication replication() {
    return new ServerConfig.Replication(
        onZooKeeper() ? number(Keys.REPLICATION_COPIES) : 1,
        value(Keys.REPLICATION_LONG_FAILURE, Duration.ZERO),
        value(Keys.REPLICATION_SETTLE, Duration.ZERO),
        value(Keys.SLAVES_MEMORY, 0L),
        value(Keys.SLAVES_THRESHOLD, 1L),
        value(Keys.SLAVES_THRESHOLD_FACTOR, 2.0));
  }

  private ServerConfig.Balance balance() {
    return new ServerConfig.Balance(
        value(Keys.BALANCE_AUTOMATIC, false),
        value(Keys.BALANCE_SPLIT_SIZE, 1L),
        value(Keys.BALANCE_SPLIT_RATE, 0L),
        value(Keys.BALANCE_MERGE_AFTER, Duration.ZERO),
        value(Keys.BALANCE_SHIFT_SIZE, 1L));
  }

  private void noMoreThan(ConfigKey<Long> small, ConfigKey<Long> large) {
    Optional<Long> few = value(small);
    Optional<Long> many = value(large);
    if (few.isPresent() && many.isPresent() && few.get() > many.get()) {
      problem(
          isSet(small) ? small : large,
          small.name()
              + " is "
              + few.get()
              + ", more than "
              + large.name()
              + ", which is "
              + many.get());
    }
  }

  private ServerConfig.Listen listen() {
    String host = value(Keys.LISTEN_HOST, "");
    String advertised = value(Keys.LISTEN_ADVERTISE, "");
    if (ANY_ADDRESS.matcher(advertised).matches()) {
      problem(
          Keys.LISTEN_ADVERTISE,
          "listen.advertise " + advertised + " is no address that others could reach");
    }
    if (ANY_ADDRESS.matcher(host).matches() && !isSet(Keys.LISTEN_ADVERTISE)) {
      problem(
          Keys.LISTEN_HOST,
          "listen.host "
              + host
              + " is no address that others could reach: give one in listen.advertise");
    }
    return new ServerConfig.Listen(
        host, number(Keys.LISTEN_PORT), value(Keys.LISTEN_ADVERTISE, host));
  }

  private ServerConfig.Coordination coordination(
      NodeId node, Path directory, ServerConfig.Listen listen) {
    if (!onZooKeeper()) {
      return new ServerConfig.Coordination.Local(directory.resolve("coordination"));
    }
    List<EnsembleMember> ensemble = ensemble(node);
    Optional<ServerConfig.Embedded> embedded = Optional.empty();
    String connect = value(Keys.ZOOKEEPER_CONNECT, "");
    if (value(Keys.ZOOKEEPER_EMBEDDED, false)) {
      Optional<EnsembleMember> own =
          ensemble.stream().filter(member -> member.id() == node.value()).findFirst();
      int port = own.map(EnsembleMember::clientPort).orElse(number(Keys.ZOOKEEPER_PORT));
      String host = own.map(EnsembleMember::host).orElse(listen.host());
      embedded =
          Optional.of(
              new ServerConfig.Embedded(
                  path(Keys.ZOOKEEPER_DIRECTORY, directory.resolve("zookeeper")),
                  host,
                  port,
                  ensemble));
      if (connect.isEmpty()) {
        connect =
            ensemble.isEmpty()
                ? host + ":" + port
                : ensemble.stream()
                    .map(member -> member.host() + ":" + member.clientPort())
                    .collect(Collectors.joining(","));
      }
    }
    return new ServerConfig.Coordination.ZooKeeper(
        connect, value(Keys.ZOOKEEPER_SESSION, Duration.ZERO), embedded);
  }

  private List<EnsembleMember> ensemble(NodeId node) {
    List<EnsembleMember> members = new ArrayList<>();
    for (String text : value(Keys.ZOOKEEPER_SERVERS, List.of())) {
      try {
        EnsembleMember member = EnsembleMember.parse(text);
        if (members.stream().anyMatch(other -> other.id() == member.id())) {
          problem(
              Keys.ZOOKEEPER_SERVERS, "zookeeper.servers: there are two servers " + member.id());
        }
        members.add(member);
      } catch (IllegalArgumentException e) {
        problem(Keys.ZOOKEEPER_SERVERS, "zookeeper.servers: " + text + ": " + e.getMessage());
      }
    }
    boolean embedded = value(Keys.ZOOKEEPER_EMBEDDED, false);
    if (embedded
        && !members.isEmpty()
        && isSet(Keys.NODE_ID)
        && members.stream().noneMatch(member -> member.id() == node.value())) {
      problem(
          Keys.ZOOKEEPER_SERVERS,
          "zookeeper.servers has no server "
              + node.value()
              + ", but zookeeper.embedded is true on this node");
    }
    return List.copyOf(members);
  }

  private ServerConfig.Ledger ledger(Path directory) {
    long segmentBytes = value(Keys.LEDGER_SEGMENT, 0L);
    return onBookies()
        ? new ServerConfig.Ledger.BookKeeper(
            number(Keys.LEDGER_ENSEMBLE),
            number(Keys.LEDGER_WRITE_QUORUM),
            number(Keys.LEDGER_ACK_QUORUM),
            segmentBytes)
        : new ServerConfig.Ledger.Local(
            path(Keys.LEDGER_DIRECTORY, directory.resolve("ledger")), (int) segmentBytes);
  }

  private Optional<ServerConfig.Bookie> bookie(Path directory, ServerConfig.Listen listen) {
    return value(Keys.BOOKIE_ENABLED, false)
        ? Optional.of(
            new ServerConfig.Bookie(
                path(Keys.BOOKIE_DIRECTORY, directory.resolve("bookie")),
                listen.host(),
                number(Keys.BOOKIE_PORT)))
        : Optional.empty();
  }
}
