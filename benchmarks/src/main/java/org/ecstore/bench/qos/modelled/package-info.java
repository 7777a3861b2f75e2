/**
 * Performance tables by a cost model: the clusters of the Cassandra QoS paper as queues, for sizes
 * that one machine cannot host as processes (decision 0083).
 */
@NullMarked
package org.ecstore.bench.qos.modelled;

import org.jspecify.annotations.NullMarked;
