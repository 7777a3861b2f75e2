/** Values of tables as messages of Protocol Buffers. */
@NullMarked
package org.ecstore.codec.protobuf;

import org.jspecify.annotations.NullMarked;
