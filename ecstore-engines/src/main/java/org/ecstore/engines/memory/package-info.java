/** An engine in memory that completes late and loses unsynced batches in a crash. */
@NullMarked
package org.ecstore.engines.memory;

import org.jspecify.annotations.NullMarked;
