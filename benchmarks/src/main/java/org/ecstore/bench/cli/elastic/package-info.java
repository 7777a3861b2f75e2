/** The command {@code ecstore bench elasticity}. */
@NullMarked
package org.ecstore.bench.cli.elastic;

import org.jspecify.annotations.NullMarked;
