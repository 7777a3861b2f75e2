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
 * All about slaves on one node: those it holds for others, those of its own copies, and when there
 * are any (ecStore §4.2, §4.3, rules 24-26).
 */
public final class Slaves implements CopyFollower.Listener {
  private final NodeContext lane;
  private final SlaveSettings settings;
  private final SlaveHost host;
  private final SlaveStreams streams;
  private final LoadSharing sharing;

  /** Wires host and streams together. */
  public Slaves(
      NodeContext lane,
      LedgerView knowledge,
      CopyTable copies,
      SlaveHost host,
      SlaveStreams streams,
      SplitPoints landmarks,
      SlaveSettings settings,
      Supplier<List<NodeId>> nodes) {
    this.lane = lane;
    this.settings = settings;
    this.host = host;
    this.streams = streams;
    this.sharing =
        new LoadSharing(lane, knowledge, copies, streams, host, landmarks, settings, nodes);
  }

  /** Begins to think of slaves once a period. */
  public void start() {
    if (settings.enabled()) {
      lane.every(settings.periodNanos(), sharing::tick);
    }
  }

  /** The slaves held here, to be read. */
  public SlaveHost host() {
    return host;
  }

  /** Deadlines and heartbeats. */
  public void tick() {
    host.tick();
    streams.tick();
  }

  /** Takes a message. */
  public void take(NodeId from, SlaveMessage message) {
    switch (message) {
      case SlaveMessage.SlaveOffer _, SlaveMessage.SlaveUpdate _, SlaveMessage.SlaveDrop _ ->
          host.take(from, message);
      case SlaveMessage.SlaveAck _, SlaveMessage.SlaveGone _ -> streams.take(from, message);
      case SlaveMessage.LoadNews news -> sharing.news(news);
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
  public Optional<SlaveStreams.View> redirect(Copy copy, KeyRange span, Position at) {
    return sharing.redirect(copy, span, at);
  }

  /** The slaves of this node's copies. */
  public List<SlaveStreams.View> fed() {
    return streams.views();
  }
}
