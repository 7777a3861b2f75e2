/** What a node knows of the ledger: (D, M) pairs, the map, and what waits for them (rule 8). */
@NullMarked
package org.ecstore.replication.view;

import org.jspecify.annotations.NullMarked;
