/** The store on Berkeley DB Java Edition, within the process of the node. */
@NullMarked
package org.ecstore.engines.je;

import org.jspecify.annotations.NullMarked;
