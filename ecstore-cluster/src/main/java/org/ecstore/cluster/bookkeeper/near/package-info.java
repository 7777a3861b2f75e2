/** What the bookie of a node's own process keeps, read without a request (decision 0096). */
@NullMarked
package org.ecstore.cluster.bookkeeper.near;

import org.jspecify.annotations.NullMarked;
