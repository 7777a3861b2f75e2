/** Tests of envelopes. */
@NullMarked
package org.ecstore.core.message;

import org.jspecify.annotations.NullMarked;
