/** Routing over the tree from link to link (BATON §4), with a cache of ranges: for measurements. */
@NullMarked
package org.ecstore.core.overlay.routing;

import org.jspecify.annotations.NullMarked;
