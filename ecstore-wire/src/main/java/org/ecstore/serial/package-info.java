/** Kryo within bounds: application values and stored metadata as bytes. */
@NullMarked
package org.ecstore.serial;

import org.jspecify.annotations.NullMarked;
