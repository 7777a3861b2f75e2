/** What a user would pick instead of ecStore. */
@NullMarked
package org.ecstore.bench.peer;

import org.jspecify.annotations.NullMarked;
