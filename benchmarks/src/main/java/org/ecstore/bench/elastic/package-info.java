/**
 * A run in which a cluster of node processes gets a node and gives one up under a steady load, and
 * what clients have meanwhile.
 */
@NullMarked
package org.ecstore.bench.elastic;

import org.jspecify.annotations.NullMarked;
