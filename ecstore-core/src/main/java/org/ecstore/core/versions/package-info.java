/** Versions of keys held in memory: what memory engines and slaves are made of. */
@NullMarked
package org.ecstore.core.versions;

import org.jspecify.annotations.NullMarked;
