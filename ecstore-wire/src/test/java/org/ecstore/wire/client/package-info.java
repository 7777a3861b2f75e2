/** Tests of the client protocol and the generator of random messages. */
@NullMarked
package org.ecstore.wire.client;

import org.jspecify.annotations.NullMarked;
