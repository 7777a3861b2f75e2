package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;
import org.ecstore.bench.compare.ClientProcess;
import org.ecstore.bench.qos.TableRun.ClusterBefore;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlAction;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * Node processes on this machine, each held to its capacity, and clients in a process of their own
 * for each run, so that no run profits from what the clients of another one have learnt.
 */
public final class GrowingCluster implements GrownStore {
  private static final List<String> CLIENT_FLAGS =
      List.of("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  private static final String CLUSTER = "cluster";
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration LOADED_WITHIN = Duration.ofHours(1);
  private static final Duration CLIENT_WITHIN = Duration.ofMinutes(2);
  private static final Duration PROVISION_WITHIN = Duration.ofMinutes(3);
  private static final int REQUEST_SECONDS = 60;
  private static final long MEBI = 1 << 20;

  private final MeasuredSubject subject;
  private final ProcessCluster cluster;
  private final ClusterAccess access;
  private final ClientProcess client;
  private final Duration settleWithin;
  private final LongConsumer elapsed;
  private final boolean isControlled;
  private List<String> told = List.of();
  private EachSecond seconds = EachSecond.NONE;
  private ClusterBefore before = new ClusterBefore(false, OptionalDouble.empty(), "");

  private GrowingCluster(
      MeasuredSubject subject,
      ProcessCluster cluster,
      Path directory,
      Duration settleWithin,
      LongConsumer elapsed,
      boolean isControlled) {
    this.isControlled = isControlled;
    this.subject = subject;
    this.cluster = cluster;
    this.access =
        new ClusterAccess(
            Optional.of(directory.resolve(CLUSTER)), Optional.empty(), REQUEST_SECONDS);
    this.client = new ClientProcess(directory, CLIENT_FLAGS);
    this.settleWithin = settleWithin;
    this.elapsed = elapsed;
  }

  /**
   * Makes a cluster of the first nodes of a subject, and loads its records.
   *
   * @param directory of the cluster, and of what clients print; empty or not there
   * @param splitHints where the data will be
   * @param settleWithin how long it may take to become steady
   * @param elapsed is told in milliseconds how time goes by
   */
  public static GrowingCluster start(
      MeasuredSubject subject,
      Path directory,
      List<Bytes> splitHints,
      Duration settleWithin,
      LongConsumer elapsed)
      throws IOException, InterruptedException {
    return start(subject, directory, made(subject, splitHints), settleWithin, elapsed);
  }

  /**
   * As above, of {@code bench ycsb}'s data, with a controller that looks often and can start nodes.
   *
   * @param pace how often it looks, and on how many looks it decides
   */
  public static GrowingCluster controlled(
      MeasuredSubject subject,
      Path directory,
      ControlPace pace,
      Duration settleWithin,
      LongConsumer elapsed)
      throws IOException, InterruptedException {
    NewCluster made = controlled(subject, directory.resolve(CLUSTER), pace);
    return start(subject, directory, made, settleWithin, elapsed);
  }

  /**
   * How such a cluster is made.
   *
   * @param kept its directory
   */
  public static NewCluster controlled(MeasuredSubject subject, Path kept, ControlPace pace) {
    return made(subject, YcsbLoad.splitHints())
        .withControl(
            new ServerConfig.Control(
                pace.check(),
                pace.window(),
                PROVISION_WITHIN,
                Optional.of(ProcessCluster.provisioner(kept))));
  }

  /**
   * When a controller looks.
   *
   * @param check how often
   * @param window checks after which it may act
   */
  public record ControlPace(Duration check, int window) {}

  private static NewCluster made(MeasuredSubject subject, List<Bytes> splitHints) {
    NodeResources resources =
        new NodeResources(
            Math.min(64, subject.heapMebibytes()) * MEBI,
            subject.heapMebibytes() * MEBI,
            subject.cacheMebibytes() * MEBI,
            NodeResources.SMALL.collector(),
            1);
    return NewCluster.DEFAULT
        .withSplitHints(splitHints)
        .withReplication(ReplicationSettings.DEFAULT.withCopies(subject.copies()).withRelaxed(true))
        .withResources(resources)
        .withMix(new EngineMix(subject.firstNodes(), List.of(subject.engine())))
        .withNodeClass(subject.nodeClass())
        .asMeasured();
  }

  private static GrowingCluster start(
      MeasuredSubject subject,
      Path directory,
      NewCluster made,
      Duration settleWithin,
      LongConsumer elapsed)
      throws IOException, InterruptedException {
    Path kept = directory.resolve(CLUSTER);
    ProcessCluster cluster = ProcessCluster.during(kept, START_WITHIN, made);
    boolean isControlled = made.control().provisioner().isPresent();
    GrowingCluster started =
        new GrowingCluster(subject, cluster, directory, settleWithin, elapsed, isControlled);
    try {
      if (isControlled) {
        cluster.provisionBy(
            EcStoreMain.class.getName(),
            List.of("cluster", "provision", "--dir", kept.toAbsolutePath().normalize().toString()));
      }
      cluster.up(subject.firstNodes(), _ -> {});
      started.load();
      return started;
    } catch (ProcessClusterException e) {
      cluster.close();
      throw failed(e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Ends the processes that one of this directory has left, as it was killed; and removes it. */
  public static void endLeft(Path directory) throws IOException, InterruptedException {
    Path left = directory.resolve(CLUSTER);
    if (Files.exists(left)) {
      try (ProcessCluster cluster = ProcessCluster.in(left, Duration.ofSeconds(1))) {
        cluster.down();
      }
    }
    TemporaryDirectory.delete(directory);
  }

  private static IOException failed(ProcessClusterException e) {
    return new IOException(e.getMessage(), e);
  }

  private void load() throws IOException, InterruptedException {
    client.run(arguments(1, 0, 0.1, false), LOADED_WITHIN, elapsed);
  }

  @Override
  public void grow(int nodes) throws IOException, InterruptedException {
    try {
      while (cluster.nodes().size() < nodes) {
        cluster.addNode();
      }
    } catch (ProcessClusterException e) {
      throw failed(e);
    }
  }

  @Override
  public void settle(int clients) throws IOException, InterruptedException {
    before = new ClusterSettling(cluster).settle(() -> client(clients), settleWithin);
  }

  @Override
  public TableRun run(int clients, int number) throws IOException, InterruptedException {
    ObjectNode result = client(clients);
    ClusterSettling.mustHaveAnswers(result);
    seconds = EachSecond.of(result.path("eachSecond"));
    GridPoint point = new GridPoint(clients, cluster.nodes().size());
    return TableRun.of(point, number, result, before);
  }

  /**
   * From now on clients say that they are an application, tell nodes what they measure, and note
   * each second.
   *
   * @param every how often
   */
  public void tellAs(String application, Duration every) {
    told =
        List.of(
            "--application",
            application,
            "--report-every",
            every.toMillis() + "ms",
            "--each-second");
  }

  /** What clients had in each second of the last run; none before {@link #tellAs}. */
  public EachSecond seconds() {
    return seconds;
  }

  /**
   * Tells the node that leads what an operator would, and waits until it is done.
   *
   * @throws IOException if it is refused; says why
   */
  public void request(AdminRequest request) throws IOException, InterruptedException {
    try {
      access.request(cluster, request, _ -> {});
    } catch (BadInputException | ProcessClusterException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * What the controller has done so far, and what it is at.
   *
   * @throws IOException if no node says it
   */
  public List<ControlAction> actions() throws IOException, InterruptedException {
    try {
      return access.ask(cluster, new ClientRequest.AskControl(), Control.class).actions();
    } catch (BadInputException | ProcessClusterException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private ObjectNode client(int clients) throws IOException, InterruptedException {
    Duration within =
        CLIENT_WITHIN.plusMillis(Math.round(1_000 * (subject.warmUpSeconds() + subject.seconds())));
    mustBeWhole();
    ObjectNode result =
        client.one(
            arguments(clients, subject.warmUpSeconds(), subject.seconds(), true), within, elapsed);
    mustBeWhole();
    return result;
  }

  /**
   * What fewer nodes do is none of so many. Of nodes that a controller adds and removes it is not
   * known how many it wants.
   */
  private void mustBeWhole() throws IOException {
    if (isControlled) {
      return;
    }
    try {
      for (int node : cluster.nodes()) {
        if (!cluster.isRunning(node)) {
          throw new IOException(
              "node %d has ended; it said last: %s"
                  .formatted(node, String.join("; ", cluster.lastLines(node, 1))));
        }
      }
    } catch (ProcessClusterException e) {
      throw failed(e);
    }
  }

  private List<String> arguments(int clients, double warmUp, double seconds, boolean loaded)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("bench", "ycsb"));
    arguments.addAll(List.of("--connect", cluster.addresses(), "--pids", processes()));
    if (loaded) {
      arguments.add("--loaded");
    }
    arguments.addAll(List.of("--records", Long.toString(subject.records())));
    arguments.addAll(List.of("--workload", subject.workload().mix().title()));
    arguments.addAll(List.of("--distribution", subject.workload().distribution()));
    arguments.addAll(List.of("--clients", Integer.toString(clients)));
    arguments.addAll(
        List.of("--warm-up", Double.toString(warmUp), "--seconds", Double.toString(seconds)));
    arguments.addAll(told);
    arguments.add("--json");
    return arguments;
  }

  /** Of nodes, and of the database servers under them. */
  private String processes() throws IOException {
    List<String> processes = new ArrayList<>();
    for (NodeStatus node : cluster.status()) {
      node.pid().ifPresent(pid -> processes.add(pid.toString()));
      cluster.databasePid(node.node()).ifPresent(pid -> processes.add(pid.toString()));
    }
    return String.join(",", processes);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
