/** A shop of books, as TPC-W describes it, on any store: what its pages ask for. */
@NullMarked
package org.ecstore.bookstore;

import org.jspecify.annotations.NullMarked;
