/** What a new shop has in it, by TPC-W's rules (TPC-W 1.8, 4.3, 4.6, 4.7). */
@NullMarked
package org.ecstore.bookstore.population;

import org.jspecify.annotations.NullMarked;
