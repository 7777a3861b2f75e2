package org.ecstore.sim;

import java.util.function.ToDoubleFunction;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.txn.limit.NodeUse;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;

/**
 * Of what a node beside a controller is made, as in a {@link ControlledRun}: all is as it is, but
 * what it uses of its capacity, what starts nodes, and its controller.
 */
final class ControlledNode extends NodeParts {
  private static final double MILLI = 1_000;

  private final NodeId self;
  private final ToDoubleFunction<NodeId> busy;
  private final Provisioner provisioner;
  private final ControlledRun.Controllers controllers;

  /**
   * As above.
   *
   * @param busy how much of its capacity a node uses, as a share of it
   */
  ControlledNode(
      NodeId self,
      ToDoubleFunction<NodeId> busy,
      Provisioner provisioner,
      ControlledRun.Controllers controllers) {
    this.self = self;
    this.busy = busy;
    this.provisioner = provisioner;
    this.controllers = controllers;
  }

  @Override
  public NodeUse use() {
    return new NodeUse(Math.round(busy.applyAsDouble(self) * MILLI), 0);
  }

  @Override
  public Provisioner provisioner() {
    return provisioner;
  }

  @Override
  public ServiceLevels serviceLevels(ServiceLevels.Surroundings with, NodeSettings settings) {
    return new ServiceLevels(with, settings.control(), provisioner) {
      @Override
      protected Controller newController(Surroundings with, ObjectiveKeeper promised) {
        return controllers.of(
            new ControlledRun.Parts(
                with.context(),
                with.leads(),
                with.cluster(),
                promised,
                provisioner,
                with.decisions(),
                settings.control()));
      }
    };
  }
}
