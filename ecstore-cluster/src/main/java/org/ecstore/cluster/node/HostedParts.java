package org.ecstore.cluster.node;

import java.util.List;
import org.ecstore.cluster.bookkeeper.bookie.HostedBookie;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply.DiskRoom;
import org.ecstore.txn.node.NodeParts;
import org.jspecify.annotations.Nullable;

/** A node that says of the bookie and the disks of its process how they are. */
final class HostedParts extends NodeParts {
  private volatile @Nullable HostedBookie bookie;
  private volatile @Nullable DiskRooms rooms;

  /** The process hosts a bookie. */
  void bookie(HostedBookie started) {
    bookie = started;
  }

  /** The process looks at its disks. */
  void rooms(DiskRooms looked) {
    rooms = looked;
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
}
