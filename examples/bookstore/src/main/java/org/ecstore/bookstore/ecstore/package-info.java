/** The shop on ecStore: its tables with their indexes, and what is done with them. */
@NullMarked
package org.ecstore.bookstore.ecstore;

import org.jspecify.annotations.NullMarked;
