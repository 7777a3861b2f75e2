/**
 * What a storage engine is asked to be: a plain ordered store of one row a key, under which no
 * version is kept. Versions are the business of the window above it.
 */
@NullMarked
package org.ecstore.engines.store;

import org.jspecify.annotations.NullMarked;
