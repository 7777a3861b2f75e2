/**
 * Sessions of inserts and reads on more and more hosts: average latency and elapsed time (Guster
 * and O'Brien, Can a Decentralized Structured Storage System Such as Cassandra Provide an Effective
 * Means of Speeding Up Web Access Times, Table 1).
 */
@NullMarked
package org.ecstore.bench.hosts;

import org.jspecify.annotations.NullMarked;
