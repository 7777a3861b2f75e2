/**
 * SmallBank (Alomari, Cahill, Fekete and Röhm, The Cost of Serializability on Platforms That Use
 * Snapshot Isolation, ICDE 2008), and what says whether a run of it was serializable.
 */
@NullMarked
package org.ecstore.bench.smallbank;

import org.jspecify.annotations.NullMarked;
