/** Tests of large values. */
@NullMarked
package org.ecstore.client.large;

import org.jspecify.annotations.NullMarked;
