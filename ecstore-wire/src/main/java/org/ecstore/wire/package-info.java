/** The wire codec: bounded readers and writers, framing limits. */
@NullMarked
package org.ecstore.wire;

import org.jspecify.annotations.NullMarked;
