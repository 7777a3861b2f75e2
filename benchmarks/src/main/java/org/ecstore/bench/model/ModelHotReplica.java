package org.ecstore.bench.model;

import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.HotReplicaOrder;

/** A hot-spot replica of some keys of a copy. */
final class ModelHotReplica {
  final ModelCopy parent;
  final HotReplicaOrder order;
  final ModelNode node;
  final DecayedRates served;
  boolean there = true;

  ModelHotReplica(ModelCopy parent, HotReplicaOrder order, ModelNode node, DecayedRates served) {
    this.parent = parent;
    this.order = order;
    this.node = node;
    this.served = served;
  }
}
