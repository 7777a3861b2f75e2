/** The Yahoo! Cloud Serving Benchmark: its workloads, and ecStore as a store under them. */
@NullMarked
package org.ecstore.bench.ycsb;

import org.jspecify.annotations.NullMarked;
