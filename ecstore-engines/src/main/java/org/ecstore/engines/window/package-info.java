/**
 * The window of versions above a plain ordered store: it holds the newest seconds of what was
 * committed, the store below one value a key.
 */
@NullMarked
package org.ecstore.engines.window;

import org.jspecify.annotations.NullMarked;
