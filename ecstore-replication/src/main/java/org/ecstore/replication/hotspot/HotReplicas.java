package org.ecstore.replication.hotspot;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.view.LedgerView;

/**
 * All about hot-spot replicas on one node: those it holds for others, those of its own copies, and
 * when there are any (ecStore §4.2, §4.3, rules 24-26).
 */
public final class HotReplicas implements CopyFollower.Listener {
  private final NodeContext context;
  private final HotReplicaSettings settings;
  private final HotReplicaHost host;
  private final HotReplicaStreams streams;
  private final LoadSharing sharing;

  /** What the node that leads has told; 0 if that is nothing. */
  private long threshold;

  /** Wires host and streams together. */
  public HotReplicas(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      HotReplicaHost host,
      HotReplicaStreams streams,
      SplitPoints splitPoints,
      HotReplicaSettings settings,
      Supplier<List<NodeId>> nodes) {
    this.context = context;
    this.settings = settings;
    this.host = host;
    this.streams = streams;
    this.sharing =
        new LoadSharing(context, ledgerView, copies, streams, host, splitPoints, settings, nodes);
  }

  /** Begins to think of hot-spot replicas once a period. */
  public void start() {
    if (settings.enabled()) {
      context.every(settings.periodNanos(), sharing::tick);
    }
  }

  /**
   * The node that leads says from how many reads per second on a copy is busy (decision 0090).
   *
   * @param perSecond 0 if it is as this node is configured
   */
  public void startAt(long perSecond) {
    threshold = perSecond;
    sharing.startAt(perSecond);
  }

  /** What the node that leads has told of that; 0 if that is nothing. */
  public long threshold() {
    return threshold;
  }

  /** The hot-spot replicas held here, to be read. */
  public HotReplicaHost host() {
    return host;
  }

  /** Deadlines and heartbeats. */
  public void tick() {
    host.tick();
    streams.tick();
  }

  /** Takes a message. */
  public void take(NodeId from, HotReplicaMessage message) {
    switch (message) {
      case HotReplicaMessage.HotReplicaOffer _,
          HotReplicaMessage.HotReplicaUpdate _,
          HotReplicaMessage.HotReplicaDrop _ ->
          host.take(from, message);
      case HotReplicaMessage.HotReplicaAck _, HotReplicaMessage.HotReplicaGone _ ->
          streams.take(from, message);
      case HotReplicaMessage.LoadNews news -> sharing.news(news);
    }
  }

  /** Writes of a commit are readable in a primary copy here. */
  public void applied(Copy copy, Position number, List<VersionedWrite> writes) {
    streams.applied(copy, number, writes);
    sharing.updated(copy, writes);
  }

  @Override
  public void followed(Copy copy, List<VersionedWrite> writes) {
    streams.followed(copy, writes);
    sharing.updated(copy, writes);
  }

  /** A secondary goes on from the ledger. */
  public void interrupted(Copy copy) {
    streams.interrupted(copy);
  }

  /** A copy answers nothing from now on. */
  public void retired(Copy copy) {
    streams.retired(copy);
    sharing.retired(copy);
  }

  /** The map has changed. */
  public void reconcile() {
    host.reconcile();
  }

  /** Versions below a recorded floor go (rule 14). */
  public void floor(Position floor) {
    host.floor(floor);
  }

  /** A copy here is asked for keys in an interval, by whomever. */
  public void read(Copy copy, KeyRange span) {
    sharing.read(copy, span);
  }

  /** A key that halves the load of a copy here, if it is watched closely. */
  public Optional<Bytes> middle(Copy copy) {
    return sharing.middle(copy);
  }

  /** Whom to send a read-only request on to, if not to answer it here. */
  public Optional<HotReplicaStreams.View> redirect(Copy copy, KeyRange span, Position at) {
    return sharing.redirect(copy, span, at);
  }

  /** The hot-spot replicas of this node's copies. */
  public List<HotReplicaStreams.View> fed() {
    return streams.views();
  }
}
