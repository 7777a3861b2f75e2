/** Stores that loads run against: ecStore, and what a user would pick instead. */
@NullMarked
package org.ecstore.bench.store;

import org.jspecify.annotations.NullMarked;
