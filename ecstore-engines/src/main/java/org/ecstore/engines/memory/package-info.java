/** A store in memory, of which a crash may take any part that was not synced. */
@NullMarked
package org.ecstore.engines.memory;

import org.jspecify.annotations.NullMarked;
