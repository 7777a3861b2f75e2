package org.ecstore.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.fault.LinkFaults;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.server.net.NetLoops;
import org.ecstore.server.print.LogText;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.NodeParts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster whose nodes live in this process: each with its event loop, its engine and its port on
 * the loopback address, all with one commit ledger and one coordination in local files. For a first
 * try, for an application's tests, and, with one node and no port, for an embedded store.
 *
 * <pre>
 *   DIRECTORY/cluster-id      which cluster this is
 *   DIRECTORY/lock            held while it is open
 *   DIRECTORY/ledger/         the commit ledger
 *   DIRECTORY/coordination/   who owns what
 *   DIRECTORY/node-N/         the engine of node N
 *   .../part-of               of each of them: which store it is a part of, and since which start
 * </pre>
 *
 * <p>Each range has as many copies as there are nodes, three at most unless {@link
 * ClusterSettings#withCopies} says how many; each node counts as on a host of its own, although all
 * are on this machine.
 *
 * <p>What is acknowledged survives the end of the process, however it ends. Safe for use by several
 * threads.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);
  private static final String CLUSTER_ID = "cluster-id";
  static final String LEDGER = "ledger";
  static final String COORDINATION = "coordination";

  /** What all nodes share. */
  static final List<String> SHARED = List.of(LEDGER, COORDINATION);

  private static final String NODE_PREFIX = "node-";

  private final Path directory;
  private final DirectoryLock lock;
  private final ClusterServices site;
  private final ClusterParts parts;
  private final boolean listening;
  private final Function<NodeId, LinkFaults> links;

  /** Guarded by this. */
  private final Map<NodeId, NodeRuntime> running = new TreeMap<>();

  /** The ports that nodes had, so that a restarted one is found where it was. Guarded by this. */
  private final Map<NodeId, Integer> ports = new TreeMap<>();

  /** Guarded by this. */
  private boolean closed;

  private LocalCluster(
      Path directory,
      DirectoryLock lock,
      ClusterServices site,
      ClusterParts parts,
      boolean listening,
      Function<NodeId, LinkFaults> links) {
    this.directory = directory;
    this.lock = lock;
    this.site = site;
    this.parts = parts;
    this.listening = listening;
    this.links = links;
  }

  /**
   * Opens what a directory holds, or makes a cluster where there is nothing, and returns once every
   * node serves.
   *
   * @throws org.ecstore.server.file.DirectoryInUseException if a process has it open, this one
   *     included
   * @throws IllegalArgumentException if there shall be more copies of a range than nodes
   * @throws org.ecstore.server.parts.MixedPartsException if its parts do not belong together
   * @throws IOException if the directory cannot be written to or what it holds cannot be read; the
   *     message says what to do
   */
  public static LocalCluster start(Path directory, ClusterSettings settings) throws IOException {
    return start(directory, settings, true, Seams.NONE);
  }

  /** As {@link #start(Path, ClusterSettings)}, with another kind of ledger. */
  public static LocalCluster start(Path directory, ClusterSettings settings, LedgerOpening ledger)
      throws IOException {
    return start(directory, settings, true, new Seams(ledger, new NodeParts()));
  }

  /** Where a test puts something of its own in place: a disk that fails, a node with a bug. */
  record Seams(
      LedgerOpening ledgers,
      NodeParts parts,
      Function<LocalCoordination, CoordinationService> coordination,
      Function<NodeId, LinkFaults> links) {
    static final Seams NONE = new Seams(LocalCluster::openLocalLedger, new NodeParts());

    Seams(LedgerOpening ledgers, NodeParts parts) {
      this(ledgers, parts, local -> local, node -> LinkFaults.NONE);
    }
  }

  /** How the ledger of a cluster is opened. */
  public interface LedgerOpening {
    /**
     * Opens it.
     *
     * @param claim what engines have from it: one that is known not to reach as far is refused
     */
    LedgerService open(
        Path directory, UUID cluster, LedgerSettings settings, LedgerClaim claim, OperatorLog log)
        throws IOException;
  }

  /** As {@link #start(Path, ClusterSettings)}, with ports or without. */
  static LocalCluster start(
      Path directory, ClusterSettings settings, boolean listening, Seams seams) throws IOException {
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      DirectoryLock lock = opening(opened, DirectoryLock.acquire(directory));
      int nodes = Math.max(settings.nodes(), nodesIn(directory).size());
      int copies = settings.replication().copiesOf(nodes);
      UUID cluster = clusterId(directory);
      checkNodesHaveCoordination(directory);
      ClusterParts parts =
          opening(opened, ClusterParts.open(directory, cluster, settings.engine()));
      OperatorLog log = new ClusterJournal(directory);
      LedgerService ledger =
          opening(
              opened,
              seams
                  .ledgers()
                  .open(directory.resolve(LEDGER), cluster, settings.ledger(), parts.claim(), log));
      parts.checkAgainst(ledger);
      LocalCoordination coordination =
          opening(opened, LocalCoordination.open(directory.resolve(COORDINATION), log));
      parts.checkAgainst(coordination);
      NetLoops loops = opening(opened, NetLoops.start());
      ClusterServices site =
          new ClusterServices(
              cluster,
              listening ? Optional.of(ClusterSecret.random()) : Optional.empty(),
              // All nodes have one kind of engine, which the caller has chosen.
              settings.withReplication(settings.replication().withRelaxed(true)).withCopies(copies),
              ledger,
              seams.coordination().apply(coordination),
              loops,
              seams.parts());
      LocalCluster started =
          new LocalCluster(directory, lock, site, parts, listening, seams.links());
      opened.clear();
      opened.add(started);
      started.startNodes();
      return started;
    } catch (EngineOpenException e) {
      closeQuietly(opened, e);
      throw new IOException(e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      closeQuietly(opened, e);
      throw e;
    }
  }

  /**
   * The ledger in files of the cluster's directory, as every cluster has that asks for no other.
   */
  public static LocalLedgerStore openLocalLedger(
      Path ledger, UUID cluster, LedgerSettings settings, LedgerClaim claim, OperatorLog log)
      throws IOException {
    Path parent = ledger.getParent();
    if (parent != null) {
      checkLedgerIsThere(parent, ledger);
    }
    return LocalLedgerStore.open(ledger, cluster, settings, claim, log);
  }

  private static <T extends AutoCloseable> T opening(List<AutoCloseable> opened, T resource) {
    opened.add(resource);
    return resource;
  }

  private static void closeQuietly(List<AutoCloseable> opened, Exception failure) {
    for (AutoCloseable each : opened.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
  }

  private static UUID clusterId(Path directory) throws IOException {
    Path file = directory.resolve(CLUSTER_ID);
    if (Files.exists(file)) {
      String text = Files.readString(file).strip();
      try {
        return UUID.fromString(text);
      } catch (IllegalArgumentException e) {
        throw new IOException(file + " holds no cluster id but \"" + text + "\"", e);
      }
    }
    UUID fresh = UUID.randomUUID();
    DurableFiles.replace(directory, CLUSTER_ID, Bytes.utf8(fresh + "\n"));
    return fresh;
  }

  /**
   * A directory gets its ledger before its coordination and its first node, so these without one
   * have lost it.
   */
  private static void checkLedgerIsThere(Path directory, Path ledger) throws IOException {
    boolean used =
        !nodesIn(directory).isEmpty() || LocalCoordination.isThere(directory.resolve(COORDINATION));
    if (used && !holdsSegments(ledger)) {
      throw new IOException(
          "the ledger is missing: there is a cluster in "
              + directory
              + ", but no segments in "
              + ledger
              + ". The commits are in the ledger, so no node starts. Nothing was changed. Restore"
              + " it from a backup of the directory, or choose another directory.");
    }
  }

  /** The same for the directory of coordination, which holds who owns which range. */
  private static void checkNodesHaveCoordination(Path directory) throws IOException {
    Path coordination = directory.resolve(COORDINATION);
    if (!nodesIn(directory).isEmpty() && !Files.isDirectory(coordination)) {
      checkCoordinationIsThere(directory);
    }
  }

  /** Of a directory that was used. */
  static void checkCoordinationIsThere(Path directory) throws IOException {
    Path coordination = directory.resolve(COORDINATION);
    if (!LocalCoordination.isThere(coordination)) {
      throw new IOException(
          "the cluster's state is missing: there is a cluster in "
              + directory
              + ", but nothing of it in "
              + coordination
              + ". It says who owns which range, so no node starts. Nothing was changed. Restore it"
              + " from a backup of the directory, or choose another directory.");
    }
  }

  private static boolean holdsSegments(Path ledger) throws IOException {
    if (!Files.isDirectory(ledger)) {
      return false;
    }
    try (Stream<Path> files = Files.list(ledger)) {
      return files.anyMatch(file -> file.getFileName().toString().endsWith(".ledger"));
    }
  }

  private record ClusterJournal(Path directory) implements OperatorLog {
    @Override
    public void info(String text) {
      LOG.info("{}: {}", directory, LogText.of(text));
    }

    @Override
    public void warn(String text) {
      LOG.warn("{}: {}", directory, LogText.of(text));
    }
  }

  private synchronized void startNodes() throws IOException {
    // One by one: the first to join leads, and each newcomer splits what the ones before serve.
    for (NodeId id : nodesWith(directory, site.settings().nodes())) {
      startNode(id);
    }
    for (NodeRuntime node : running.values()) {
      awaitServing(node);
    }
    parts.begin(running.keySet());
  }

  private void awaitServing(NodeRuntime node) throws IOException {
    try {
      node.awaitServing(site.settings().startWithin());
    } catch (IllegalStateException e) {
      if (node.failure().orElse(null) instanceof WrongPartsException apart) {
        throw new IOException(apart.getMessage(), e);
      }
      throw e;
    }
  }

  /** The nodes of a directory, and as many more as are wanted. */
  private static TreeSet<NodeId> nodesWith(Path directory, int wanted) throws IOException {
    TreeSet<NodeId> ids = nodesIn(directory);
    for (long id = 1; ids.size() < wanted; id++) {
      ids.add(new NodeId(id));
    }
    return ids;
  }

  /** The name of a node's directory. */
  static String nameOf(NodeId id) {
    return NODE_PREFIX + id.value();
  }

  /** The nodes that a directory holds data of. */
  static TreeSet<NodeId> nodesIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return new TreeSet<>();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(NODE_PREFIX + "[1-9][0-9]{0,8}"))
          .map(name -> new NodeId(Long.parseLong(name.substring(NODE_PREFIX.length()))))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private NodeRuntime startNode(NodeId id) throws IOException {
    Optional<Integer> port =
        listening
            ? Optional.of(ports.getOrDefault(id, site.settings().net().port()))
            : Optional.empty();
    try {
      NodeRuntime node = NodeRuntime.start(id, site, parts.take(id), port);
      node.network().faults(links.apply(id));
      running.put(id, node);
      ports.put(id, port(node));
      return node;
    } catch (EngineOpenException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static int port(NodeRuntime node) {
    String address = node.address();
    int colon = address.lastIndexOf(':');
    return colon < 0 ? 0 : Integer.parseInt(address.substring(colon + 1));
  }

  /** What {@code EcStore.connect} takes: the addresses of the running nodes. */
  public synchronized String addresses() {
    return running.values().stream().map(NodeRuntime::address).collect(Collectors.joining(","));
  }

  /** Which cluster this is. */
  public String clusterId() {
    return site.cluster().toString();
  }

  /**
   * What its nodes know each other by, and an operator of it needs: another one each time, in this
   * process only. Absent if it opens no port.
   */
  public Optional<ClusterSecret> secret() {
    return site.secret();
  }

  /** The running nodes, failed ones among them. */
  public synchronized List<NodeId> nodes() {
    return List.copyOf(running.keySet());
  }

  /**
   * A running node.
   *
   * @throws IllegalArgumentException if it does not run
   */
  public synchronized NodeRuntime node(NodeId id) {
    NodeRuntime node = running.get(id);
    if (node == null) {
      throw new IllegalArgumentException(id + " does not run");
    }
    return node;
  }

  /** What nodes threw that have stopped by themselves; each is a bug. */
  public synchronized Map<NodeId, Throwable> failures() {
    Map<NodeId, Throwable> failures = new TreeMap<>();
    running.forEach((id, node) -> node.failure().ifPresent(thrown -> failures.put(id, thrown)));
    return failures;
  }

  /** Starts another node, which takes over a part of some range, and returns once it serves. */
  public NodeId addNode() throws IOException {
    NodeRuntime node;
    synchronized (this) {
      checkOpen();
      TreeSet<NodeId> known = nodesIn(directory);
      known.addAll(running.keySet());
      node = startNode(new NodeId(known.isEmpty() ? 1 : known.last().value() + 1));
    }
    awaitServing(node);
    synchronized (this) {
      parts.added(node.id());
    }
    return node.id();
  }

  /**
   * Ends a node as a crash would; its directory stays. Its ranges are served by who has copies of
   * them; those that have no other are not served until it is back.
   */
  public void killNode(NodeId id) {
    NodeRuntime node;
    synchronized (this) {
      node = node(id);
      running.remove(id);
    }
    node.close();
  }

  /**
   * Has a node hand its ranges over to others, without a client noticing more than a pause, and
   * ends it. Its directory stays: if it is started again it joins as a new one would.
   *
   * @throws IllegalStateException if no node can take over, because it is the only node or the
   *     others are down, or not within the time to start a node; it runs on then
   */
  public void leaveNode(NodeId id) {
    NodeRuntime node = node(id);
    Departure.Progress came = node.depart(site.settings().startWithin());
    if (came.stage() != Departure.Stage.DEPARTED) {
      throw new IllegalStateException(
          id + " cannot leave and stays, with what it still has: " + came.detail());
    }
    synchronized (this) {
      running.remove(id, node);
    }
    node.close();
  }

  /** Starts a node again that was killed, has failed or has left; returns once it serves. */
  public void restartNode(NodeId id) throws IOException {
    launchNode(id).awaitServing(site.settings().startWithin());
  }

  /** As {@link #restartNode}, but returns at once. */
  public synchronized NodeRuntime launchNode(NodeId id) throws IOException {
    checkOpen();
    NodeRuntime before = running.remove(id);
    if (before != null) {
      before.close();
    }
    if (!nodesIn(directory).contains(id)) {
      throw new IllegalArgumentException("there is no " + id + " in " + directory);
    }
    return startNode(id);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the cluster in " + directory + " is closed");
    }
  }

  /** A way into a node that opens no port. */
  NodeConnection connection(NodeId id, Optional<String> application) {
    return node(id).connection(application);
  }

  /** All nodes at once: rule W11. */
  private void foldAll() {
    long deadline = System.nanoTime() + NodeRuntime.FOLD_WITHIN.toNanos();
    Map<NodeRuntime, CompletableFuture<Boolean>> folds = new HashMap<>();
    running.values().forEach(node -> folds.put(node, node.beginFold()));
    folds.forEach((node, folded) -> node.await(folded, deadline));
  }

  /** Ends all nodes and gives the directory back. Closing again does nothing. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    foldAll();
    // First, so that no node takes the lead over for the moment that is left.
    site.coordination().close();
    running.values().forEach(NodeRuntime::close);
    running.clear();
    parts.close();
    site.loops().close();
    try {
      site.ledger().close();
    } finally {
      lock.close();
    }
  }
}
