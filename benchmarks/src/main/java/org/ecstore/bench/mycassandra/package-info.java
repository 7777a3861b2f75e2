/** The experiment of MyCassandra: clusters of one kind of engine, of several, and Cassandra. */
@NullMarked
package org.ecstore.bench.mycassandra;

import org.jspecify.annotations.NullMarked;
