/** Charts as pictures. */
@NullMarked
package org.ecstore.bench.plot;

import org.jspecify.annotations.NullMarked;
