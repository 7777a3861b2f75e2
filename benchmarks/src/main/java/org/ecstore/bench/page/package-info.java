/** Results of measurements as one page to look at. */
@NullMarked
package org.ecstore.bench.page;

import org.jspecify.annotations.NullMarked;
