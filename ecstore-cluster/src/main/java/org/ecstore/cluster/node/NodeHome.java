package org.ecstore.cluster.node;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.parts.StoreParts;

/**
 * A node's directory, held by one process at a time. It knows whose it is: a node that found
 * another's data, or data of another cluster, would answer with what is not so.
 *
 * <pre>
 *   DIRECTORY/identity        node, cluster's name and id
 *   DIRECTORY/lock            held while the node runs
 *   DIRECTORY/part-of         at which start it was used last, as in each of its parts
 *   DIRECTORY/engine/         the node's copies
 * </pre>
 *
 * and, by default, whatever else the node hosts.
 */
final class NodeHome implements AutoCloseable {
  private static final String IDENTITY = "identity";
  private static final String NODE = "node";
  private static final String CLUSTER_NAME = "cluster-name";
  private static final String CLUSTER_ID = "cluster-id";

  private final Path directory;
  private final NodeId node;
  private final String clusterName;
  private final DirectoryLock lock;
  private Optional<UUID> cluster;

  private NodeHome(
      Path directory, NodeId node, String clusterName, DirectoryLock lock, Optional<UUID> cluster) {
    this.directory = directory;
    this.node = node;
    this.clusterName = clusterName;
    this.lock = lock;
    this.cluster = cluster;
  }

  /**
   * Opens a node's directory, or makes one.
   *
   * @throws StartRefusedException if it is another's, or in use
   */
  static NodeHome open(Path directory, NodeId node, String clusterName) throws IOException {
    try {
      checkIsForNodes(directory);
      DirectoryLock lock = DirectoryLock.acquire(directory);
      try {
        Optional<UUID> cluster = identity(directory, node, clusterName);
        return new NodeHome(directory, node, clusterName, lock, cluster);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (DirectoryInUseException e) {
      throw new StartRefusedException(String.valueOf(e.getMessage()), e);
    } catch (FileSystemException e) {
      String message = "node.directory " + directory + " cannot be used: " + FileErrors.reason(e);
      throw FileErrors.isOfThePlace(e)
          ? new StartRefusedException(message, e)
          : StartRefusedException.temporary(message, e);
    }
  }

  /** Not the directory of a cluster within one process, whose nodes share a ledger there. */
  private static void checkIsForNodes(Path directory) throws IOException {
    if (Files.exists(directory.resolve(CLUSTER_ID))) {
      throw new StartRefusedException(
          directory
              + " holds a cluster that ran within one process (as quickstart and EcStore.open make"
              + " them), not a node: choose another node.directory");
    }
    if (holds(directory, ".jdb")) {
      throw new StartRefusedException(
          directory + " holds files of an engine: choose the directory above, or another one");
    }
  }

  private static Optional<UUID> identity(Path directory, NodeId node, String clusterName)
      throws IOException {
    Path file = directory.resolve(IDENTITY);
    if (!Files.exists(file)) {
      if (Files.isDirectory(ServerConfig.engineOf(directory))) {
        throw new StartRefusedException(
            directory
                + " holds a node's data, but its file "
                + IDENTITY
                + ", which says whose, is missing: restore it from a backup, or choose another"
                + " directory");
      }
      return Optional.empty();
    }
    Map<String, String> entries = entries(file);
    String owner = entry(file, entries, NODE);
    if (!owner.equals(Long.toString(node.value()))) {
      throw new StartRefusedException(
          directory
              + " is the directory of node "
              + owner
              + ", and this is node "
              + node.value()
              + ": check node.id and node.directory");
    }
    String name = entry(file, entries, CLUSTER_NAME);
    if (!name.equals(clusterName)) {
      throw new StartRefusedException(
          directory
              + " belongs to cluster \""
              + name
              + "\", and this is a node of \""
              + clusterName
              + "\": check cluster.name and node.directory");
    }
    String id = entry(file, entries, CLUSTER_ID);
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(file + " holds no cluster id but \"" + id + "\"", e);
    }
  }

  private static Map<String, String> entries(Path file) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    FileErrors.mustBeFile(file);
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        entries.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return entries;
  }

  private static String entry(Path file, Map<String, String> entries, String name) {
    String value = entries.get(name);
    if (value == null) {
      throw new StartRefusedException(file + " is damaged: it has no entry \"" + name + "\"");
    }
    return value;
  }

  /** Which cluster this node belongs to; absent until it has found out for the first time. */
  Optional<UUID> cluster() {
    return cluster;
  }

  /**
   * Ties the directory to a cluster, for ever.
   *
   * @param source where that cluster's id is from, for the message
   * @throws StartRefusedException if it is tied to another
   */
  void belongsTo(UUID id, String source) throws IOException {
    if (cluster.isPresent() && !cluster.get().equals(id)) {
      throw new StartRefusedException(
          directory
              + " belongs to the cluster with id "
              + cluster.get()
              + ", but "
              + source
              + " is of "
              + id
              + ": an older cluster of the same name, or another ZooKeeper. Check what it connects"
              + " to, or choose another node.directory");
    }
    if (cluster.isEmpty()) {
      String text =
          "# Whose directory this is. Written once, by the node itself.\n"
              + NODE
              + " = "
              + node.value()
              + "\n"
              + CLUSTER_NAME
              + " = "
              + clusterName
              + "\n"
              + CLUSTER_ID
              + " = "
              + id
              + "\n";
      DurableFiles.replace(directory, IDENTITY, Bytes.utf8(text));
      cluster = Optional.of(id);
    }
  }

  /** Whether an engine has its data here. */
  boolean hasEngine() throws IOException {
    return holds(ServerConfig.engineOf(directory), ".jdb");
  }

  /** Where the engine is, or will be. */
  Path enginePath() {
    return ServerConfig.engineOf(directory);
  }

  /** Where the engine is. */
  Path engine() throws IOException {
    return Files.createDirectories(ServerConfig.engineOf(directory));
  }

  /**
   * Checks that what the engine's data rests on is there: it is made before the engine and before
   * parts are marked, so where it is not, it was lost.
   *
   * @throws StartRefusedException if it is
   */
  void mustHold(String what, Path part, String suffix) throws IOException {
    boolean used = hasEngine() || Files.exists(directory.resolve(StoreParts.MARK));
    if (used && !holds(part, suffix)) {
      throw new StartRefusedException(
          "the "
              + what
              + " is missing: there is a node's data in "
              + directory
              + ", but nothing in "
              + part
              + ". Nothing was changed. Restore it from a backup, or choose another"
              + " node.directory");
    }
  }

  private static boolean holds(Path directory, String suffix) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().endsWith(suffix));
    }
  }

  /** Gives the directory back. */
  @Override
  public void close() {
    lock.close();
  }
}
