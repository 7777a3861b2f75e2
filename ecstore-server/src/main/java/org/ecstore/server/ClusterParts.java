package org.ecstore.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.ecstore.engines.EngineSettings;
import org.ecstore.id.NodeId;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerExtent;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.parts.MixedPartsException;
import org.ecstore.server.parts.StoreParts;

/**
 * The parts of a {@link LocalCluster}'s directory, held against one another before a node starts:
 * marks first, then what the engines hold against ledger and coordination. The engines that are
 * there are opened before the ledger, which is changed only once it is known to reach as far as
 * they do. Not safe for use by several threads.
 */
final class ClusterParts implements AutoCloseable {
  private static final String STORE = "store";

  private final Path directory;
  private final UUID cluster;
  private final EngineSettings settings;
  private final StoreParts marks;
  private final Map<NodeId, OpenedEngine> engines = new TreeMap<>();

  private ClusterParts(Path directory, UUID cluster, EngineSettings settings, StoreParts marks) {
    this.directory = directory;
    this.cluster = cluster;
    this.settings = settings;
    this.marks = marks;
  }

  /**
   * Checks the marks and opens the engines that are there.
   *
   * @throws MixedPartsException if they do not belong together
   */
  static ClusterParts open(Path directory, UUID cluster, EngineSettings settings)
      throws IOException {
    StoreParts marks = StoreParts.open(directory, STORE, true, Optional.of(cluster));
    ClusterParts parts = new ClusterParts(directory, cluster, settings, marks);
    boolean checked = false;
    try {
      parts.checkPartMarks();
      checked = true;
      return parts;
    } finally {
      if (!checked) {
        parts.close();
      }
    }
  }

  private void checkPartMarks() throws IOException {
    Optional<UUID> id = Optional.of(cluster);
    for (String name : LocalCluster.SHARED) {
      marks.check(name, directory.resolve(name), id);
    }
    Collection<NodeId> nodes = LocalCluster.nodesIn(directory);
    for (NodeId node : nodes) {
      String name = LocalCluster.nameOf(node);
      marks.checkRefillable(name, directory.resolve(name), id);
    }
    for (NodeId node : nodes) {
      engines.put(node, OpenedEngine.open(node, engineOf(node), settings));
    }
    boolean used = engines.values().stream().anyMatch(engine -> engine.holdings().isAny());
    if (marks.isPlaced() || used) {
      LocalCluster.checkCoordinationIsThere(directory);
    }
  }

  private Path engineOf(NodeId node) {
    return directory.resolve(LocalCluster.nameOf(node));
  }

  /** What the engines have from the ledger. */
  LedgerClaim claim() {
    return engines.values().stream()
        .map(OpenedEngine::claim)
        .reduce(LedgerClaim.NONE, LedgerClaim::or);
  }

  /**
   * Holds what is there against the ledger, if that says how far it reaches.
   *
   * @throws MixedPartsException if they do not belong together
   */
  void checkAgainst(LedgerService ledger) throws IOException {
    Optional<LedgerExtent> extent = ledger.extent();
    if (extent.isEmpty()) {
      return;
    }
    extent.get().checkReaches(directory.resolve(LocalCluster.LEDGER), claim());
    if (extent.get().last().value() > 0) {
      LocalCluster.checkCoordinationIsThere(directory);
    }
    checkFillable(extent.get());
  }

  /**
   * Some engine must be able to go on from the ledger; with several the others are filled by it.
   */
  private void checkFillable(LedgerExtent ledger) throws MixedPartsException {
    if (engines.isEmpty() && ledger.trimmed().value() > 0) {
      throw new MixedPartsException(
          "there is no engine in %s, and the ledger begins after position %d only"
              .formatted(directory, ledger.trimmed().value()));
    }
    if (engines.size() == 1) {
      engines.values().iterator().next().checkAlone(ledger);
      return;
    }
    boolean none =
        engines.values().stream()
            .allMatch(engine -> ledger.trimmed().isAfter(engine.holdings().through()));
    if (none) {
      for (OpenedEngine engine : engines.values()) {
        engine.checkAlone(ledger);
      }
    }
  }

  /**
   * Holds the engines against coordination.
   *
   * @throws MixedPartsException if they do not belong together
   */
  void checkAgainst(LocalCoordination coordination) throws MixedPartsException {
    for (OpenedEngine engine : engines.values()) {
      engine.checkAgainst(coordination, directory.resolve(LocalCluster.COORDINATION));
    }
  }

  /**
   * All nodes serve: marks the parts for this start. Not before, so that parts which a node refuses
   * can be put right by what was there before.
   */
  void begin(Collection<NodeId> nodes) throws IOException {
    for (NodeId node : nodes) {
      if (!marks.has(LocalCluster.nameOf(node))) {
        marks.checkRefillable(LocalCluster.nameOf(node), engineOf(node), Optional.of(cluster));
      }
    }
    marks.begin(cluster);
  }

  /** One more node serves. */
  void added(NodeId node) throws IOException {
    if (!marks.has(LocalCluster.nameOf(node))) {
      marks.add(LocalCluster.nameOf(node), engineOf(node));
    }
  }

  /** The engine of a node that begins to run; it is the caller's from now on. */
  OpenedEngine take(NodeId node) {
    OpenedEngine open = engines.remove(node);
    return open == null ? OpenedEngine.open(node, engineOf(node), settings) : open;
  }

  /** Closes the engines that no node has taken. */
  @Override
  public void close() {
    engines.values().forEach(OpenedEngine::close);
    engines.clear();
  }
}
