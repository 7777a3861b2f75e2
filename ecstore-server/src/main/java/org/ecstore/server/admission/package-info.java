/**
 * Admission: how many bytes a node holds for whom, taken before anything is allocated and given
 * back when it is done. What there is no room for is refused, and learns when to come back.
 */
@NullMarked
package org.ecstore.server.admission;

import org.jspecify.annotations.NullMarked;
