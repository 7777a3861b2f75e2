/** What commands' options have in common. */
@NullMarked
package org.ecstore.bench.cli.options;

import org.jspecify.annotations.NullMarked;
