/** What people read on a terminal. */
@NullMarked
package org.ecstore.server.print;

import org.jspecify.annotations.NullMarked;
