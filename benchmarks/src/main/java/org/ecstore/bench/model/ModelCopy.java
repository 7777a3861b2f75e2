package org.ecstore.bench.model;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.LoadBalance;
import org.jspecify.annotations.Nullable;

/** A whole copy of a range on a node, primary or secondary, with its hot-spot replicas. */
final class ModelCopy {
  final ModelNode node;
  final KeyRange keys;
  final @Nullable LoadBalance balance;
  final List<ModelHotReplica> hotReplicas = new ArrayList<>();

  ModelCopy(ModelNode node, KeyRange keys, @Nullable LoadBalance balance) {
    this.node = node;
    this.keys = keys;
    this.balance = balance;
  }
}
