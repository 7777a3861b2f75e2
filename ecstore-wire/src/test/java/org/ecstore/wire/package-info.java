/** Tests of the wire codec. */
@NullMarked
package org.ecstore.wire;

import org.jspecify.annotations.NullMarked;
