/** Tests of the client protocol and the generator of random messages. */
@NullMarked
package org.ecstore.protocol;

import org.jspecify.annotations.NullMarked;
