/** Tests of keys and tuples. */
@NullMarked
package org.ecstore.key;

import org.jspecify.annotations.NullMarked;
