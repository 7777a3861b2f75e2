/** The end of this process, and what it must not leave behind. */
@NullMarked
package org.ecstore.server.shutdown;

import org.jspecify.annotations.NullMarked;
