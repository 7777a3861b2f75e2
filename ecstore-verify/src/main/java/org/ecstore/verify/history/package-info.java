/** What clients of a torture run did and saw, in memory and as JSON lines. */
@NullMarked
package org.ecstore.verify.history;

import org.jspecify.annotations.NullMarked;
