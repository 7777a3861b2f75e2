package org.ecstore.bench.model;

import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.SlaveOrder;

/** A slave of some keys of a copy. */
final class ModelSlave {
  final ModelCopy parent;
  final SlaveOrder order;
  final ModelNode node;
  final DecayedRates served;
  boolean there = true;

  ModelSlave(ModelCopy parent, SlaveOrder order, ModelNode node, DecayedRates served) {
    this.parent = parent;
    this.order = order;
    this.node = node;
    this.served = served;
  }
}
