/** The parts of a store's directory, and whether they belong together. */
@NullMarked
package org.ecstore.server.parts;

import org.jspecify.annotations.NullMarked;
