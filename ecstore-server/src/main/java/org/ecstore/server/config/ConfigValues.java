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
import java.util.stream.Collectors;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.config.ConfigReader.Given;
import org.ecstore.server.config.Keys.CoordinationKind;
import org.ecstore.server.config.Keys.LedgerKind;
import org.ecstore.server.zookeeper.EnsembleMember;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration of single values: what must be there, what follows from what, and what
 * contradicts what. Where one value is wrong the rest is looked at all the same.
 */
final class ConfigValues {
  private static final List<String> ANY_ADDRESS = List.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

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
    checkPorts();
    checkQuorums();
    NodeId node = new NodeId(value(Keys.NODE_ID, 1L));
    Path directory = path(Keys.NODE_DIRECTORY, file);
    ServerConfig.Listen listen = listen();
    ServerConfig config =
        new ServerConfig(
            value(Keys.CLUSTER_NAME, ""),
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

  private void needsZooKeeper(ConfigKey<?> key, boolean wanted) {
    if (wanted) {
      problem(key, key.name() + " needs coordination = \"zookeeper\"");
    }
  }

  private void checkPorts() {
    Map<Long, ConfigKey<?>> taken = new TreeMap<>();
    value(Keys.LISTEN_PORT).filter(port -> port > 0).ifPresent(p -> taken.put(p, Keys.LISTEN_PORT));
    if (value(Keys.ZOOKEEPER_EMBEDDED, false)
        && value(Keys.ZOOKEEPER_SERVERS, List.of()).isEmpty()) {
      checkPort(taken, Keys.ZOOKEEPER_PORT);
    }
    if (value(Keys.BOOKIE_ENABLED, false)) {
      checkPort(taken, Keys.BOOKIE_PORT);
    }
  }

  private void checkPort(Map<Long, ConfigKey<?>> taken, ConfigKey<Long> key) {
    value(key)
        .ifPresent(
            port -> {
              ConfigKey<?> before = taken.putIfAbsent(port, key);
              if (before != null) {
                problem(key, key.name() + " is the same as " + before.name() + ": " + port);
              }
            });
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
        value(Keys.SLAVES_THRESHOLD, 1L));
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
    if (ANY_ADDRESS.contains(host) && !isSet(Keys.LISTEN_ADVERTISE)) {
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
