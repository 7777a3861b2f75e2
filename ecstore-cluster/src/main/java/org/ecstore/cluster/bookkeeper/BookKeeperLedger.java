package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.ecstore.cluster.bookkeeper.bookie.LedgerRefusedException;
import org.ecstore.cluster.bookkeeper.metadata.ClusterMetadata;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.metadata.MetadataZooKeeper;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.OwnerThread;
import org.ecstore.cluster.bookkeeper.segment.SegmentCollector;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.cluster.bookkeeper.segment.SegmentReads;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.cluster.bookkeeper.segment.SegmentTimes;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.EachInTurn;
import org.ecstore.id.NodeId;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.refusal.Outlook;

/**
 * The commit ledger of a cluster on bookies (rules 1, 6, 7). Each segment is a BookKeeper ledger;
 * the list of them is one versioned znode, {@code /ecstore/<cluster>/ledger}. One thread owns the
 * state and gives all results; nothing in it waits. Safe for use by several threads.
 *
 * <p>What becomes of a call:
 *
 * <ul>
 *   <li>A fence takes at most {@link BookKeeperSettings#fenceMillis}; {@link LedgerResult.Failed}
 *       says how many bookies there are if that is why. After a fence that failed the node may be
 *       the writer's end: the next fence settles it.
 *   <li>An append that is not acknowledged for certain is {@link LedgerResult.AppendUnknown}, and
 *       so is every one after it until the node fences again. {@link LedgerResult.Rejected} is only
 *       what was never sent: too much was waiting, or the ledger is closed.
 *   <li>After a bug each call is answered as after a close, and each node hears {@link
 *       Event.PartFailed}.
 *   <li>A read sees what is confirmed, from any node. What was acknowledged before the read began
 *       it sees as soon as the writer, or the fence after its death, has let the bookies know; the
 *       read waits a moment for that.
 * </ul>
 */
public final class BookKeeperLedger implements LedgerService {
  private static final String BROKEN = "the ledger is closed by a bug";

  private final Context context;
  private final Metadata metadata;

  /** Belongs to the owner. */
  private final List<NodeLedger> nodes = new ArrayList<>();

  /** What the bug was that has ended it, if one has. */
  private Optional<String> broken = Optional.empty();

  private boolean closed;

  private BookKeeperLedger(
      Metadata metadata,
      Bookies bookies,
      BookKeeperSettings settings,
      OperatorLog log,
      Function<Consumer<Throwable>, Owner> owners,
      LedgerParts parts) {
    this.metadata = metadata;
    EachInTurn.prepare();
    Owner owner = owners.apply(this::bug);
    SegmentStore store = new SegmentStore(metadata, owner, settings.sessionMillis());
    SegmentReads reads = parts.reads(owner, bookies, store, settings);
    SegmentCollector collector = new SegmentCollector(owner, bookies, store, reads, settings, log);
    this.context = new Context(owner, bookies, store, reads, collector, settings, log);
    owner.every(SegmentTimes.TICK_MILLIS, this::tick);
    owner.every(SegmentTimes.BOOKIES_MILLIS, this::countBookies);
    owner.after(Math.min(settings.graceMillis(), settings.orphanMillis()), collector::look);
    owner.every(settings.orphanMillis(), collector::look);
  }

  /**
   * Opens the ledger of a cluster, or makes it where there is none. Needs ZooKeeper; bookies only
   * when it is used.
   *
   * @param zooKeeper {@code host:port,host:port}
   * @param clusterName a name that is one step of a path
   * @param cluster the id the ledger must have
   * @param log is told of what an operator can do something about
   * @throws LedgerRefusedException if there is no ZooKeeper, or the ledger is of another cluster
   */
  public static BookKeeperLedger open(
      String zooKeeper,
      String clusterName,
      UUID cluster,
      BookKeeperSettings settings,
      OperatorLog log)
      throws IOException {
    return open(
        ClusterPaths.of(zooKeeper, clusterName), cluster, settings, log, UnaryOperator.identity());
  }

  /**
   * The same with something between it and ZooKeeper.
   *
   * @param faults around the metadata, for tests
   */
  static BookKeeperLedger open(
      ClusterPaths paths,
      UUID cluster,
      BookKeeperSettings settings,
      OperatorLog log,
      UnaryOperator<Metadata> faults)
      throws IOException {
    MetadataZooKeeper connection = connect(paths, settings, log);
    BookKeeperLedger opened = null;
    try {
      prepare(paths, connection, cluster, settings);
      Metadata metadata = faults.apply(connection);
      Bookies bookies = BookieClient.connect(paths, metadata, cluster, settings);
      opened = over(metadata, bookies, settings, log, BookKeeperLedger::thread, new LedgerParts());
      return opened;
    } finally {
      if (opened == null) {
        connection.close();
      }
    }
  }

  private static Owner thread(Consumer<Throwable> bug) {
    return new OwnerThread("ecstore-ledger", bug);
  }

  /**
   * A ledger over clients of ZooKeeper and BookKeeper that are there, run by an owner that is
   * given.
   *
   * @param owners makes the owner; it is given what takes an exception that was not expected
   */
  static BookKeeperLedger over(
      Metadata metadata,
      Bookies bookies,
      BookKeeperSettings settings,
      OperatorLog log,
      Function<Consumer<Throwable>, Owner> owners,
      LedgerParts parts) {
    return new BookKeeperLedger(metadata, bookies, settings, log, owners, parts);
  }

  private static MetadataZooKeeper connect(
      ClusterPaths paths, BookKeeperSettings settings, OperatorLog log) throws IOException {
    try {
      return MetadataZooKeeper.connect(paths, settings.zooKeeperSessionMillis(), log);
    } catch (IOException e) {
      throw new LedgerRefusedException(
          "the ledger cannot be opened: " + e.getMessage(), e, Outlook.SOON);
    }
  }

  private static void prepare(
      ClusterPaths paths, MetadataZooKeeper connection, UUID cluster, BookKeeperSettings settings)
      throws IOException {
    try {
      ClusterMetadata.create(paths, connection, settings.sessionMillis());
      connection.createSegments(SegmentList.empty(cluster).encode());
      UUID found = SegmentList.decode(connection.segments()).cluster();
      if (!found.equals(cluster)) {
        throw new LedgerRefusedException(
            "the ledger at "
                + paths.segments()
                + " is of cluster "
                + found
                + ", not of "
                + cluster
                + ": the node's directory or the cluster's name is another cluster's");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LedgerRefusals.of(paths, e);
    } catch (Exception e) {
      throw LedgerRefusals.of(paths, e);
    }
  }

  /**
   * Its state is not trusted any more (decision 0115). First each node that appends is the writer
   * no more, and has an answer to what it sent; then it is told to end. A step may meet what the
   * bug has left: the others come all the same. What fails afterwards is told of and changes
   * nothing.
   */
  private void bug(Throwable bug) {
    List<Runnable> steps = new ArrayList<>();
    steps.add(() -> context.log().warn("ledger: a bug, it is closed: " + bug));
    if (broken.isEmpty()) {
      broken = Optional.of(bug.toString());
      nodes.forEach(node -> steps.add(() -> node.fail(BROKEN)));
      steps.add(context.reads()::close);
      steps.add(context.collector()::close);
      nodes.forEach(node -> steps.add(() -> node.mustEnd(bug.toString())));
    }
    EachInTurn.run(steps)
        .ifPresent(
            further -> context.log().warn("ledger: another bug as it is closed: " + further));
  }

  private void tick() {
    if (broken.isPresent()) {
      return;
    }
    nodes.forEach(NodeLedger::tick);
    context.reads().tick();
    context.collector().tick();
  }

  private void countBookies() {
    if (broken.isPresent() || nodes.stream().noneMatch(NodeLedger::hasWriter)) {
      return;
    }
    CompletableFuture<List<String>> _ =
        context
            .bookies()
            .writable()
            .whenComplete(
                (there, _) -> {
                  if (there != null) {
                    context.owner().execute(() -> nodes.forEach(node -> node.fill(there)));
                  }
                });
  }

  @Override
  public Ledger handle(NodeId node, Consumer<Event> sink) {
    NodeLedger handle = new NodeLedger(context, sink);
    context.owner().execute(() -> begin(handle));
    return handle;
  }

  private void begin(NodeLedger handle) {
    nodes.add(handle);
    if (broken.isPresent()) {
      handle.fail(BROKEN);
      handle.mustEnd(broken.get());
    }
  }

  /** Answers what was begun, closes the segment it writes, and lets everything go. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    CountDownLatch settled = new CountDownLatch(1);
    context
        .owner()
        .execute(
            () -> {
              CountDownLatch open = new CountDownLatch(nodes.size());
              nodes.forEach(
                  node ->
                      node.close(
                          () -> {
                            open.countDown();
                            if (open.getCount() == 0) {
                              settled.countDown();
                            }
                          }));
              if (nodes.isEmpty()) {
                settled.countDown();
              }
            });
    try {
      // Adds end by themselves before that, by BookKeeper's own timeouts.
      boolean _ = settled.await(3L * context.settings().addMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end(() -> nodes.forEach(node -> node.fail("the ledger is closed")));
  }

  /** Ends as a process that is killed: no segment is closed, no call is answered. For tests. */
  synchronized void crash() {
    if (!closed) {
      end(() -> nodes.forEach(NodeLedger::abandon));
    }
  }

  private void end(Runnable last) {
    closed = true;
    context
        .owner()
        .execute(
            () -> {
              last.run();
              context.reads().close();
              context.collector().close();
            });
    context.owner().close();
    context.bookies().close();
    metadata.close();
  }
}
