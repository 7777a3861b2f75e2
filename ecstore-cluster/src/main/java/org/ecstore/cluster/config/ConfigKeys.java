package org.ecstore.cluster.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.ecstore.client.net.AddressList;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.model.NodeTraits;

/** Every key there is. What the documents and the command line say of keys is made from these. */
final class ConfigKeys {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9.:_%-]{0,254}");
  private static final Pattern SECRET = Pattern.compile("\\s*\\S[^\\x00\\n]{30,1022}\\S\\s*");
  private static final Pattern ENGINES = Pattern.compile(String.join("|", EngineKinds.names()));

  /** What controls a terminal, or turns the direction of what follows. */
  private static final String CONTROLS = "\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069";

  private static final Pattern URL =
      Pattern.compile("[a-z][a-z0-9+.-]*:[^\\s" + CONTROLS + "]{1,2000}");
  private static final Pattern USER = Pattern.compile("[^" + CONTROLS + "]{1,256}");
  private static final Pattern PASSWORD = Pattern.compile("[^\\x00\\n]{1,1024}");
  private static final Pattern COMMAND = Pattern.compile("[^" + CONTROLS + "]{1,2000}");
  private static final Pattern PATH = Pattern.compile("[^" + CONTROLS + "]+");
  private static final String HOST_OF_SEVERAL =
      "([A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]*:[A-Za-z0-9.:_%-]*\\])";
  private static final String ADDRESS = HOST_OF_SEVERAL + ":[0-9]{1,5}";
  private static final Pattern ADDRESSES = Pattern.compile(ADDRESS + "(," + ADDRESS + ")*");
  private static final Pattern HEXADECIMAL = Pattern.compile("([0-9a-f]{2})+");
  private static final Pattern ENSEMBLE_MEMBER =
      Pattern.compile("\\d{1,3}@([^@:;\\s\\[\\]]+|\\[[^@;\\s\\[\\]]+\\]):\\d+:\\d+;\\d+");

  private static final long NODES_MAX = 999_999_999;
  private static final long PORT_MAX = 65_535;
  private static final int BOOKIES_MAX = 15;
  private static final int LOG_FILES_MAX = 1000;
  private static final int COPIES_MAX = 15;
  private static final int CHECKS_MAX = 1000;
  private static final int PRICE_MAX = 1_000_000;
  private static final double CAPACITY_MIN = 0.01;
  private static final double CAPACITY_MAX = 9_999.99;

  static final ConfigKey<String> CLUSTER_NAME =
      ConfigKey.of(
          "cluster.name",
          ValueKind.text("letters, digits, \".\", \"_\" and \"-\", 64 at most", NAME),
          "ecstore",
          "The cluster's name: the same on all its nodes. Clusters that share a ZooKeeper differ in"
              + " it.");

  static final ConfigKey<String> CLUSTER_SECRET_FILE =
      ConfigKey.open(
          "cluster.secret-file",
          ValueKind.text("a path", PATH),
          "must be given unless cluster.secret is, if coordination is \"zookeeper\"",
          "The file with the secret by which nodes of the cluster and its operators are known, of"
              + " 32 characters or more; the same on all nodes, and for its owner only. `cluster"
              + " up` makes one.");

  static final ConfigKey<String> CLUSTER_SECRET =
      ConfigKey.open(
          "cluster.secret",
          ValueKind.secret("text of 32 to 1024 characters", SECRET),
          "cluster.secret-file",
          "The secret itself, for an environment that hands secrets over like this. It is never"
              + " shown.");

  static final ConfigKey<List<String>> CLUSTER_SPLIT_HINTS =
      ConfigKey.of(
          "cluster.split-hints",
          ValueKind.texts("a list of keys in hexadecimal, in order", HEXADECIMAL),
          "",
          "Where the data will be: nodes that join before there is any cut ranges at these keys."
              + " The same on all nodes.");

  static final ConfigKey<Long> NODE_ID =
      ConfigKey.open(
          "node.id",
          ValueKind.number(1, NODES_MAX),
          "must be given",
          "The node's number, of its own in the cluster and for ever.");

  static final ConfigKey<String> NODE_DIRECTORY =
      ConfigKey.open(
          "node.directory",
          ValueKind.text("a path", PATH),
          "must be given",
          "Where the node keeps its data; made if it is not there. Like all paths, as seen from"
              + " the directory of the configuration file.");

  static final ConfigKey<String> NODE_HOST =
      ConfigKey.open(
          "node.host",
          ValueKind.text("letters, digits, \".\", \"_\" and \"-\", 64 at most", NAME),
          "listen.advertise",
          "A label of what the node shares with others that fail together with it: its machine, or"
              + " its rack. No two copies of a range are on nodes of one label.");

  static final ConfigKey<String> NODE_CLASS =
      ConfigKey.of(
          "node.class",
          ValueKind.text("letters, digits, \".\", \"_\" and \"-\", 64 at most", NAME),
          NodeTraits.STANDARD,
          "The class of the node's machine, as you call it. `cluster status --json` shows it of"
              + " each node.");

  static final ConfigKey<Double> NODE_PRICE =
      ConfigKey.open(
          "node.price",
          ValueKind.decimal(0, PRICE_MAX),
          "not known",
          "What an hour of the node costs, in your currency; of its fraction nine digits count.");

  static final ConfigKey<Double> NODE_CAPACITY =
      ConfigKey.open(
          "node.capacity",
          ValueKind.decimal(CAPACITY_MIN, CAPACITY_MAX),
          "all that the machine has",
          "How many processors the node may keep busy on average, of its fraction two digits, so"
              + " that several nodes of one machine are like smaller machines each. The kernel sees"
              + " to it where it can (cgroup v2); else the node, which then answers clients later"
              + " and nodes at once. `cluster status --json` says which. Below 1 the virtual machine"
              + " has its quick compiler alone, which compiles early (`-XX:TieredStopAtLevel=1"
              + " -XX:CompileThresholdScaling=0.1`), unless `ECSTORE_JAVA_OPTS` says otherwise.");

  static final ConfigKey<String> LISTEN_HOST =
      ConfigKey.of(
          "listen.host",
          ValueKind.text("a host name or an address", HOST),
          "127.0.0.1",
          "The address to listen on, for clients and other nodes. Nothing is encrypted,"
              + " and clients need no secret: leave it on loopback, or on a network of your own.");

  static final ConfigKey<Long> LISTEN_PORT =
      ConfigKey.of(
          "listen.port",
          ValueKind.number(0, PORT_MAX),
          String.valueOf(AddressList.DEFAULT_PORT),
          "The port to listen on; 0 for any that is free.");

  static final ConfigKey<String> LISTEN_ADVERTISE =
      ConfigKey.open(
          "listen.advertise",
          ValueKind.text("a host name or an address", HOST),
          "listen.host",
          "Under which host others reach this node. Must be given if it listens on all addresses.");

  static final ConfigKey<CoordinationKind> COORDINATION =
      ConfigKey.of(
          "coordination",
          ValueKind.choice(List.of(CoordinationKind.values())),
          "local",
          "What nodes agree by: \"local\" for a cluster of this one node, \"zookeeper\" for any.");

  static final ConfigKey<String> ZOOKEEPER_CONNECT =
      ConfigKey.open(
          "zookeeper.connect",
          ValueKind.text("addresses, as \"host:port,host:port\"", ADDRESSES),
          "the embedded servers",
          "Where ZooKeeper is, an IPv6 host in brackets. Must be given unless this node hosts a server"
              + " of it.");

  static final ConfigKey<Boolean> ZOOKEEPER_EMBEDDED =
      ConfigKey.of(
          "zookeeper.embedded",
          ValueKind.flag(),
          "false",
          "Whether this node hosts a ZooKeeper server, with its data on disk.");

  static final ConfigKey<Long> ZOOKEEPER_PORT =
      ConfigKey.of(
          "zookeeper.port",
          ValueKind.number(1, PORT_MAX),
          "2181",
          "The port of the embedded server if it is the only one; listens on listen.host.");

  static final ConfigKey<List<String>> ZOOKEEPER_SERVERS =
      ConfigKey.of(
          "zookeeper.servers",
          ValueKind.texts("a list of servers, as \"1@host:2888:3888;2181\"", ENSEMBLE_MEMBER),
          "",
          "All embedded servers of the cluster if there are several: node id (255 at most), host"
              + " (of IPv6 in brackets), the two ports between servers, and the port of clients.");

  static final ConfigKey<String> ZOOKEEPER_DIRECTORY =
      ConfigKey.open(
          "zookeeper.directory",
          ValueKind.text("a path", PATH),
          "node.directory/zookeeper",
          "Where the embedded server keeps its data.");

  static final ConfigKey<Duration> ZOOKEEPER_SESSION =
      ConfigKey.of(
          "zookeeper.session-timeout",
          ValueKind.duration(Duration.ofMillis(500), Duration.ofMinutes(1)),
          "2s",
          "How long a node may be silent before the others count it out.");

  static final ConfigKey<LedgerKind> LEDGER_KIND =
      ConfigKey.of(
          "ledger.kind",
          ValueKind.choice(List.of(LedgerKind.values())),
          "local",
          "Where commits are kept: \"local\" in files of this one node, \"bookkeeper\" on"
              + " bookies.");

  static final ConfigKey<String> LEDGER_DIRECTORY =
      ConfigKey.open(
          "ledger.directory",
          ValueKind.text("a path", PATH),
          "node.directory/ledger",
          "Where a local ledger is.");

  static final ConfigKey<Long> LEDGER_SEGMENT =
      ConfigKey.of(
          "ledger.segment-size",
          ValueKind.size(1L << 20, 1L << 30),
          "64MiB",
          "How much goes into a segment of the ledger before the next begins.");

  static final ConfigKey<Long> LEDGER_ENSEMBLE =
      ConfigKey.of(
          "ledger.ensemble",
          ValueKind.number(1, BOOKIES_MAX),
          "3",
          "How many bookies a segment is spread over; so many must be there for one to begin.");

  static final ConfigKey<Long> LEDGER_WRITE_QUORUM =
      ConfigKey.of(
          "ledger.write-quorum",
          ValueKind.number(1, BOOKIES_MAX),
          "3",
          "How many of them each entry is written to.");

  static final ConfigKey<Long> LEDGER_ACK_QUORUM =
      ConfigKey.of(
          "ledger.ack-quorum",
          ValueKind.number(1, BOOKIES_MAX),
          "2",
          "How many of these must have it on disk before a commit is acknowledged.");

  static final ConfigKey<Long> REPLICATION_COPIES =
      ConfigKey.of(
          "replication.copies",
          ValueKind.number(1, COPIES_MAX),
          "3",
          "How many copies of each range there shall be, the primary's among them; as many as there"
              + " are hosts while these are fewer, and one where coordination is \"local\". The"
              + " same on all nodes.");

  static final ConfigKey<Duration> REPLICATION_LONG_FAILURE =
      ConfigKey.of(
          "replication.long-failure",
          ValueKind.duration(Duration.ofSeconds(1), Duration.ofHours(24)),
          "5min",
          "How long a node may be gone before its copies are made anew on others. The same on all"
              + " nodes.");

  static final ConfigKey<Duration> REPLICATION_SETTLE =
      ConfigKey.of(
          "replication.settle",
          ValueKind.duration(Duration.ofMillis(100), Duration.ofHours(1)),
          "5s",
          "How long a node must be back before the ranges that others served for it go back to it."
              + " The same on all nodes.");

  static final ConfigKey<Boolean> PLACEMENT_RELAXED =
      ConfigKey.of(
          "placement.relaxed",
          ValueKind.flag(),
          "false",
          "Whether the cluster begins, and goes on, where the kinds of its engines together lack"
              + " what copies need: one that persists, one fast at writing, one fast at reading,"
              + " and one for primaries, which are to persist and to write fast. Without a copy"
              + " that persists the ledger is kept whole. The same on all nodes.");

  static final ConfigKey<Long> HOT_REPLICAS_MEMORY =
      ConfigKey.of(
          "hot-replicas.memory",
          ValueKind.size(0, 1L << 40),
          "64MiB",
          "How much memory of this node, within the heap of the process, hot-spot replicas of busy"
              + " keys of other nodes may take. With \"0MiB\" the node holds none, and its own"
              + " copies get none.");

  static final ConfigKey<Long> HOT_REPLICAS_THRESHOLD =
      ConfigKey.of(
          "hot-replicas.threshold",
          ValueKind.number(1, 1_000_000_000),
          "1000",
          "From how many reads per second on the busiest keys of a copy get hot-spot replicas on"
              + " nodes that have less to do.");

  static final ConfigKey<Double> HOT_REPLICAS_THRESHOLD_FACTOR =
      ConfigKey.of(
          "hot-replicas.threshold-factor",
          ValueKind.decimal(1.1, 100),
          "2.0",
          "They get more each time the load of the copy has grown by this factor: the threshold"
              + " factor of the paper, lambda.");

  static final ConfigKey<Boolean> BALANCE_AUTOMATIC =
      ConfigKey.of(
          "balance.automatic",
          ValueKind.flag(),
          "true",
          "Whether ranges are split, merged and moved by size and by load without being told to; if"
              + " not, only by \"cluster rebalance\". The same on all nodes, like all of balance.");

  static final ConfigKey<Long> BALANCE_SPLIT_SIZE =
      ConfigKey.of(
          "balance.split-size",
          ValueKind.size(1L << 16, 1L << 40),
          "256MiB",
          "A range that holds more is split; neighbours that hold less than a quarter together may"
              + " become one again.");

  static final ConfigKey<Long> BALANCE_SPLIT_RATE =
      ConfigKey.of(
          "balance.split-rate",
          ValueKind.number(0, 1_000_000_000),
          "5000",
          "A node with more reads and updates per second lets other holders of copies be primary of"
              + " some of its ranges, if they have less than half as much to do; a range with more"
              + " is split where its load is halved. With 0 the load counts for nothing.");

  static final ConfigKey<Duration> BALANCE_MERGE_AFTER =
      ConfigKey.of(
          "balance.merge-after",
          ValueKind.duration(Duration.ZERO, Duration.ofHours(24)),
          "1h",
          "How long neighbours on the same nodes must have been small to become one range; with 0s"
              + " they never do.");

  static final ConfigKey<Long> BALANCE_SHIFT_SIZE =
      ConfigKey.of(
          "balance.shift-size",
          ValueKind.size(1L << 16, 1L << 40),
          "64MiB",
          "How much more than its neighbour, and more than twice as much, a node must hold to give"
              + " it a range.");

  static final ConfigKey<Duration> VERSIONS_KEPT =
      ConfigKey.of(
          "versions.kept",
          ValueKind.duration(Duration.ofSeconds(1), Duration.ofHours(24)),
          "10s",
          "How long values are kept that were replaced: so long the token of a snapshot or of a"
              + " page can be read at. Open snapshots and transactions last as long as they are"
              + " open; both no longer than engine.window has room. At 10,000 updates of 1 KB per"
              + " second each second costs 10 MB of it. The same on all nodes.");

  static final ConfigKey<Duration> CHANGES_KEPT =
      ConfigKey.of(
          "changes.kept",
          ValueKind.duration(Duration.ZERO, Duration.ofDays(7)),
          "0s",
          "How long the ledger is kept for readers of changes, so that one that was away goes on"
              + " where it was; with 0s no longer than nodes need it. A start of all nodes at once"
              + " reads all of it. At 10,000 updates of 1 KB per second a minute takes 600 MB of"
              + " disk on each bookie that has it. The same on all nodes.");

  static final ConfigKey<Long> CHANGES_RECORDS =
      ConfigKey.of(
          "changes.records",
          ValueKind.number(1, 1_000_000_000_000L),
          "10000000",
          "The most records that the ledger is kept for readers of changes, however young. The same"
              + " on all nodes.");

  static final ConfigKey<Duration> QOS_CHECK =
      ConfigKey.of(
          "qos.check",
          ValueKind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
          "30s",
          "How often the controller looks whether objectives are kept (qos.md). Clients report as"
              + " often, or more often. The same on all nodes, like all of qos.");

  static final ConfigKey<Long> QOS_WINDOW =
      ConfigKey.of(
          "qos.window",
          ValueKind.number(2, CHECKS_MAX),
          "20",
          "How many checks the controller looks back on: a guarantee that was violated in half of"
              + " them calls for something. So many pass as well before what was done is judged.");

  static final ConfigKey<Duration> QOS_PROVISION_WITHIN =
      ConfigKey.of(
          "qos.provision-within",
          ValueKind.duration(Duration.ofSeconds(10), Duration.ofHours(24)),
          "10min",
          "How long a node that the controller adds may take until it has its place, and one that"
              + " it takes away until it has gone.");

  static final ConfigKey<String> PROVISIONER_COMMAND =
      ConfigKey.open(
          "provisioner.command",
          ValueKind.text("a command line of 2000 characters at most", COMMAND),
          "none: people add and remove nodes",
          "The program that starts and stops nodes for the controller, run as COMMAND add N and"
              + " COMMAND remove N while this node leads, with ECSTORE_ACTION, ECSTORE_NODE and"
              + " ECSTORE_CLUSTER in its environment (qos.md). No shell reads the line; a word with"
              + " blanks stands between double quotes. It is killed after 5 minutes. On each node"
              + " that may lead.");

  static final ConfigKey<Boolean> BOOKIE_ENABLED =
      ConfigKey.of(
          "bookie.enabled", ValueKind.flag(), "false", "Whether this node hosts a bookie.");

  static final ConfigKey<Long> BOOKIE_PORT =
      ConfigKey.of(
          "bookie.port",
          ValueKind.number(1, PORT_MAX),
          "3181",
          "The port of the bookie; listens on listen.host.");

  static final ConfigKey<String> BOOKIE_DIRECTORY =
      ConfigKey.open(
          "bookie.directory",
          ValueKind.text("a path", PATH),
          "node.directory/bookie",
          "Where the bookie keeps its data.");

  static final ConfigKey<String> ENGINE_KIND =
      ConfigKey.of(
          "engine.kind",
          ValueKind.text("one of " + String.join(", ", EngineKinds.names()), ENGINES),
          EngineSettings.DEFAULT_KIND,
          "The storage engine of this node, of those on its class path (engines.md). It stays what"
              + " it was when the directory was made, until cluster change-engine gives the node"
              + " another one.");

  static final ConfigKey<Long> ENGINE_CACHE =
      ConfigKey.open(
          "engine.cache",
          ValueKind.size(8L << 20, 1L << 40),
          "an eighth of the heap",
          "The engine's cache in the process of the node: of je within the heap, of rocksdb outside of"
              + " it. Not for a kind with a server, which has its cache there.");

  static final ConfigKey<Long> ENGINE_WINDOW =
      ConfigKey.open(
          "engine.window",
          ValueKind.size(1L << 20, 1L << 40),
          "an eighth of the heap",
          "How much memory versions may take that are not in the engine's store yet, or that"
              + " snapshots read: their values outside the heap, as far as direct memory allows it,"
              + " the rest within. With half of it they go there ahead of snapshots, with three"
              + " quarters the oldest snapshots end at this node, and with all of it commits are"
              + " refused here.");

  static final ConfigKey<String> ENGINE_URL =
      ConfigKey.open(
          "engine.url",
          ValueKind.text("a URL", URL).covered(EngineServer::shown),
          "must be given for a kind with a server, and for no other",
          "Where the engine's server is, as its driver has it:"
              + " \"jdbc:mariadb://host:3306/database\", \"redis://host:6379\". Several nodes may"
              + " share one: each has its own names there. Options of the driver may follow, but"
              + " none that the node sets itself, such as timeouts.");

  static final ConfigKey<String> ENGINE_USER =
      ConfigKey.open(
          "engine.user",
          ValueKind.text("a name", USER),
          "as the URL says",
          "By whose name to log in at the engine's server, where engine.url names no user.");

  static final ConfigKey<String> ENGINE_PASSWORD_FILE =
      ConfigKey.open(
          "engine.password-file",
          ValueKind.text("a path", PATH),
          "engine.password",
          "The file with the password for the engine's server, for its owner only: a node does not"
              + " start where others have access to it. White space at its ends is no part of the"
              + " password.");

  static final ConfigKey<String> ENGINE_PASSWORD =
      ConfigKey.open(
          "engine.password",
          ValueKind.secret("text of 1 to 1024 characters", PASSWORD),
          "none",
          "The password itself, for an environment that hands secrets over like this. It is never"
              + " shown.");

  static final ConfigKey<String> METRICS_HOST =
      ConfigKey.of(
          "metrics.host",
          ValueKind.text("a host name or an address", HOST),
          "127.0.0.1",
          "The address to serve metrics on. Who reaches it reads them, without a secret: leave it"
              + " on loopback, or on a network of your own.");

  static final ConfigKey<Long> METRICS_PORT =
      ConfigKey.of(
          "metrics.port",
          ValueKind.number(0, PORT_MAX),
          "0",
          "The port to serve metrics on, for Prometheus, at `/metrics` by HTTP; 0 for none. What"
              + " they are is in metrics.md.");

  static final ConfigKey<Duration> STOP_TIMEOUT =
      ConfigKey.of(
          "stop.timeout",
          ValueKind.duration(Duration.ofMillis(100), Duration.ofHours(1)),
          "20s",
          "How long a safe departure may take before the node just stops. What is left of it, or 10"
              + " s, the node has for bringing what is in its memory to its engine.");

  static final ConfigKey<LogLevel> LOG_LEVEL =
      ConfigKey.of(
          "log.level",
          ValueKind.choice(List.of(LogLevel.values())),
          "info",
          "What of its own doings the node logs.");

  static final ConfigKey<LogLevel> LOG_LIBRARIES =
      ConfigKey.of(
          "log.libraries",
          ValueKind.choice(List.of(LogLevel.values())),
          "error",
          "What is logged of the libraries' doings.");

  static final ConfigKey<String> LOG_FILE =
      ConfigKey.open(
          "log.file",
          ValueKind.text("a path", PATH),
          "standard error",
          "The file to log to; appended to.");

  static final ConfigKey<Long> LOG_FILE_SIZE =
      ConfigKey.of(
          "log.file-size",
          ValueKind.size(1L << 16, 1L << 40),
          "32MiB",
          "After how much the file is begun anew; the one before is then FILE.1, and so on.");

  static final ConfigKey<Long> LOG_FILES =
      ConfigKey.of(
          "log.files",
          ValueKind.number(1, LOG_FILES_MAX),
          "5",
          "How many files there are at most, the current one among them; older ones are deleted.");

  /** All of them, as they stand in the documents. */
  static final List<ConfigKey<?>> ALL =
      List.of(
          CLUSTER_NAME,
          CLUSTER_SECRET_FILE,
          CLUSTER_SECRET,
          CLUSTER_SPLIT_HINTS,
          NODE_ID,
          NODE_DIRECTORY,
          NODE_HOST,
          NODE_CLASS,
          NODE_PRICE,
          NODE_CAPACITY,
          LISTEN_HOST,
          LISTEN_PORT,
          LISTEN_ADVERTISE,
          COORDINATION,
          ZOOKEEPER_CONNECT,
          ZOOKEEPER_EMBEDDED,
          ZOOKEEPER_PORT,
          ZOOKEEPER_SERVERS,
          ZOOKEEPER_DIRECTORY,
          ZOOKEEPER_SESSION,
          LEDGER_KIND,
          LEDGER_DIRECTORY,
          LEDGER_SEGMENT,
          LEDGER_ENSEMBLE,
          LEDGER_WRITE_QUORUM,
          LEDGER_ACK_QUORUM,
          REPLICATION_COPIES,
          REPLICATION_LONG_FAILURE,
          REPLICATION_SETTLE,
          PLACEMENT_RELAXED,
          HOT_REPLICAS_MEMORY,
          HOT_REPLICAS_THRESHOLD,
          HOT_REPLICAS_THRESHOLD_FACTOR,
          BALANCE_AUTOMATIC,
          BALANCE_SPLIT_SIZE,
          BALANCE_SPLIT_RATE,
          BALANCE_MERGE_AFTER,
          BALANCE_SHIFT_SIZE,
          VERSIONS_KEPT,
          CHANGES_KEPT,
          CHANGES_RECORDS,
          QOS_CHECK,
          QOS_WINDOW,
          QOS_PROVISION_WITHIN,
          PROVISIONER_COMMAND,
          BOOKIE_ENABLED,
          BOOKIE_PORT,
          BOOKIE_DIRECTORY,
          ENGINE_KIND,
          ENGINE_CACHE,
          ENGINE_WINDOW,
          ENGINE_URL,
          ENGINE_USER,
          ENGINE_PASSWORD_FILE,
          ENGINE_PASSWORD,
          METRICS_HOST,
          METRICS_PORT,
          STOP_TIMEOUT,
          LOG_LEVEL,
          LOG_LIBRARIES,
          LOG_FILE,
          LOG_FILE_SIZE,
          LOG_FILES);

  /** What nodes agree by. */
  enum CoordinationKind {
    LOCAL,
    ZOOKEEPER
  }

  /** Where commits are kept. */
  enum LedgerKind {
    LOCAL,
    BOOKKEEPER
  }

  private ConfigKeys() {}
}
