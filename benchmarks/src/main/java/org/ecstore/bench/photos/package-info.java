/** Photo metadata in date order and scans of days of it. Paper: ecStore C.1. */
@NullMarked
package org.ecstore.bench.photos;

import org.jspecify.annotations.NullMarked;
