/** The engine on Berkeley DB Java Edition: versions in the key, one writer, a pool of readers. */
@NullMarked
package org.ecstore.engines.je;

import org.jspecify.annotations.NullMarked;
