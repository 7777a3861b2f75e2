/** Commands that start no store. */
@NullMarked
package org.ecstore.bench.cli.offline;

import org.jspecify.annotations.NullMarked;
