/** Service-level objectives as people write them, in options and in files. */
@NullMarked
package org.ecstore.tools.objective;

import org.jspecify.annotations.NullMarked;
