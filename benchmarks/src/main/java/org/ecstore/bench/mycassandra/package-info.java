/**
 * The experiment of MyCassandra: clusters of one kind of engine, of several, and Cassandra; where
 * copies are, distributions of latencies, and the papers' claims.
 */
@NullMarked
package org.ecstore.bench.mycassandra;

import org.jspecify.annotations.NullMarked;
