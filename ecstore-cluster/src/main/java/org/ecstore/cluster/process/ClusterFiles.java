package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.config.InvalidConfigException;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.ClusterShape;
import org.ecstore.cluster.layout.EngineMark;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeConfig;
import org.ecstore.cluster.layout.RelaxedPlacement;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.engines.EngineSettings;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.secret.SecretFile;

/**
 * The directory of a cluster of processes, and the configurations in it, which remember the ports.
 *
 * <pre>
 *   DIRECTORY/cluster.secret        what its nodes know each other by; for its owner only
 *   DIRECTORY/provision.sh          what nodes run to add and remove nodes, if they may
 *   DIRECTORY/unfinished            there while a cluster is made: what there is of it is none yet
 *   DIRECTORY/turn                  there while a command begins nodes: see {@link RunningNodes.Turn}
 *   DIRECTORY/node-N/ecstore.toml   its configuration; written once
 *   DIRECTORY/node-N/jvm.options    flags of its virtual machine, one a line; written once
 *   DIRECTORY/node-N/data/          what it keeps
 *   DIRECTORY/node-N/server.log     what it logs; server.log.1 what it logged before
 *   DIRECTORY/node-N/server.out     what it printed: why it did not start, or ended hard
 *   DIRECTORY/node-N/server.pid     its process
 *   DIRECTORY/node-N/drained        there while it is drained: see {@link DrainedNodes}
 *   DIRECTORY/node-N/guard.sh       its guard, with guard.pid and guard.log: see {@link Guards}
 *   DIRECTORY/node-N/down           there while it is wanted down
 *   DIRECTORY/node-N/engine.change  there while it gets another engine: see {@link EngineMark}
 *   DIRECTORY/node-N/database/      the server of its engine, if it has one, started with
 *                                   database.options: {@link NodeDatabases}
 * </pre>
 */
final class ClusterFiles {
  private static final String PREFIX = "node-";
  private static final String CONFIG = "ecstore.toml";

  /** Ends the names of files that are there for a moment, to find something out. */
  static final String TRIED = ".tried";

  private static final String FLAGS = "jvm.options";

  private final Path directory;
  private final NewCluster made;
  private final NodeDatabases databases;

  /**
   * Over a directory, written to or not.
   *
   * @param made what a cluster gets that is made here
   */
  ClusterFiles(Path directory, NewCluster made) {
    this(directory, made, MavenArtifacts::usual);
  }

  /**
   * As above.
   *
   * @param artifacts where programs of database servers are from that are not on this machine
   */
  ClusterFiles(
      Path directory, NewCluster made, Function<Consumer<String>, MavenArtifacts> artifacts) {
    this.made = made;
    this.directory = directory.toAbsolutePath().normalize();
    this.databases = new NodeDatabases(this::home, artifacts);
  }

  Path directory() {
    return directory;
  }

  /** The servers that its nodes keep their data on. */
  NodeDatabases databases() {
    return databases;
  }

  /** What nodes run to add and remove nodes. */
  Path provisionScript() {
    return provisionScript(directory);
  }

  /** As above, of a directory with or without a cluster. */
  static Path provisionScript(Path directory) {
    return directory.toAbsolutePath().normalize().resolve("provision.sh");
  }

  /** There while a command may begin nodes. */
  Path turnMark() {
    return directory.resolve("turn");
  }

  Path home(int node) {
    return directory.resolve(PREFIX + node);
  }

  Path configFile(int node) {
    return home(node).resolve(CONFIG);
  }

  /** Where the cluster's secret is; nodes are told the file, not what is in it. */
  Path secretFile() {
    return directory.resolve("cluster.secret");
  }

  /** Makes the secret of a cluster that has none. */
  void makeSecret() throws IOException {
    SecretFile.createIfAbsent(secretFile());
  }

  /** The flags of a node's virtual machine: those of a small one where there are none. */
  List<String> flags(int node) throws IOException {
    Path file = flagsFile(node);
    return Files.exists(file)
        ? Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(flag -> !flag.isEmpty())
            .toList()
        : NodeResources.SMALL.flags();
  }

  /** Where the flags of a node's virtual machine are. */
  Path flagsFile(int node) {
    return home(node).resolve(FLAGS);
  }

  Path log(int node) {
    return home(node).resolve("server.log");
  }

  Path output(int node) {
    return home(node).resolve("server.out");
  }

  /** What a node's process is told beside its configuration. */
  Map<String, String> environment(int node) {
    return Map.of(
        "ECSTORE_LOG_FILE",
        log(node).toString(),
        "ECSTORE_CLUSTER_SECRET_FILE",
        secretFile().toString());
  }

  Path pidFile(int node) {
    return home(node).resolve("server.pid");
  }

  /** The nodes that have a configuration; none of a cluster whose making was interrupted. */
  TreeSet<Integer> nodes() throws IOException {
    TreeSet<Integer> nodes = homes();
    nodes.removeIf(node -> !Files.exists(configFile(node)));
    return isUnfinished() ? new TreeSet<>() : nodes;
  }

  /** The nodes that have a directory. */
  private TreeSet<Integer> homes() throws IOException {
    if (!Files.isDirectory(directory)) {
      return new TreeSet<>();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(home -> home.getFileName().toString())
          .filter(name -> name.matches(PREFIX + "[1-9][0-9]{0,5}"))
          .map(name -> Integer.valueOf(name.substring(PREFIX.length())))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Whether making the cluster was interrupted. */
  boolean isUnfinished() {
    return Files.exists(unfinished());
  }

  private Path unfinished() {
    return directory.resolve("unfinished");
  }

  /**
   * Deletes what there is of a cluster whose making was interrupted. None of its nodes has been
   * started: that comes after the mark has gone.
   *
   * @throws ProcessClusterException if one has data all the same; nothing is deleted then
   */
  private void forgetUnfinished() throws IOException {
    TreeSet<Integer> left = homes();
    for (int node : left) {
      if (Files.exists(home(node).resolve("data")) || Files.exists(log(node))) {
        throw new ProcessClusterException(
            "%s says that the cluster was not made to its end, but node %d has run: delete the file if all configurations are there"
                .formatted(unfinished(), node));
      }
    }
    for (int node : left) {
      TemporaryDirectory.delete(home(node));
    }
  }

  /** A node's configuration, as its process will read it. */
  ServerConfig config(int node) throws IOException {
    if (!Files.exists(configFile(node))) {
      throw new ProcessClusterException("there is no node " + node + " in " + directory);
    }
    try {
      return ConfigReader.read(configFile(node), environment(node));
    } catch (InvalidConfigException e) {
      throw new ProcessClusterException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Where clients reach a node. */
  String address(int node) throws IOException {
    var listen = config(node).listen();
    return AddressList.text(listen.advertisedHost(), listen.port());
  }

  /** Writes configurations for nodes of a new cluster, or further ones of one that is there. */
  void addNodes(int count) throws IOException {
    if (!nodes().isEmpty()) {
      addFurther(count);
      return;
    }
    if (isUnfinished()) {
      forgetUnfinished();
    }
    Files.createDirectories(directory);
    DurableFiles.replace(
        directory,
        String.valueOf(unfinished().getFileName()),
        Bytes.utf8("# A cluster is being made here; \"ecstore cluster up\" begins anew.\n"));
    boolean isMade = false;
    try {
      makeNodes(count);
      isMade = true;
    } finally {
      // What was refused has written nothing.
      if (isMade || homes().stream().noneMatch(node -> Files.exists(configFile(node)))) {
        Files.deleteIfExists(unfinished());
        DurableFiles.forceDirectory(directory);
      }
    }
  }

  private void makeNodes(int count) throws IOException {
    FreePorts ports = new FreePorts();
    if (made.standalone()) {
      if (count != 1 || made.mix().map(EngineMix::nodes).orElse(1) != 1) {
        throw new ProcessClusterException(
            "a cluster of one node for ever cannot have "
                + made.mix().map(EngineMix::nodes).orElse(count));
      }
      writeStandalone(ports);
      return;
    }
    if (made.mix().isPresent() && made.mix().get().nodes() != count) {
      throw new ProcessClusterException(
          "%d hosts with a node of each of %s have %d nodes, not %d"
              .formatted(
                  made.mix().get().hosts(),
                  made.mix().get().kinds(),
                  made.mix().get().nodes(),
                  count));
    }
    List<Integer> fresh = IntStream.rangeClosed(1, count).boxed().toList();
    Optional<Integer> first = made.firstPort().map(ports::chosen);
    ClusterShape shape = made.shape(count, ports);
    Share share = Share.of(made.resourcesOf(count));
    for (int node : fresh) {
      int port = first.filter(_ -> node == 1).orElseGet(ports::next);
      write(node, port, shape, share, ports);
    }
  }

  private void addFurther(int count) throws IOException {
    TreeSet<Integer> there = nodes();
    FreePorts ports = freePorts();
    ClusterShape shape = shapeOf(there.first(), kindOfMore(there));
    Share share = Share.of(made.resourcesOf(there.size() + count));
    for (int i = 0; i < count; i++) {
      int node = there.last() + 1;
      write(node, ports.next(), shape, share, ports);
      there.add(node);
    }
  }

  /** Ports that no node of the cluster has. */
  FreePorts freePorts() throws IOException {
    FreePorts ports = new FreePorts();
    for (int node : nodes()) {
      ServerConfig config = config(node);
      ports.taken(config.listen().port());
      config.bookie().ifPresent(bookie -> ports.taken(bookie.port()));
      config.metrics().ifPresent(metrics -> ports.taken(metrics.port()));
    }
    return ports;
  }

  /** What the server under a node may have of the machine, beside as many nodes as there are. */
  DatabaseMemory databaseMemory() throws IOException {
    return made.resourcesOf(nodes().size()).database();
  }

  /**
   * What nodes beside one have in common with it.
   *
   * @param mix of the one kind that they are of; absent for the usual one
   */
  private ClusterShape shapeOf(int node, Optional<EngineMix> mix) throws IOException {
    return ClusterShape.of(config(node), mix)
        .orElseThrow(
            () ->
                new ProcessClusterException(
                    "node "
                        + node
                        + " hosts no ZooKeeper server, or has a ledger of its own: a node beside it"
                        + " must be configured by hand"));
  }

  /**
   * The engine of a node beside those that are there: the one that is asked for, else that of all
   * if they have the same; absent if it is the usual one.
   */
  private Optional<EngineMix> kindOfMore(Set<Integer> there) throws IOException {
    Optional<EngineMix> asked = made.mix().filter(mix -> mix.kinds().size() == 1);
    if (asked.isPresent()) {
      return asked;
    }
    TreeSet<String> kinds = new TreeSet<>();
    for (int node : there) {
      kinds.add(config(node).engineKind());
    }
    return kinds.size() == 1 && !kinds.contains(EngineSettings.DEFAULT_KIND)
        ? Optional.of(new EngineMix(1, List.copyOf(kinds)))
        : Optional.empty();
  }

  /** The kinds of engines that nodes get which are added here. */
  List<String> kindsOfMore() {
    return made.mix().map(EngineMix::kinds).orElse(List.of());
  }

  /**
   * Writes the configuration of a node of a cluster that is there, like that of its first one: with
   * the same flags, cache and settings, and the engine of all if they have the same, with the same
   * options of its server.
   *
   * @param node that has no configuration
   */
  void addLikeFirst(int node) throws IOException {
    TreeSet<Integer> there = nodes();
    int first = there.first();
    Share share =
        new Share(
            flags(first),
            config(first).engineCacheBytes(),
            made.resourcesOf(there.size() + 1).database(),
            Optional.of(first));
    FreePorts ports = freePorts();
    write(node, ports.next(), shapeOf(first, kindOfMore(there)), share, ports);
  }

  /**
   * Names what starts and stops nodes in the configuration of each node that has named nothing for
   * that yet; nodes that run read it when they are started again.
   *
   * @return the nodes whose configurations have changed
   * @throws ProcessClusterException if a node could not read its configuration then
   */
  TreeSet<Integer> provisionBy(CommandWords command) throws IOException {
    TreeSet<Integer> changed = new TreeSet<>();
    for (int node : nodes()) {
      if (config(node).control().provisioner().isEmpty()) {
        String text = Files.readString(configFile(node)) + NodeConfig.provisioner(command);
        mustBeRead(node, text);
        writeConfig(node, text);
        changed.add(node);
      }
    }
    return changed;
  }

  /**
   * Has the configuration of each node say that engines may lack what copies need (rule 23); nodes
   * that run read it when they are started again.
   *
   * @throws ProcessClusterException if a node could not read its configuration then; nothing has
   *     changed
   */
  void relax() throws IOException {
    Map<Integer, String> texts = new TreeMap<>();
    for (int node : nodes()) {
      if (!config(node).replication().relaxed()) {
        String text = RelaxedPlacement.of(Files.readString(configFile(node)));
        if (!mustBeRead(node, text).replication().relaxed()) {
          throw new ProcessClusterException(
              ("the environment says that the placement of node %d is not relaxed: take"
                      + " placement.relaxed out of it")
                  .formatted(node));
        }
        texts.put(node, text);
      }
    }
    for (Map.Entry<Integer, String> each : texts.entrySet()) {
      writeConfig(each.getKey(), each.getValue());
    }
  }

  /**
   * What a node would have of a configuration.
   *
   * @throws ProcessClusterException if it could not read it
   */
  ServerConfig mustBeRead(int node, String text) throws IOException {
    // For its owner only, and not that of another command: it may have a password in it.
    Path tried = Files.createTempFile(home(node), CONFIG + ".", TRIED);
    try {
      Files.writeString(tried, text);
      return ConfigReader.read(tried, environment(node));
    } catch (InvalidConfigException e) {
      throw new ProcessClusterException(
          String.valueOf(e.getMessage()).replace(tried.toString(), configFile(node).toString()), e);
    } finally {
      Files.deleteIfExists(tried);
    }
  }

  /**
   * What a node's process has of the machine.
   *
   * @param flags of its virtual machine
   * @param cacheBytes of its engine; 0 if that follows from the heap
   * @param database of the server under it, if it has one
   * @param like the node whose server's options it has in place of that; absent if none is there
   */
  private record Share(
      List<String> flags, long cacheBytes, DatabaseMemory database, Optional<Integer> like) {
    static Share of(NodeResources resources) {
      return new Share(
          resources.flags(),
          resources.isCacheOfHeap() ? 0 : resources.cacheBytes(),
          resources.database(),
          Optional.empty());
    }
  }

  private void write(int node, int port, ClusterShape shape, Share share, FreePorts ports)
      throws IOException {
    NodeConfig config =
        shape.config(
            node,
            port,
            shape.hasBookie(node) ? Optional.of(ports.next()) : Optional.empty(),
            engine(node, shape.mix(), share, ports),
            shape.measured() ? Optional.of(ports.next()) : Optional.empty());
    write(node, config.text(), share.flags());
  }

  /** Nothing of the cache where it follows from the heap, or is a server's. */
  private List<String> engine(int node, Optional<EngineMix> mix, Share share, FreePorts ports)
      throws IOException {
    List<String> lines = new ArrayList<>();
    if (mix.isPresent()) {
      lines.addAll(databases.made(node, mix.get().kind(node), ports.next(), share.database()));
      if (share.like().isPresent()) {
        databases.takeOptions(node, share.like().get());
      }
    }
    long cacheBytes = share.cacheBytes();
    if (cacheBytes > 0 && !mix.map(all -> NodeDatabases.hasServer(all.kind(node))).orElse(false)) {
      lines.add("cache = \"" + ConfigText.size(cacheBytes) + '"');
    }
    return lines;
  }

  private void writeStandalone(FreePorts ports) throws IOException {
    int port = made.firstPort().map(ports::chosen).orElseGet(ports::next);
    NodeResources alone = made.resources();
    Share share =
        new Share(
            alone.flags(), alone.cacheBytes(), made.resourcesOf(1).database(), Optional.empty());
    String text =
        NodeConfig.standalone(made.splitHints(), port, engine(1, made.mix(), share, ports));
    write(1, text, share.flags());
  }

  /** The configuration comes last: with it the node is there. */
  private void write(int node, String text, List<String> flags) throws IOException {
    Files.createDirectories(home(node));
    DurableFiles.replace(home(node), FLAGS, Bytes.utf8(String.join("\n", flags) + "\n"));
    writeConfig(node, text);
  }

  /** Puts a configuration in the place of that which a node has, if it has one. */
  void writeConfig(int node, String text) throws IOException {
    DurableFiles.replace(home(node), CONFIG, Bytes.utf8(text));
  }

  /** Where a node said something last: its log, or what it printed. */
  Path lastSaid(int node) throws IOException {
    Path log = log(node);
    Path output = output(node);
    if (!Files.exists(log) || !Files.exists(output)) {
      return Files.exists(log) ? log : output;
    }
    boolean printed =
        Files.getLastModifiedTime(output).compareTo(Files.getLastModifiedTime(log)) >= 0;
    return printed ? output : log;
  }

  /** How many lines of a node's log have a text in them. */
  long linesWith(int node, String text) throws IOException {
    if (!Files.exists(log(node))) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(log(node))) {
      return lines.filter(line -> line.contains(text)).count();
    }
  }

  /** The last line of a file that is not blank. */
  static String lastLine(Path file) throws IOException {
    List<String> lines = lastLines(file, 1);
    return lines.isEmpty() ? "nothing" : lines.getLast();
  }

  /** The last lines of a file that are not blank; none if there is no file. */
  static List<String> lastLines(Path file, int count) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    FileErrors.mustBeFile(file);
    List<String> lines = Files.readString(file).lines().filter(line -> !line.isBlank()).toList();
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }
}
