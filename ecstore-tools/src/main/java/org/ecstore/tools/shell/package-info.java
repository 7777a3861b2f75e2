/** The shell: one line, one operation, by hand or from a script. */
@NullMarked
package org.ecstore.tools.shell;

import org.jspecify.annotations.NullMarked;
