/** What all commands share: progress on a terminal, directories, input that is refused. */
@NullMarked
package org.ecstore.tools.terminal;

import org.jspecify.annotations.NullMarked;
