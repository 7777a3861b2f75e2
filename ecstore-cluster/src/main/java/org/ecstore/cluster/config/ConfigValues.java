package org.ecstore.cluster.config;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.client.net.AddressList;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.cluster.config.ConfigKeys.CoordinationKind;
import org.ecstore.cluster.config.ConfigKeys.LedgerKind;
import org.ecstore.cluster.config.ConfigReader.Given;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.kind.EngineKind;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;
import org.ecstore.server.secret.SecretFile;
import org.ecstore.server.secret.SecretSource;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration of single values: what must be there, what follows from what, and what
 * contradicts what. Where one value is wrong the rest is looked at all the same.
 */
final class ConfigValues {
  private static final Pattern HOST_AND_PORT = Pattern.compile("[^:]*:[^:]*");

  /** Behind the point of a price. */
  private static final int PRICE_DIGITS = 9;

  /** Behind the point of a capacity. */
  private static final int CAPACITY_DIGITS = 2;

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

  private static BigDecimal price(double given) {
    BigDecimal digits = BigDecimal.valueOf(given).setScale(PRICE_DIGITS, RoundingMode.HALF_EVEN);
    return new BigDecimal(digits.stripTrailingZeros().toPlainString());
  }

  private static BigDecimal capacity(double given) {
    BigDecimal digits = BigDecimal.valueOf(given).setScale(CAPACITY_DIGITS, RoundingMode.HALF_EVEN);
    return new BigDecimal(digits.stripTrailingZeros().toPlainString());
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
      mustBeGiven(ConfigKeys.NODE_ID);
      mustBeGiven(ConfigKeys.NODE_DIRECTORY);
    }
    checkKinds();
    checkSplitHints();
    checkHost(ConfigKeys.LISTEN_HOST, ConfigKeys.LISTEN_PORT);
    checkHost(ConfigKeys.LISTEN_ADVERTISE, ConfigKeys.LISTEN_PORT);
    checkHost(ConfigKeys.METRICS_HOST, ConfigKeys.METRICS_PORT);
    checkSecret();
    checkPorts();
    checkDirectories();
    checkQuorums();
    checkEngine();
    NodeId node = new NodeId(value(ConfigKeys.NODE_ID, 1L));
    Path directory = path(ConfigKeys.NODE_DIRECTORY, file);
    ServerConfig.Listen listen = listen();
    ServerConfig config =
        new ServerConfig(
            value(ConfigKeys.CLUSTER_NAME, ""),
            secret(),
            value(ConfigKeys.CLUSTER_SPLIT_HINTS, List.of()).stream()
                .map(hexadecimal -> Bytes.wrap(HexFormat.of().parseHex(hexadecimal)))
                .toList(),
            node,
            directory,
            value(ConfigKeys.NODE_HOST, listen.advertisedHost()),
            value(ConfigKeys.NODE_CLASS, NodeTraits.STANDARD),
            value(ConfigKeys.NODE_PRICE).map(ConfigValues::price),
            value(ConfigKeys.NODE_CAPACITY).map(ConfigValues::capacity),
            listen,
            coordination(node, directory, listen),
            ledger(directory),
            replication(),
            balance(),
            value(ConfigKeys.VERSIONS_KEPT, Duration.ZERO),
            value(ConfigKeys.CHANGES_KEPT, Duration.ZERO),
            value(ConfigKeys.CHANGES_RECORDS, 1L),
            control(),
            bookie(directory, listen),
            value(ConfigKeys.ENGINE_KIND, EngineSettings.DEFAULT_KIND),
            value(ConfigKeys.ENGINE_CACHE, 0L),
            value(ConfigKeys.ENGINE_WINDOW, 0L),
            engineAccess(),
            metrics(),
            value(ConfigKeys.STOP_TIMEOUT, Duration.ZERO),
            new ServerConfig.Log(
                value(ConfigKeys.LOG_LEVEL, LogLevel.INFO),
                value(ConfigKeys.LOG_LIBRARIES, LogLevel.ERROR),
                value(ConfigKeys.LOG_FILE).map(text -> file.resolveSibling(text).normalize()),
                value(ConfigKeys.LOG_FILE_SIZE, 1L << 20),
                number(ConfigKeys.LOG_FILES)));
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
    return value(ConfigKeys.COORDINATION, CoordinationKind.LOCAL) == CoordinationKind.ZOOKEEPER;
  }

  private boolean onBookies() {
    return value(ConfigKeys.LEDGER_KIND, LedgerKind.LOCAL) == LedgerKind.BOOKKEEPER;
  }

  private void checkKinds() {
    if (value(ConfigKeys.COORDINATION).isEmpty() || value(ConfigKeys.LEDGER_KIND).isEmpty()) {
      // What is meant is not known, so nothing can contradict it.
      return;
    }
    boolean embedded = value(ConfigKeys.ZOOKEEPER_EMBEDDED, false);
    if (onBookies() && !onZooKeeper()) {
      problem(
          ConfigKeys.LEDGER_KIND,
          "ledger.kind \"bookkeeper\" needs coordination = \"zookeeper\": bookies are found there");
    }
    if (onZooKeeper() && !onBookies()) {
      problem(
          ConfigKeys.COORDINATION,
          "coordination \"zookeeper\" needs ledger.kind = \"bookkeeper\": nodes of one cluster"
              + " share a ledger, and a local one is this node's alone");
    }
    if (!onZooKeeper()) {
      needsZooKeeper(ConfigKeys.ZOOKEEPER_CONNECT, isSet(ConfigKeys.ZOOKEEPER_CONNECT));
      needsZooKeeper(ConfigKeys.ZOOKEEPER_EMBEDDED, embedded);
      needsZooKeeper(
          ConfigKeys.ZOOKEEPER_SERVERS, !value(ConfigKeys.ZOOKEEPER_SERVERS, List.of()).isEmpty());
      needsZooKeeper(ConfigKeys.BOOKIE_ENABLED, value(ConfigKeys.BOOKIE_ENABLED, false));
    } else if (!embedded) {
      if (!isSet(ConfigKeys.ZOOKEEPER_CONNECT)) {
        problem(
            ConfigKeys.COORDINATION,
            "coordination \"zookeeper\" needs zookeeper.connect, or zookeeper.embedded = true");
      }
      if (!value(ConfigKeys.ZOOKEEPER_SERVERS, List.of()).isEmpty()) {
        problem(
            ConfigKeys.ZOOKEEPER_SERVERS,
            "zookeeper.servers lists embedded servers, but zookeeper.embedded is false here: name"
                + " their ports of clients in zookeeper.connect");
      }
    }
  }

  private void checkSecret() {
    if (isSet(ConfigKeys.CLUSTER_SECRET) && isSet(ConfigKeys.CLUSTER_SECRET_FILE)) {
      problem(
          ConfigKeys.CLUSTER_SECRET_FILE,
          "cluster.secret-file is given, and cluster.secret too: give one");
    } else if (onZooKeeper()
        && !isSet(ConfigKeys.CLUSTER_SECRET)
        && !isSet(ConfigKeys.CLUSTER_SECRET_FILE)) {
      problem(
          ConfigKeys.COORDINATION,
          "coordination \"zookeeper\" needs cluster.secret-file, the same on all nodes: they know"
              + " each other by it. Make one by "
              + SecretFile.HOW_TO_MAKE);
    }
  }

  private Optional<SecretSource> secret() {
    if (isSet(ConfigKeys.CLUSTER_SECRET_FILE)) {
      return Optional.of(new SecretSource.File(path(ConfigKeys.CLUSTER_SECRET_FILE, file)));
    }
    return value(ConfigKeys.CLUSTER_SECRET)
        .map(text -> new SecretSource.Value(ClusterSecret.of(text)));
  }

  private void checkEngine() {
    Optional<EngineKind> kind = value(ConfigKeys.ENGINE_KIND).map(EngineKinds::named);
    if (kind.isEmpty()) {
      // What is meant is not known, so that no kind can contradict it.
      checkPasswordFile();
    } else if (kind.get().hasServer()) {
      checkServed(kind.get());
      checkPasswordFile();
    } else {
      checkWithoutServer(kind.get().name());
    }
    if (isSet(ConfigKeys.ENGINE_PASSWORD) && isSet(ConfigKeys.ENGINE_PASSWORD_FILE)) {
      problem(
          ConfigKeys.ENGINE_PASSWORD_FILE,
          "engine.password-file is given, and engine.password too: give one");
    }
  }

  private void checkServed(EngineKind kind) {
    if (!isSet(ConfigKeys.ENGINE_URL)) {
      problem(
          ConfigKeys.ENGINE_KIND,
          "engine.kind \"" + kind.name() + "\" needs engine.url: where its server is");
    }
    value(ConfigKeys.ENGINE_URL).ifPresent(url -> checkUrl(kind, url));
    if (isSet(ConfigKeys.ENGINE_CACHE)) {
      problem(
          ConfigKeys.ENGINE_CACHE,
          ("engine.cache is for an engine within the node's process, and \"%s\" has its cache on"
                  + " its server: set it there (of a server of \"cluster up\" in database.options"
                  + " beside this file), and leave engine.cache out")
              .formatted(kind.name()));
    }
  }

  private void checkUrl(EngineKind kind, String url) {
    Optional<String> wrong = kind.urlProblem(url);
    if (wrong.isPresent()) {
      problem(
          ConfigKeys.ENGINE_URL,
          "engine.url %s where engine.kind is \"%s\"".formatted(wrong.get(), kind.name()));
      return;
    }
    boolean hasPassword =
        isSet(ConfigKeys.ENGINE_PASSWORD) || isSet(ConfigKeys.ENGINE_PASSWORD_FILE);
    for (String why : kind.logInProblems(url, isSet(ConfigKeys.ENGINE_USER), hasPassword)) {
      problem(ConfigKeys.ENGINE_URL, "engine.url " + why);
    }
  }

  private void checkWithoutServer(String kind) {
    for (ConfigKey<?> key :
        List.of(
            ConfigKeys.ENGINE_URL,
            ConfigKeys.ENGINE_USER,
            ConfigKeys.ENGINE_PASSWORD_FILE,
            ConfigKeys.ENGINE_PASSWORD)) {
      if (isSet(key)) {
        problem(key, key.name() + " is for an engine with a server, and \"" + kind + "\" has none");
      }
    }
  }

  /** It has to be there when the node starts, and is nothing for others. */
  private void checkPasswordFile() {
    Optional<Path> given = passwordFile();
    if (given.isEmpty()) {
      return;
    }
    Path at = given.get();
    try {
      if (!Files.exists(at)) {
        problem(
            ConfigKeys.ENGINE_PASSWORD_FILE,
            "engine.password-file: " + at + " is not there: write the password into it");
      } else if ((!isLookedInto(at) || isPassword(at)) && SecretFile.isOpenToOthers(at)) {
        problem(
            ConfigKeys.ENGINE_PASSWORD_FILE,
            "engine.password-file: others than its owner have access to %s: chmod 600 %s"
                .formatted(at, at));
      }
    } catch (IOException e) {
      problem(
          ConfigKeys.ENGINE_PASSWORD_FILE,
          "engine.password-file: it is not known who can read " + at + ": " + e.getMessage());
    }
  }

  /**
   * Whether what is in it is looked at before the start: a pipe gives it once, and who asks what a
   * node is told need not know its password.
   */
  private static boolean isLookedInto(Path at) {
    return Files.isDirectory(at) || (Files.isRegularFile(at) && Files.isReadable(at));
  }

  /** Whether a password is read from a file; if not, it is said why. */
  private boolean isPassword(Path at) {
    try {
      EngineAccess.read(at);
      return true;
    } catch (IOException e) {
      problem(ConfigKeys.ENGINE_PASSWORD_FILE, "engine.password-file: " + e.getMessage());
      return false;
    }
  }

  private Optional<Path> passwordFile() {
    return value(ConfigKeys.ENGINE_PASSWORD_FILE)
        .map(text -> file.resolveSibling(text).normalize());
  }

  private Optional<EngineAccess> engineAccess() {
    return value(ConfigKeys.ENGINE_URL)
        .map(
            url ->
                new EngineAccess(
                    url,
                    value(ConfigKeys.ENGINE_USER),
                    passwordFile(),
                    value(ConfigKeys.ENGINE_PASSWORD)));
  }

  private void needsZooKeeper(ConfigKey<?> key, boolean wanted) {
    if (wanted) {
      problem(key, key.name() + " needs coordination = \"zookeeper\"");
    }
  }

  private void checkSplitHints() {
    List<String> hints = value(ConfigKeys.CLUSTER_SPLIT_HINTS, List.of());
    for (int i = 0; i < hints.size(); i++) {
      if (i > 0 && hints.get(i - 1).compareTo(hints.get(i)) >= 0) {
        problem(
            ConfigKeys.CLUSTER_SPLIT_HINTS,
            "cluster.split-hints must be in order, each once: "
                + hints.get(i)
                + " comes after "
                + hints.get(i - 1));
        return;
      }
      if (hints.get(i).length() > 2 * Limits.KEY_BYTES_MAX) {
        problem(
            ConfigKeys.CLUSTER_SPLIT_HINTS,
            "cluster.split-hints: number "
                + (i + 1)
                + " is longer than a key may be, "
                + Limits.KEY_BYTES_MAX
                + " bytes");
        return;
      }
    }
  }

  private void checkHost(ConfigKey<String> key, ConfigKey<Long> port) {
    String host = value(key, "");
    if (isSet(key) && HOST_AND_PORT.matcher(host).matches()) {
      problem(
          key,
          key.name() + " is a host without a port, not " + host + ": the port is " + port.name());
    }
  }

  /** Ports of this node's own servers, and those that the ensemble has on one host. */
  private void checkPorts() {
    Map<String, String> taken = new TreeMap<>();
    String here = value(ConfigKeys.LISTEN_HOST, "");
    value(ConfigKeys.LISTEN_PORT)
        .filter(port -> port > 0)
        .ifPresent(port -> taken.put(here + ":" + port, ConfigKeys.LISTEN_PORT.name()));
    checkPort(
        taken,
        ConfigKeys.METRICS_PORT,
        value(ConfigKeys.METRICS_HOST, ""),
        value(ConfigKeys.METRICS_PORT).filter(port -> port > 0),
        ConfigKeys.METRICS_PORT.name());
    if (value(ConfigKeys.BOOKIE_ENABLED, false)) {
      checkPort(
          taken,
          ConfigKeys.BOOKIE_PORT,
          here,
          value(ConfigKeys.BOOKIE_PORT),
          ConfigKeys.BOOKIE_PORT.name());
    }
    if (!value(ConfigKeys.ZOOKEEPER_EMBEDDED, false)) {
      return;
    }
    List<String> servers = value(ConfigKeys.ZOOKEEPER_SERVERS, List.of());
    if (servers.isEmpty()) {
      checkPort(
          taken,
          ConfigKeys.ZOOKEEPER_PORT,
          here,
          value(ConfigKeys.ZOOKEEPER_PORT),
          ConfigKeys.ZOOKEEPER_PORT.name());
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
          ConfigKeys.ZOOKEEPER_SERVERS,
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

  /** Whether it is an address in numbers, however it is written, that stands for all there are. */
  private static boolean isAnyAddress(String host) {
    return isAny(host, Inet4Address::ofPosixLiteral) || isAny(host, InetAddress::ofLiteral);
  }

  private static boolean isAny(String host, Function<String, InetAddress> literal) {
    try {
      return literal.apply(host).isAnyLocalAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Each part of a node wipes or locks what it finds in its directory as its own. */
  private void checkDirectories() {
    Map<Path, ConfigKey<?>> taken = new TreeMap<>();
    Path node = path(ConfigKeys.NODE_DIRECTORY, file);
    taken.put(node, ConfigKeys.NODE_DIRECTORY);
    taken.put(ServerConfig.engineOf(node), ConfigKeys.NODE_DIRECTORY);
    if (value(ConfigKeys.ZOOKEEPER_EMBEDDED, false)) {
      checkDirectory(taken, ConfigKeys.ZOOKEEPER_DIRECTORY, "zookeeper");
    }
    if (value(ConfigKeys.BOOKIE_ENABLED, false)) {
      checkDirectory(taken, ConfigKeys.BOOKIE_DIRECTORY, "bookie");
    }
    if (!onBookies()) {
      checkDirectory(taken, ConfigKeys.LEDGER_DIRECTORY, "ledger");
    }
  }

  private void checkDirectory(
      Map<Path, ConfigKey<?>> taken, ConfigKey<String> key, String usually) {
    Path node = path(ConfigKeys.NODE_DIRECTORY, file);
    Path directory = path(key, node.resolve(usually));
    for (Map.Entry<Path, ConfigKey<?>> other : taken.entrySet()) {
      Path there = other.getKey();
      boolean isWithin = directory.startsWith(there) && !there.equals(node);
      if (isWithin || there.startsWith(directory)) {
        String how = directory.equals(there) ? " is the same directory as " : meets(isWithin);
        ConfigKey<?> at = isSet(key) ? key : other.getValue();
        problem(at, key.name() + how + other.getValue().name() + ": " + directory);
        return;
      }
    }
    taken.put(directory, key);
  }

  private static String meets(boolean isWithin) {
    return isWithin ? " is within a directory of " : " has within it a directory of ";
  }

  private void checkQuorums() {
    noMoreThan(ConfigKeys.LEDGER_WRITE_QUORUM, ConfigKeys.LEDGER_ENSEMBLE);
    noMoreThan(ConfigKeys.LEDGER_ACK_QUORUM, ConfigKeys.LEDGER_WRITE_QUORUM);
    Optional<Long> acknowledged = value(ConfigKeys.LEDGER_ACK_QUORUM);
    Optional<Long> written = value(ConfigKeys.LEDGER_WRITE_QUORUM);
    if (acknowledged.isPresent()
        && written.isPresent()
        && 2 * acknowledged.get() <= written.get()) {
      problem(
          isSet(ConfigKeys.LEDGER_ACK_QUORUM)
              ? ConfigKeys.LEDGER_ACK_QUORUM
              : ConfigKeys.LEDGER_WRITE_QUORUM,
          "ledger.ack-quorum is "
              + acknowledged.get()
              + ", no majority of ledger.write-quorum, which is "
              + written.get());
    }
  }

  private ServerConfig.Replication replication() {
    return new ServerConfig.Replication(
        onZooKeeper() ? number(ConfigKeys.REPLICATION_COPIES) : 1,
        value(ConfigKeys.REPLICATION_LONG_FAILURE, Duration.ZERO),
        value(ConfigKeys.REPLICATION_SETTLE, Duration.ZERO),
        // A node that is alone has nothing to place.
        !onZooKeeper() || value(ConfigKeys.PLACEMENT_RELAXED, false),
        value(ConfigKeys.HOT_REPLICAS_MEMORY, 0L),
        value(ConfigKeys.HOT_REPLICAS_THRESHOLD, 1L),
        value(ConfigKeys.HOT_REPLICAS_THRESHOLD_FACTOR, 2.0));
  }

  private ServerConfig.Balance balance() {
    return new ServerConfig.Balance(
        value(ConfigKeys.BALANCE_AUTOMATIC, false),
        value(ConfigKeys.BALANCE_SPLIT_SIZE, 1L),
        value(ConfigKeys.BALANCE_SPLIT_RATE, 0L),
        value(ConfigKeys.BALANCE_MERGE_AFTER, Duration.ZERO),
        value(ConfigKeys.BALANCE_SHIFT_SIZE, 1L));
  }

  private ServerConfig.Control control() {
    return new ServerConfig.Control(
        value(ConfigKeys.QOS_CHECK, Duration.ZERO),
        number(ConfigKeys.QOS_WINDOW),
        value(ConfigKeys.QOS_PROVISION_WITHIN, Duration.ZERO),
        value(ConfigKeys.PROVISIONER_COMMAND).flatMap(this::provisioner));
  }

  private Optional<CommandWords> provisioner(String text) {
    try {
      return Optional.of(CommandWords.parse(text));
    } catch (IllegalArgumentException e) {
      problem(ConfigKeys.PROVISIONER_COMMAND, "provisioner.command " + e.getMessage());
      return Optional.empty();
    }
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
    String host = value(ConfigKeys.LISTEN_HOST, "");
    String advertised = value(ConfigKeys.LISTEN_ADVERTISE, "");
    if (isAnyAddress(advertised)) {
      problem(
          ConfigKeys.LISTEN_ADVERTISE,
          "listen.advertise " + advertised + " is no address that others could reach");
    }
    if (isAnyAddress(host) && !isSet(ConfigKeys.LISTEN_ADVERTISE)) {
      problem(
          ConfigKeys.LISTEN_HOST,
          "listen.host "
              + host
              + " is no address that others could reach: give one in listen.advertise");
    }
    return new ServerConfig.Listen(
        host, number(ConfigKeys.LISTEN_PORT), value(ConfigKeys.LISTEN_ADVERTISE, host));
  }

  private ServerConfig.Coordination coordination(
      NodeId node, Path directory, ServerConfig.Listen listen) {
    if (!onZooKeeper()) {
      return new ServerConfig.Coordination.Local(directory.resolve("coordination"));
    }
    List<EnsembleMember> ensemble = ensemble(node);
    Optional<ServerConfig.Embedded> embedded = Optional.empty();
    String connect = value(ConfigKeys.ZOOKEEPER_CONNECT, "");
    if (value(ConfigKeys.ZOOKEEPER_EMBEDDED, false)) {
      Optional<EnsembleMember> own =
          ensemble.stream().filter(member -> member.id() == node.value()).findFirst();
      int port = own.map(EnsembleMember::clientPort).orElse(number(ConfigKeys.ZOOKEEPER_PORT));
      String host = own.map(EnsembleMember::host).orElse(listen.host());
      embedded =
          Optional.of(
              new ServerConfig.Embedded(
                  path(ConfigKeys.ZOOKEEPER_DIRECTORY, directory.resolve("zookeeper")),
                  host,
                  port,
                  ensemble));
      if (connect.isEmpty()) {
        connect =
            ensemble.isEmpty()
                ? AddressList.text(host, port)
                : ensemble.stream()
                    .map(EnsembleMember::clientAddress)
                    .collect(Collectors.joining(","));
      }
    }
    return new ServerConfig.Coordination.ZooKeeper(
        connect, value(ConfigKeys.ZOOKEEPER_SESSION, Duration.ZERO), embedded);
  }

  private List<EnsembleMember> ensemble(NodeId node) {
    List<EnsembleMember> members = new ArrayList<>();
    for (String text : value(ConfigKeys.ZOOKEEPER_SERVERS, List.of())) {
      try {
        EnsembleMember member = EnsembleMember.parse(text);
        if (members.stream().anyMatch(other -> other.id() == member.id())) {
          problem(
              ConfigKeys.ZOOKEEPER_SERVERS,
              "zookeeper.servers: there are two servers " + member.id());
        }
        members.add(member);
      } catch (IllegalArgumentException e) {
        problem(ConfigKeys.ZOOKEEPER_SERVERS, "zookeeper.servers: " + text + ": " + e.getMessage());
      }
    }
    boolean embedded = value(ConfigKeys.ZOOKEEPER_EMBEDDED, false);
    if (embedded
        && !members.isEmpty()
        && isSet(ConfigKeys.NODE_ID)
        && members.stream().noneMatch(member -> member.id() == node.value())) {
      problem(
          ConfigKeys.ZOOKEEPER_SERVERS,
          "zookeeper.servers has no server "
              + node.value()
              + ", but zookeeper.embedded is true on this node");
    }
    return List.copyOf(members);
  }

  private ServerConfig.Ledger ledger(Path directory) {
    long segmentBytes = value(ConfigKeys.LEDGER_SEGMENT, 0L);
    return onBookies()
        ? new ServerConfig.Ledger.BookKeeper(
            number(ConfigKeys.LEDGER_ENSEMBLE),
            number(ConfigKeys.LEDGER_WRITE_QUORUM),
            number(ConfigKeys.LEDGER_ACK_QUORUM),
            segmentBytes)
        : new ServerConfig.Ledger.Local(
            path(ConfigKeys.LEDGER_DIRECTORY, directory.resolve("ledger")), (int) segmentBytes);
  }

  private Optional<ServerConfig.MetricsPort> metrics() {
    return value(ConfigKeys.METRICS_PORT)
        .filter(port -> port > 0)
        .map(
            port ->
                new ServerConfig.MetricsPort(value(ConfigKeys.METRICS_HOST, ""), port.intValue()));
  }

  private Optional<ServerConfig.Bookie> bookie(Path directory, ServerConfig.Listen listen) {
    return value(ConfigKeys.BOOKIE_ENABLED, false)
        ? Optional.of(
            new ServerConfig.Bookie(
                path(ConfigKeys.BOOKIE_DIRECTORY, directory.resolve("bookie")),
                listen.host(),
                number(ConfigKeys.BOOKIE_PORT)))
        : Optional.empty();
  }
}
