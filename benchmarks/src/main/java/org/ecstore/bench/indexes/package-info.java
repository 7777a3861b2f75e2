/** What indexes cost: the same records with none, one and several, written and found. */
@NullMarked
package org.ecstore.bench.indexes;

import org.jspecify.annotations.NullMarked;
