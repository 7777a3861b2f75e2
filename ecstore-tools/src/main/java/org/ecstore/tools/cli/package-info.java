/** The command line: {@code bin/ecstore}. One class a command. */
@NullMarked
package org.ecstore.tools.cli;

import org.jspecify.annotations.NullMarked;
