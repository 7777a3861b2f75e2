/** A ZooKeeper server in a node's process, alone or in an ensemble. */
@NullMarked
package org.ecstore.cluster.zookeeper.server;

import org.jspecify.annotations.NullMarked;
