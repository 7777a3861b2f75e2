/** Versions of keys held in memory: what memory engines and hot-spot replicas are made of. */
@NullMarked
package org.ecstore.core.mvcc;

import org.jspecify.annotations.NullMarked;
