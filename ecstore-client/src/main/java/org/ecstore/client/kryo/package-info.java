/** Kryo within bounds: application values and stored metadata as bytes. */
@NullMarked
package org.ecstore.client.kryo;

import org.jspecify.annotations.NullMarked;
