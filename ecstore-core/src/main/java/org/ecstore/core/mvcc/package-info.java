/** Versions of keys held in memory: what memory engines and slaves are made of. */
@NullMarked
package org.ecstore.core.mvcc;

import org.jspecify.annotations.NullMarked;
