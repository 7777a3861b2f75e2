/** Tests of Kryo within bounds. */
@NullMarked
package org.ecstore.client.kryo;

import org.jspecify.annotations.NullMarked;
