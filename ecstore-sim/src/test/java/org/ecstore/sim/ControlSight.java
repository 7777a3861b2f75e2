package org.ecstore.sim;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ControlAction;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlBookForm;
import org.ecstore.txn.qos.measured.TableBook;
import org.ecstore.txn.qos.measured.TableBookForm;
import org.ecstore.txn.qos.measured.TableKeeper;
import org.ecstore.txn.steward.Steward;

/** What is there of a simulated cluster, as its machines and its coordination have it. */
final class ControlSight {
  private final SimCluster cluster;

  ControlSight(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** What the controller has written down. */
  ControlBook book() {
    return cluster
        .coordination()
        .value(Controller.KEY)
        .map(bytes -> new ControlBookForm().decode(bytes))
        .orElse(ControlBook.EMPTY);
  }

  List<ControlAction> actions() {
    return book().actions();
  }

  TableBook tables() {
    return cluster
        .coordination()
        .value(TableKeeper.KEY)
        .map(bytes -> new TableBookForm().decode(bytes))
        .orElse(TableBook.EMPTY);
  }

  private Optional<ClusterState> state() {
    return cluster.coordination().value(Steward.KEY).map(ClusterStateCodec::decode);
  }

  /** How many nodes have a place in the tree. */
  int places() {
    return state().map(known -> known.tree().inOrder().size()).orElse(0);
  }

  /** Nodes that have a place in the tree. */
  List<NodeId> placed() {
    return state().stream()
        .flatMap(known -> known.tree().inOrder().stream())
        .map(Place::node)
        .toList();
  }

  /** Machines whose processes run. */
  List<SimHost> running() {
    return cluster.hosts().stream().filter(SimHost::isUp).toList();
  }

  /** A node's machine; absent if the world has none for it. */
  Optional<SimHost> host(NodeId node) {
    return cluster.hosts().stream().filter(host -> host.id().equals(node)).findFirst();
  }

  /** Whether a node's process runs. */
  boolean runs(NodeId node) {
    return host(node).filter(SimHost::isUp).isPresent();
  }

  /** The machine that coordination says leads; absent if it names none. */
  Optional<SimHost> leader() {
    return cluster.coordination().leader().isEmpty()
        ? Optional.empty()
        : Optional.of(CalmCluster.leader(cluster));
  }
}
