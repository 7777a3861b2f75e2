/** What a shop of books keeps: TPC-W's tables (TPC-W 1.8, 1.2) as records. */
@NullMarked
package org.ecstore.bookstore.model;

import org.jspecify.annotations.NullMarked;
