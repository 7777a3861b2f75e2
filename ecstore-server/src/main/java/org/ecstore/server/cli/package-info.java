/** The command line: {@code bin/ecstore}. One class a command. */
@NullMarked
package org.ecstore.server.cli;

import org.jspecify.annotations.NullMarked;
