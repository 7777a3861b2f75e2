package org.ecstore.bench.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;
import site.ycsb.DBException;

/**
 * A cluster of node processes. One node keeps its ledger in files; several keep it on bookies.
 * Those started here end with this process too, unless it is killed.
 */
public final class EcStoreTarget implements StartedTarget {
  /** Of this build. */
  public static final String NAME = "ecstore";

  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  private final String name;
  private final Optional<Made> made;
  private final String addresses;
  private final List<Long> processes;
  private final Map<String, String> settings;
  private final Properties properties = new Properties();

  private EcStoreTarget(
      String name,
      Optional<Made> made,
      List<Long> processes,
      String addresses,
      Reads reads,
      Map<String, String> settings) {
    this.name = name;
    this.made = made;
    this.addresses = addresses;
    this.processes = List.copyOf(processes);
    this.settings = settings;
    properties.setProperty(EcStoreDb.ADDRESSES, addresses);
    properties.setProperty(EcStoreDb.LEVEL, reads.level());
    properties.setProperty(EcStoreDb.ISOLATION, reads.isolation());
  }

  /** As users name a cluster whose hosts have a node of each kind of engine. */
  public static String nameOn(List<String> kinds) {
    return NAME + "-" + String.join("+", kinds);
  }

  /** A cluster that was started here. */
  private record Made(ProcessCluster cluster, Path directory) {}

  /** How its clients read and commit: as {@link EcStoreDb} takes it. */
  public record Reads(String level, String isolation) {}

  /**
   * What is made.
   *
   * @param copies of each range
   * @param resources of each process
   * @param splitHints where the data will be
   * @param build whose processes these are; this one if absent
   * @param engines of its nodes, each host with one of every kind; the usual one if absent
   * @param nodeClass what machine each node stands for
   */
  public record Shape(
      int nodes,
      int copies,
      NodeResources resources,
      List<Bytes> splitHints,
      Optional<OtherBuild> build,
      Optional<EngineMix> engines,
      NodeClass nodeClass) {
    /** Of this build. */
    public Shape(int nodes, int copies, NodeResources resources, List<Bytes> splitHints) {
      this(
          nodes,
          copies,
          resources,
          splitHints,
          Optional.empty(),
          Optional.empty(),
          NodeClass.STANDARD);
    }

    /** Of another build, if one is given. */
    public Shape withBuild(Optional<OtherBuild> other) {
      return new Shape(nodes, copies, resources, splitHints, other, engines, nodeClass);
    }

    /** With a node of each kind of engine on each host. */
    public Shape on(EngineMix mix) {
      return new Shape(
          mix.nodes(), copies, resources, splitHints, build, Optional.of(mix), nodeClass);
    }

    /** With nodes that stand for such machines. */
    public Shape of(NodeClass other) {
      return new Shape(nodes, copies, resources, splitHints, build, engines, other);
    }

    /** As users name what it makes. */
    String name() {
      return build
          .map(OtherBuild::name)
          .or(() -> engines.map(mix -> nameOn(mix.kinds())))
          .orElse(NAME);
    }

    /** One on each host. */
    private int bookies() {
      return engines.map(EngineMix::hosts).orElse(nodes);
    }

    String engine() {
      return engines
          .map(
              mix ->
                  (mix.hosts() == 1 ? "1 host with " : mix.hosts() + " hosts, each with ")
                      + String.join(", ", mix.kinds()))
          .orElse("Berkeley DB JE");
    }

    /** Where a commit is synced before it is answered. */
    String durability() {
      return nodes == 1
          ? "every commit synced (group commit)"
          : switch (bookies()) {
            case 1 -> "every commit synced on the only bookie (group commit)";
            case 2 -> "every commit synced on both bookies (group commit)";
            default -> "every commit synced on two of three bookies (group commit)";
          };
    }
  }

  /**
   * Makes a cluster and returns when it serves.
   *
   * @param directory where it is kept, empty or not there
   * @param progress is told what happens
   */
  public static EcStoreTarget make(
      Path directory, Shape shape, Reads reads, Consumer<String> progress)
      throws IOException, InterruptedException {
    boolean single = shape.nodes() == 1;
    NewCluster made = made(shape);
    ProcessCluster cluster =
        ProcessCluster.during(directory, START_WITHIN, single ? made.asStandalone() : made);
    List<Long> processes;
    String addresses;
    try {
      cluster.up(shape.nodes(), progress);
      processes = processes(cluster);
      addresses = cluster.addresses();
    } catch (ProcessClusterException e) {
      cluster.close();
      throw failed(e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    Map<String, String> settings = new LinkedHashMap<>();
    shape.build().ifPresent(build -> settings.put("build", build.says()));
    settings.put("nodes", Integer.toString(shape.nodes()));
    settings.put("copies", Integer.toString(shape.copies()));
    settings.put("engine", shape.engine());
    settings.put("durability", shape.durability());
    settings.put("level", reads.level());
    settings.put("isolation", reads.isolation());
    settings.put("heap", (shape.resources().heapBytesMax() >> 20) + " MiB");
    settings.put("cache", (shape.resources().cacheBytes() >> 20) + " MiB");
    settings.put("collector", shape.resources().collector());
    shape.nodeClass().capacity().ifPresent(each -> settings.put("capacity", each.toPlainString()));
    return new EcStoreTarget(
        shape.name(),
        Optional.of(new Made(cluster, directory)),
        processes,
        addresses,
        reads,
        settings);
  }

  /**
   * The cluster of a shape. Nodes of this build and of another one begin alike: neither has classes
   * that were kept ready.
   */
  static NewCluster made(Shape shape) {
    NewCluster ofThisBuild =
        NewCluster.DEFAULT
            .withSplitHints(shape.splitHints())
            .withReplication(
                ReplicationSettings.DEFAULT
                    .withCopies(shape.copies())
                    .withRelaxed(shape.engines().isPresent()))
            .withResources(shape.resources())
            .withNodeClass(shape.nodeClass());
    NewCluster onEngines = shape.engines().map(ofThisBuild::withMix).orElse(ofThisBuild);
    return shape
        .build()
        .map(build -> onEngines.withClassPath(build.classPath()))
        .orElseGet(onEngines::withoutKeptClasses);
  }

  /** Of its nodes, and of the database servers under them. */
  private static List<Long> processes(ProcessCluster cluster) throws IOException {
    List<Long> processes = new ArrayList<>();
    for (NodeStatus node : cluster.status()) {
      node.pid().ifPresent(processes::add);
      cluster.databasePid(node.node()).ifPresent(processes::add);
    }
    return processes;
  }

  /**
   * A cluster that runs.
   *
   * @param addresses as {@code host:port,host:port}
   * @param processes of it on this machine, if they are known
   */
  public static EcStoreTarget at(String addresses, List<Long> processes, Reads reads) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("at", addresses);
    settings.put("level", reads.level());
    settings.put("isolation", reads.isolation());
    return new EcStoreTarget(NAME, Optional.empty(), processes, addresses, reads, settings);
  }

  /**
   * Has clients that are made from now on say that they are of an application, and tell so often
   * what they measure.
   *
   * @param every a second at least
   */
  public void tellAs(String application, Duration every) {
    properties.setProperty(EcStoreDb.APPLICATION, application);
    properties.setProperty(EcStoreDb.REPORT_MILLIS, Long.toString(every.toMillis()));
    settings.put("application", application);
    settings.put("report-every", every.toMillis() + " ms");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public BenchDb client() throws DBException {
    EcStoreDb client = new EcStoreDb();
    client.setProperties(properties);
    client.init();
    return client;
  }

  /** What its clients are told, to make some elsewhere. */
  public Properties properties() {
    return properties;
  }

  @Override
  public List<Long> processes() {
    return processes;
  }

  @Override
  public OptionalLong bytesOnDisk() {
    return made.isPresent()
        ? OptionalLong.of(DiskUse.of(made.get().directory()))
        : OptionalLong.empty();
  }

  /** Its processes, to be killed and started again; absent if it was not made here. */
  public Optional<ProcessCluster> cluster() {
    return made.map(Made::cluster);
  }

  /** How its nodes are; none if it was not made here. */
  public List<NodeStatus> status() throws IOException {
    return made.isPresent() ? made.get().cluster().status() : List.of();
  }

  @Override
  public String address() {
    return addresses;
  }

  /** Nothing if it was not made here. */
  @Override
  public void pause() throws IOException, InterruptedException {
    if (made.isPresent()) {
      pause(made.get().cluster());
    }
  }

  private static void pause(ProcessCluster cluster) throws IOException, InterruptedException {
    try {
      for (int node : cluster.nodes()) {
        cluster.pause(node);
      }
      for (int node : cluster.nodes()) {
        if (cluster.hasDatabase(node)) {
          cluster.pauseDatabase(node);
        }
      }
    } catch (ProcessClusterException e) {
      throw failed(e);
    }
  }

  private static IOException failed(ProcessClusterException e) {
    return new IOException(e.getMessage(), e);
  }

  /**
   * Nothing if it was not made here. Nodes that were long away may have to find each other again.
   */
  @Override
  public void resume() throws IOException, InterruptedException {
    if (made.isPresent()) {
      resume(made.get().cluster());
    }
  }

  private static void resume(ProcessCluster cluster) throws IOException, InterruptedException {
    try {
      for (int node : cluster.nodes()) {
        if (cluster.hasDatabase(node)) {
          cluster.resumeDatabase(node);
        }
      }
      for (int node : cluster.nodes()) {
        cluster.resume(node);
      }
      for (int node : cluster.nodes()) {
        cluster.awaitServing(node);
      }
    } catch (ProcessClusterException e) {
      throw failed(e);
    }
  }

  /** Ends what was made. */
  @Override
  public void close() {
    made.ifPresent(here -> here.cluster().close());
  }
}
