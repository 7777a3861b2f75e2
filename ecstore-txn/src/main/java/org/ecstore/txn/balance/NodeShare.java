package org.ecstore.txn.balance;

import java.util.Optional;
import org.ecstore.id.NodeId;

/**
 * What a node of the tree has.
 *
 * @param ranges that belong to it
 * @param bytes that these hold, also where other nodes serve them; absent while that is not known
 *     of all
 * @param reads per second at its copies, of whatever ranges
 * @param updates per second of the ranges that it serves
 */
public record NodeShare(
    NodeId node, int ranges, Optional<Long> bytes, double reads, double updates) {
  double rate() {
    return reads + updates;
  }
}
