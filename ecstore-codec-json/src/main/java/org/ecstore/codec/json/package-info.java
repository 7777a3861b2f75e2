/** Values of tables as JSON. */
@NullMarked
package org.ecstore.codec.json;

import org.jspecify.annotations.NullMarked;
