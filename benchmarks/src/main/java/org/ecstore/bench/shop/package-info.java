/** The shop of books as a process. */
@NullMarked
package org.ecstore.bench.shop;

import org.jspecify.annotations.NullMarked;
