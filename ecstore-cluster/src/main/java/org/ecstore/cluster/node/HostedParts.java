package org.ecstore.cluster.node;

import java.util.List;
import org.ecstore.cluster.bookkeeper.bookie.HostedBookie;
import org.ecstore.core.port.Provisioner;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply.DiskRoom;
import org.ecstore.server.loop.RequestWaits;
import org.ecstore.txn.limit.NodeUse;
import org.ecstore.txn.node.NodeParts;
import org.jspecify.annotations.Nullable;

/**
 * A node that says of its process how its bookie and its disks are and how much it has to do, and
 * has what starts and stops others.
 */
final class HostedParts extends NodeParts {
  private volatile @Nullable HostedBookie bookie;
  private volatile @Nullable DiskRooms rooms;
  private volatile @Nullable ProcessUse use;
  private volatile @Nullable RequestWaits waits;
  private volatile Provisioner provisioner = Provisioner.NONE;

  /** The process hosts a bookie. */
  void bookie(HostedBookie started) {
    bookie = started;
  }

  /** The process looks at its disks. */
  void rooms(DiskRooms looked) {
    rooms = looked;
  }

  /** The process says how much it has to do. */
  void use(ProcessUse looked) {
    use = looked;
  }

  /** The node has started, and takes requests. */
  void waits(RequestWaits looked) {
    waits = looked;
  }

  /** Something can start and stop nodes. Before the node starts. */
  void provisioner(Provisioner other) {
    provisioner = other;
  }

  @Override
  public List<NodeRole> hosted() {
    HostedBookie hosted = bookie;
    return hosted == null || hosted.trouble().isPresent() ? List.of() : List.of(NodeRole.BOOKIE);
  }

  @Override
  public List<NodeFact> facts() {
    HostedBookie hosted = bookie;
    return hosted == null
        ? List.of()
        : hosted.trouble().stream().map(why -> new NodeFact(NodeFact.BOOKIE_DOWN, why)).toList();
  }

  @Override
  public List<DiskRoom> rooms() {
    DiskRooms looked = rooms;
    return looked == null ? List.of() : looked.seen();
  }

  @Override
  public NodeUse use() {
    ProcessUse looked = use;
    RequestWaits of = waits;
    return looked == null
        ? NodeUse.UNKNOWN
        : looked.look(of == null ? RequestWaits.Seen.NONE : of.seen());
  }

  @Override
  public Provisioner provisioner() {
    return provisioner;
  }
}
