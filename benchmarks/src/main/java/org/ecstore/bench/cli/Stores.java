package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.bench.peer.Peers;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.store.EcStoreDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.OtherBuild;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.key.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import site.ycsb.DBException;

/** Stores that a command is told to measure, by their names. */
final class Stores {
  static final String ECSTORE = EcStoreTarget.NAME;
  private static final Logger LOG = LoggerFactory.getLogger(Stores.class);
  private static final long MEBI = 1 << 20;
  private static final int LISTEN_MILLIS = 3_000;

  private final NodeOptions options;
  private final int nodes;
  private final CommandSpec spec;

  /**
   * Those of a command.
   *
   * @param nodes of ecStore where it is started, unless its engines say how many
   */
  Stores(NodeOptions options, int nodes, CommandSpec spec) {
    this.options = options;
    this.nodes = nodes;
    this.spec = spec;
  }

  /** All names. */
  static List<String> names() {
    List<String> names = new ArrayList<>(List.of(ECSTORE));
    names.addAll(Peers.names());
    return names;
  }

  /** What is said of a store that is not available, in place of a result. */
  static ObjectNode unavailable(String store, ServerUnavailableException why) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("store", store)
        .put("unavailable", why.getMessage());
  }

  /** The store of the options: one that runs, or one that is started. */
  Target target(LoadOptions load, Path temporary, List<Bytes> splitHints)
      throws IOException, InterruptedException, ServerUnavailableException {
    if (load.connect == null) {
      Path directory = load.directory == null ? temporary.resolve("cluster") : load.directory;
      return started(load.store, Optional.ofNullable(load.durability), directory, splitHints);
    }
    try {
      mustListen(load.connect);
      return load.store.equals(ECSTORE)
          ? EcStoreTarget.at(load.connect, load.pids, reads())
          : peer(load.store).at(load.connect, load.pids);
    } catch (IllegalArgumentException | WrongArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--connect: " + e.getMessage(), e);
    }
  }

  /**
   * Starts a store.
   *
   * @param durability absent for what it comes with
   * @param directory where it keeps what it has; empty, or not there
   */
  StartedTarget started(
      String name, Optional<Durability> durability, Path directory, List<Bytes> splitHints)
      throws IOException, InterruptedException, ServerUnavailableException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw wrong(directory + " is no directory");
    }
    if (isInUse(directory)) {
      throw wrong(directory + " is not empty: give one that is, or that is not there");
    }
    if (!name.equals(ECSTORE)) {
      Peer peer = peer(name);
      Path kept =
          Objects.requireNonNullElseGet(options.peersDirectory, MavenArtifacts::usualDirectory);
      return peer.start(
          new Peer.Place(directory, new MavenArtifacts(kept, this::say), this::say),
          durability.orElse(peer.usual()));
    }
    if (durability.equals(Optional.of(Durability.PERIODIC))) {
      throw wrong("ecStore syncs every commit: --durability periodic is for others");
    }
    return ecStore(Optional.empty(), directory, splitHints);
  }

  /**
   * Starts ecStore.
   *
   * @param build whose nodes are started; those of this build if absent
   * @param directory where it keeps what it has; empty, or not there
   */
  EcStoreTarget ecStore(Optional<OtherBuild> build, Path directory, List<Bytes> splitHints)
      throws IOException, InterruptedException {
    EcStoreTarget.Shape shape =
        new EcStoreTarget.Shape(
            nodes,
            Math.min(options.copies, nodes),
            resources(),
            nodes == 1 ? List.of() : splitHints);
    return made(directory, shape.withBuild(build));
  }

  /**
   * Starts ecStore on kinds of engines, a node of each on each host.
   *
   * @param directory where it keeps what it has; empty, or not there
   */
  EcStoreTarget onEngines(EngineMix mix, Path directory, List<Bytes> splitHints)
      throws IOException, InterruptedException {
    return made(
        directory,
        new EcStoreTarget.Shape(
                mix.nodes(),
                Math.min(options.copies, mix.hosts()),
                resources(),
                mix.nodes() == 1 ? List.of() : splitHints)
            .on(mix));
  }

  private EcStoreTarget made(Path directory, EcStoreTarget.Shape shape)
      throws IOException, InterruptedException {
    mustHaveQuorum(shape.copies());
    return EcStoreTarget.make(directory, shape, reads(), line -> LOG.info("{}", line));
  }

  private void mustHaveQuorum(int copies) {
    try {
      EcStoreDb.quorum(options.level)
          .filter(quorum -> quorum.n() != copies)
          .ifPresent(
              quorum -> {
                throw wrong(
                    "--level %s: N is how many copies there are: %d, as far as there are nodes"
                        .formatted(options.level, copies));
              });
    } catch (DBException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private NodeResources resources() {
    long heap = options.heap * MEBI;
    return new NodeResources(heap, heap, options.cache * MEBI, options.collector, 1);
  }

  private EcStoreTarget.Reads reads() {
    return new EcStoreTarget.Reads(options.level, options.isolation);
  }

  private Peer peer(String name) {
    return Peers.of(name).orElseThrow(() -> wrong("no store " + name + "; there are " + names()));
  }

  /** Tells the user at the terminal what takes time. */
  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  /** Else clients would try for a while, and say less. */
  private static void mustListen(String addresses) throws ServerUnavailableException {
    List<String> all = AddressList.parse(addresses);
    for (String address : all) {
      InetSocketAddress named = AddressList.toSocketAddress(address);
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(named.getHostString(), named.getPort()), LISTEN_MILLIS);
        return;
      } catch (IOException e) {
        LOG.debug("{} does not listen", address, e);
      }
    }
    throw new ServerUnavailableException("nothing listens on " + String.join(" or ", all));
  }

  private static boolean isInUse(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isPresent();
    }
  }
}
