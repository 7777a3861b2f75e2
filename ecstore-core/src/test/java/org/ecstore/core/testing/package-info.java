/** What tests of several modules share: generators from a seed, fakes. */
@NullMarked
package org.ecstore.core.testing;

import org.jspecify.annotations.NullMarked;
