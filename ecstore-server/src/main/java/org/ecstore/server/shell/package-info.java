/** The shell: one line, one operation, by hand or from a script. */
@NullMarked
package org.ecstore.server.shell;

import org.jspecify.annotations.NullMarked;
