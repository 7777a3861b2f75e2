/** The kinds of engines that a node can be configured to use. */
@NullMarked
package org.ecstore.engines.kind;

import org.jspecify.annotations.NullMarked;
