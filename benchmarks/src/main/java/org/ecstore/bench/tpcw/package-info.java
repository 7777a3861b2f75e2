/** TPC-W: which page an emulated browser asks for next, when, and whom and what it names. */
@NullMarked
package org.ecstore.bench.tpcw;

import org.jspecify.annotations.NullMarked;
