/** The architecture as tests: strata, adapters, determinism, format. */
@NullMarked
package org.ecstore.tools.architecture;

import org.jspecify.annotations.NullMarked;
