/** The numbers of a node for Prometheus: Micrometer behind the port for metrics, and HTTP. */
@NullMarked
package org.ecstore.cluster.metrics;

import org.jspecify.annotations.NullMarked;
