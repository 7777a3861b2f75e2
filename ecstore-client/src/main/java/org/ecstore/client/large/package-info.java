/** Values that are larger than a transaction takes, as streams of chunks. */
@NullMarked
package org.ecstore.client.large;

import org.jspecify.annotations.NullMarked;
