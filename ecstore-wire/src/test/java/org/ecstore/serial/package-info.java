/** Tests of Kryo within bounds. */
@NullMarked
package org.ecstore.serial;

import org.jspecify.annotations.NullMarked;
