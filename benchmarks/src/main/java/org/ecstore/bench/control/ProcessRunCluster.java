package org.ecstore.bench.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bench.qos.ClusterSettling;
import org.ecstore.bench.qos.GrowingCluster;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CopyState;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Route;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.TableWriter;

/** Node processes on this machine, each held to its capacity, which end with the run. */
final class ProcessRunCluster implements RunCluster, AutoCloseable {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration PROVISION_WITHIN = Duration.ofMinutes(3);
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(1);
  private static final int REQUEST_SECONDS = 60;
  private static final long MEBI = 1 << 20;

  private final ProcessCluster cluster;
  private final ClusterAccess access;
  private final Consumer<String> say;

  private ProcessRunCluster(ProcessCluster cluster, Path directory, Consumer<String> say) {
    this.cluster = cluster;
    this.access = new ClusterAccess(Optional.of(directory), Optional.empty(), REQUEST_SECONDS);
    this.say = say;
  }

  /**
   * Makes a cluster and returns when it serves.
   *
   * @param directory where it is kept; empty or not there
   * @param started is told as each node serves
   * @param say hears what an operator would
   */
  static ProcessRunCluster start(
      QosRunSettings settings, Path directory, Runnable started, Consumer<String> say)
      throws IOException, InterruptedException {
    ProcessCluster cluster =
        ProcessCluster.during(directory, START_WITHIN, made(settings, directory));
    try {
      cluster.provisionBy(
          EcStoreMain.class.getName(),
          List.of(
              "cluster", "provision", "--dir", directory.toAbsolutePath().normalize().toString()));
      cluster.up(settings.machines().nodes(), _ -> started.run());
      return new ProcessRunCluster(cluster, directory, say);
    } catch (ProcessClusterException e) {
      cluster.close();
      throw failed(e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** With a plan as the cluster that its table was measured on, but for nodes and copies. */
  private static NewCluster made(QosRunSettings settings, Path directory) {
    return settings
        .plan()
        .map(
            plan ->
                GrowingCluster.controlled(
                    plan.subject(settings.store().copies()),
                    directory,
                    new GrowingCluster.ControlPace(
                        settings.promise().check(), settings.promise().window())))
        .orElseGet(() -> usual(settings, directory));
  }

  private static NewCluster usual(QosRunSettings settings, Path directory) {
    QosRunSettings.Machines machines = settings.machines();
    return NewCluster.DEFAULT
        .withSplitHints(YcsbLoad.splitHints())
        .withReplication(ReplicationSettings.DEFAULT.withCopies(settings.store().copies()))
        .withResources(
            new NodeResources(
                Math.min(64, machines.heapMebibytes()) * MEBI,
                machines.heapMebibytes() * MEBI,
                machines.cacheMebibytes() * MEBI,
                NodeResources.SMALL.collector(),
                1))
        .withNodeClass(machines.nodeClass())
        .withControl(
            new ServerConfig.Control(
                settings.promise().check(),
                settings.promise().window(),
                PROVISION_WITHIN,
                Optional.of(ProcessCluster.provisioner(directory))));
  }

  private static IOException failed(ProcessClusterException e) {
    return new IOException(e.getMessage(), e);
  }

  @Override
  public Seen look() throws IOException {
    ClusterLook look;
    try {
      look = cluster.look(LOOK_WITHIN);
    } catch (ProcessClusterException e) {
      throw failed(e);
    }
    Set<Long> processes =
        look.nodes().stream()
            .map(NodeStatus::pid)
            .flatMap(Optional::stream)
            .collect(Collectors.toSet());
    Optional<StatusReport> map = look.map();
    return new Seen(
        processes,
        map.isPresent() ? OptionalInt.of(map.get().nodes().size()) : OptionalInt.empty(),
        map.isPresent() ? OptionalInt.of(places(map.get())) : OptionalInt.empty(),
        making(look),
        map.map(ProcessRunCluster::keeper).orElse(""));
  }

  private static OptionalInt making(ClusterLook look) {
    List<Inspected> answers =
        look.nodes().stream().map(NodeStatus::seen).flatMap(Optional::stream).toList();
    return answers.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(
            CopyState.beingMade(
                answers.stream().flatMap(node -> node.copies().stream()).map(CopyLine::state)));
  }

  /** Nodes that ranges belong to: their home, or who serves them where none is known. */
  private static int places(StatusReport map) {
    Stream<NodeId> homes = map.holders().stream().flatMap(line -> line.home().stream());
    Stream<NodeId> primaries = map.ranges().stream().map(Route::primary);
    return (int) (map.holders().isEmpty() ? primaries : homes).distinct().count();
  }

  private static String keeper(StatusReport map) {
    return map.traits().stream()
        .flatMap(line -> line.traits().capacity().stream())
        .map(NodeTraits.Capacity::keeper)
        .map(NodeTraits.Capacity.Keeper::word)
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }

  @Override
  public Optional<Control> control() {
    return asked(new ClientRequest.AskControl(), Control.class);
  }

  @Override
  public Optional<Objectives> objectives() {
    return asked(new ClientRequest.AskObjectives(), Objectives.class);
  }

  /** While the leader is gone no node has the answer. */
  private <T extends ClientReply> Optional<T> asked(ClientRequest request, Class<T> kind) {
    try {
      return Optional.of(cluster.askSteward(request, kind));
    } catch (IOException | ProcessClusterException _) {
      return Optional.empty();
    }
  }

  @Override
  public String addresses() throws IOException {
    return cluster.addresses();
  }

  @Override
  public void state(Objective objective) throws IOException, InterruptedException {
    request(new AdminRequest.SetObjective(objective, System.currentTimeMillis()));
  }

  @Override
  public void allow(ControlSettings settings) throws IOException, InterruptedException {
    request(new AdminRequest.SetControl(settings));
  }

  @Override
  public void use(MeasuredSource table) throws IOException, InterruptedException {
    request(
        new AdminRequest.UseTable(
            table.subject().name(), TableWriter.full(table.table()), System.currentTimeMillis()));
  }

  @Override
  public boolean settle(ClusterSettling.Window load, Duration within)
      throws IOException, InterruptedException {
    return new ClusterSettling(cluster).settle(load, within).steady();
  }

  private void request(AdminRequest request) throws IOException, InterruptedException {
    try {
      access.request(cluster, request, say);
    } catch (BadInputException | ProcessClusterException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public Optional<Integer> leader() throws IOException {
    return cluster.sequencer();
  }

  @Override
  public void kill(int node) throws IOException, InterruptedException {
    cluster.kill(node);
  }

  @Override
  public void launch(int node) throws IOException, InterruptedException {
    cluster.launch(node, _ -> {});
  }

  /** Ends all nodes, those that were added too. */
  @Override
  public void close() {
    cluster.close();
  }
}
