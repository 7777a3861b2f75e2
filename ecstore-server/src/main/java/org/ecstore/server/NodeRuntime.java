package org.ecstore.server;

import java.io.IOException;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.LoopWork;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.engines.OpenEngine;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.loop.EventLoop;
import org.ecstore.server.loop.LongHandlers;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.server.loop.ProcessorMeter;
import org.ecstore.server.loop.ProcessorQuota;
import org.ecstore.server.loop.RequestGate;
import org.ecstore.server.loop.RequestWaits;
import org.ecstore.server.net.Addresses;
import org.ecstore.server.net.NodeLoops;
import org.ecstore.server.net.NodeNetwork;
import org.ecstore.server.print.LogText;
import org.ecstore.txn.message.NodeMessages;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node: an event loop with its state machine, an engine on a directory, a transport,
 * and handles on the ledger and the coordination of its process. If the state machine fails, the
 * node leaves as a crashed one would: its connections close and the others learn that it is gone.
 */
public final class NodeRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRuntime.class);

  /** What a clean stop has at least for what the next start can do as well (rule W11). */
  public static final Duration FOLD_WITHIN = Duration.ofSeconds(10);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final Duration PAUSE_WITHIN = Duration.ofSeconds(10);

  /** What other nodes and clients find in place of an address where a node opens no port. */
  static final String NO_ADDRESS = "here";

  private final NodeId id;
  private final ClusterServices site;
  private final EventLoop eventLoop;
  private final NodeNetwork network;
  private final OpenEngine engine;
  private final Node node;
  private final String address;

  /** Open once the event loop need not stand still any more; guarded by this. */
  private @Nullable CountDownLatch standstill;

  private NodeRuntime(
      NodeId id,
      ClusterServices site,
      EventLoop eventLoop,
      NodeNetwork network,
      OpenEngine engine,
      Node node,
      String address) {
    this.id = id;
    this.site = site;
    this.eventLoop = eventLoop;
    this.network = network;
    this.engine = engine;
    this.node = node;
    this.address = address;
  }

  /**
   * Starts a node; it serves once it has recovered and found its place.
   *
   * @param opened its engine; closed if the node does not start
   * @param port to listen on if it is free, else on any other; absent for a node that is reached
   *     from its process only
   */
  static NodeRuntime start(
      NodeId id, ClusterServices site, OpenedEngine opened, Optional<Integer> port)
      throws IOException {
    return start(
        id,
        site,
        opened,
        network -> port.isPresent() ? listen(network, port.get()) : NO_ADDRESS,
        () -> {});
  }

  /**
   * Starts a node that listens on one port and no other.
   *
   * @param opened its engine; closed if the node does not start
   * @param port 0 for any
   * @param advertisedHost the host that clients and other nodes are told
   * @param stopped called once, on another thread, when the node has stopped for whatever cause
   * @throws BindException if the port is not free
   */
  public static NodeRuntime start(
      NodeId id,
      ClusterServices site,
      OpenedEngine opened,
      int port,
      String advertisedHost,
      Runnable stopped)
      throws IOException {
    return start(
        id,
        site,
        opened,
        network -> Addresses.format(advertisedHost, network.listen(port).getPort()),
        stopped);
  }

  /** Opens a node to the world, or not; returns the address that others are told. */
  private interface Door {
    String open(NodeNetwork network) throws IOException;
  }

  private static NodeRuntime start(
      NodeId id, ClusterServices site, OpenedEngine opened, Door door, Runnable stopped)
      throws IOException {
    ClusterSettings settings = site.settings();
    NodeLoops loops = site.loops().forNode();
    Metrics metrics = settings.metrics().of(id);
    Admission admission = new Admission(MemoryLimits.ofThisProcess());
    LoopLimits bounds = settings.loopLimits().withBytes(admission.limits().inboxMax());
    EventLoop eventLoop = new EventLoop(id.toString(), bounds, loops.sideWork());
    NodeNetwork network =
        new NodeNetwork(
            site.cluster().toString(),
            id,
            site.secret(),
            settings.net(),
            new EnvelopeCodec(NodeMessages.tables()),
            eventLoop,
            loops,
            admission,
            metrics);
    OpenEngine engine =
        opened.begin(
            eventLoop.completions(), () -> admission.hasRoomForAnswers(eventLoop.rowBytes()));
    try {
      eventLoop.begin();
      String address = door.open(network);
      Node node =
          new Node(
              id,
              nodeSettings(id, site, address, engine.profile())
                  .withMemory(admission.limits().strata()),
              site.parts(),
              ports(id, site, eventLoop, network, engine, metrics));
      network.onRefused(site.coordination()::suspect);
      eventLoop.afterBatch(network::flush);
      eventLoop.onRelief(network::inboxRelieved);
      TaggedInstrument<LoopWork> longWork =
          new TaggedInstrument<>(metrics, NodeMetrics.LOOP_LONG, LoopWork.class);
      eventLoop.onLong(work -> longWork.of(work).count());
      eventLoop.onLate(new LateRequests(network::reply));
      quota(settings, metrics).ifPresent(eventLoop::admitBy);
      eventLoop.onStopped(
          () -> {
            network.close();
            site.coordination().end(id);
            stopped.run();
          });
      eventLoop.start(node);
      return new NodeRuntime(id, site, eventLoop, network, engine, node, address);
    } catch (IOException | RuntimeException e) {
      network.close();
      eventLoop.close();
      engine.close();
      throw e;
    }
  }

  /** What holds the node to its capacity, where it does so itself. */
  private static Optional<RequestGate> quota(ClusterSettings settings, Metrics metrics)
      throws IOException {
    Optional<Capacity> capacity =
        settings.traits().capacity().filter(held -> held.keeper() == Capacity.Keeper.NODE);
    if (capacity.isEmpty()) {
      return Optional.empty();
    }
    ProcessorMeter used =
        ProcessorMeter.ofThisProcess()
            .orElseThrow(
                () ->
                    new IOException(
                        "node.capacity cannot be kept: this Java does not say how much processor"
                            + " time its process has used; take it out"));
    Instrument held = metrics.of(new MetricSeries(NodeMetrics.CAPACITY_HELD));
    Instrument overdrawn = metrics.of(new MetricSeries(NodeMetrics.CAPACITY_OVERDRAWN));
    return Optional.of(
        new ProcessorQuota(
            capacity.get().processors().doubleValue(),
            used,
            new ProcessorQuota.Told() {
              @Override
              public void held() {
                held.count();
              }

              @Override
              public void overdrawn() {
                overdrawn.count();
              }
            }));
  }

  private static NodeSettings nodeSettings(
      NodeId id, ClusterServices site, String address, EngineTraits engine) {
    ClusterSettings settings = site.settings();
    ReplicationSettings replication = settings.replication();
    return NodeSettings.defaults(site.cluster().toString(), address)
        .withSplitHints(settings.splitHints())
        .withHost(replication.host().orElse(id.toString()))
        .withTraits(settings.traits().with(Release.version(), engine))
        .withCopies(replication.copies().orElse(1))
        .withTimeout(replication.longFailure().toNanos(), replication.settle().toNanos())
        .withRelaxedPlacement(replication.relaxed())
        .withHotReplicas(replication.hotReplicas())
        .withBalance(replication.balance())
        .withRetention(settings.versionsKept().toNanos())
        .withLedgerKept(settings.changesKept())
        .withControl(settings.control());
  }

  private static String listen(NodeNetwork network, int wanted) throws IOException {
    try {
      return Addresses.format(network.listen(wanted));
    } catch (BindException taken) {
      if (wanted == 0) {
        throw taken;
      }
      LOG.info("port {} is taken by now, another one is used", wanted);
      return Addresses.format(network.listen(0));
    }
  }

  private static Ports ports(
      NodeId id,
      ClusterServices site,
      EventLoop eventLoop,
      NodeNetwork network,
      OpenEngine engine,
      Metrics metrics) {
    return new Ports(
        eventLoop.clock(),
        eventLoop.timers(),
        new SplittableRandom(new SecureRandom().nextLong()),
        network,
        engine,
        site.ledger().handle(id, eventLoop.completions()),
        site.coordination().handle(id, event -> coordinated(event, eventLoop, network)),
        new NodeJournal(id),
        metrics);
  }

  /** The transport learns from coordination too, and first: the event loop may answer at once. */
  private static void coordinated(Event event, EventLoop eventLoop, NodeNetwork network) {
    if (event instanceof Event.CoordinationDone(_, CoordinationResult.Joined(var incarnation))) {
      network.incarnation(incarnation);
    } else if (event instanceof Event.MembersChanged(var members, _)) {
      network.members(members);
    }
    eventLoop.completions().accept(event);
  }

  private record NodeJournal(NodeId node) implements OperatorLog {
    @Override
    public void info(String text) {
      LOG.info("{}: {}", node, LogText.of(text));
    }

    @Override
    public void warn(String text) {
      LOG.warn("{}: {}", node, LogText.of(text));
    }
  }

  /** Who this is. */
  public NodeId id() {
    return id;
  }

  /** Where clients reach this node. */
  public String address() {
    return address;
  }

  /** A way into this node that opens no port. */
  NodeConnection connection(Optional<String> application) {
    return network.newLocalConnection(engine.profile().readRank(), application);
  }

  /** The transport, to be looked at. */
  public NodeNetwork network() {
    return network;
  }

  /** What the state machine threw, if that is why this node has stopped. */
  public Optional<Throwable> failure() {
    return eventLoop.failure();
  }

  /** How long requests wait until the node takes them. */
  public RequestWaits requestWaits() {
    return eventLoop.requestWaits();
  }

  /** What kept the node's event loop busy for 10 ms or more. */
  public LongHandlers longHandlers() {
    return eventLoop.longHandlers();
  }

  /**
   * The state of the node's logic between two batches.
   *
   * @throws IllegalStateException if the node has stopped, with its failure as the cause if it has
   *     one, or does not answer in time
   */
  public NodeInspection inspect(Duration within) {
    return onLoop(node::inspect, within);
  }

  private <T> T onLoop(Supplier<T> question, Duration within) {
    try {
      return eventLoop.ask(question).get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable why = failure().orElse(e.getCause());
      throw new IllegalStateException(
          why instanceof NodeEndsException end ? end.getMessage() : id + " has stopped", why);
    } catch (TimeoutException e) {
      throw new IllegalStateException(id + " does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Has the node stand still from now on, as a process that was stopped: its connections stay, and
   * it takes no step until {@link #resume}. Does nothing if it stands still. For tests.
   *
   * @throws IllegalStateException if it has stopped, or is busy for too long
   */
  synchronized void pause() {
    if (standstill != null) {
      return;
    }
    CountDownLatch until = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> standing =
        eventLoop.ask(
            () -> {
              begun.countDown();
              awaitOpen(until);
              return true;
            });
    standstill = until;
    long deadline = System.nanoTime() + PAUSE_WITHIN.toNanos();
    while (begun.getCount() > 0) {
      if (standing.isDone() || System.nanoTime() - deadline > 0) {
        resume();
        throw new IllegalStateException(
            id + (standing.isDone() ? " has stopped" : " is busy and cannot be paused"));
      }
      pauseBriefly();
    }
  }

  /** Has it go on; does nothing if it does not stand still. */
  synchronized void resume() {
    CountDownLatch until = standstill;
    standstill = null;
    if (until != null) {
      until.countDown();
    }
  }

  private static void awaitOpen(CountDownLatch until) {
    boolean interrupted = false;
    while (until.getCount() > 0) {
      try {
        until.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the node has a place in the cluster, and serves all that it holds.
   *
   * @throws IllegalStateException if it has stopped, or time is over
   */
  void awaitServing(Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    while (true) {
      NodeInspection seen = inspect(within);
      Optional<String> waitsFor = seen.waitsFor();
      if (waitsFor.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            id
                + " does not serve within "
                + within.toSeconds()
                + " s: "
                + waitsFor.get()
                + ". The log has its warnings; what was committed is kept. State: "
                + seen);
      }
      pauseBriefly();
    }
  }

  /**
   * Has the node leave in the orderly way (ecStore §5.4): its ranges are handed over to others
   * while it serves, and then it takes nothing new. Returns once it may be closed and no range
   * lacks it, or once that is not to be expected any more: no node is there to take over, or time
   * is over. In these cases it stays as it is, with what it has not handed over yet. Any thread may
   * call, and waits.
   *
   * @return {@link Departure.Stage#DEPARTED}; {@link Departure.Stage#NO_HEIR}; or {@link
   *     Departure.Stage#LEAVING}, if time was over; with what it waited for, for people
   * @throws IllegalStateException if it has stopped, or does not answer in time
   */
  public Departure.Progress depart(Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    onLoop(
        () -> {
          node.depart();
          return true;
        },
        within);
    while (true) {
      Departure.Progress seen = onLoop(node::departure, within);
      switch (seen.stage()) {
        case DEPARTED -> {
          return seen;
        }
        case NO_HEIR -> {
          return stay(seen, within);
        }
        case LEAVING, STAYS -> {
          if (System.nanoTime() - deadline > 0) {
            return stay(seen, within);
          }
        }
      }
      pauseBriefly();
    }
  }

  private Departure.Progress stay(Departure.Progress seen, Duration within) {
    return onLoop(
        () -> {
          node.stay();
          return seen;
        },
        within);
  }

  private static void pauseBriefly() {
    try {
      Thread.sleep(LOOK_AGAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Folds all that its engine has in memory into its store (rule W11), so that the next start has
   * nothing to replay; the node has to be closed then. Snapshots of this node end. What the store
   * refuses, or is not folded in time, is not lost: the next start replays it.
   *
   * @return whether the fold has ended in time
   */
  public boolean fold(Duration within) {
    return await(beginFold(), System.nanoTime() + within.toNanos());
  }

  /** As {@link #fold}, without waiting. */
  CompletableFuture<Boolean> beginFold() {
    CompletableFuture<Boolean> folded = new CompletableFuture<>();
    return eventLoop
        .ask(
            () -> {
              node.fold(() -> folded.complete(true));
              return true;
            })
        .thenCompose(asked -> folded)
        .exceptionally(failure -> false);
  }

  /** Waits for a fold, as long as the node lives. */
  boolean await(CompletableFuture<Boolean> folded, long deadline) {
    while (!folded.isDone() && failure().isEmpty() && System.nanoTime() < deadline) {
      pauseBriefly();
    }
    return folded.getNow(false);
  }

  /**
   * Ends the node as a crash would, as far as others see it: it says no goodbye, and what it had in
   * memory is gone. Its engine keeps what was submitted. Closing again does nothing.
   */
  @Override
  public void close() {
    resume();
    network.close();
    eventLoop.close();
    site.coordination().end(id);
    engine.close();
  }
}
