/** The commands of {@code ecstore bench}. */
@NullMarked
package org.ecstore.bench.cli;

import org.jspecify.annotations.NullMarked;
