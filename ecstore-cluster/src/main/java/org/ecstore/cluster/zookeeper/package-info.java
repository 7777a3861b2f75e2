/**
 * Membership, compare-and-set and the election hint of a cluster of processes, on ZooKeeper through
 * Apache Curator, and the ZooKeeper server that a node of a small cluster can host.
 */
@NullMarked
package org.ecstore.cluster.zookeeper;

import org.jspecify.annotations.NullMarked;
