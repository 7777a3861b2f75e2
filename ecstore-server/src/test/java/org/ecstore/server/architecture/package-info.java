/** The architecture as tests: strata, adapters, determinism, format. */
@NullMarked
package org.ecstore.server.architecture;

import org.jspecify.annotations.NullMarked;
