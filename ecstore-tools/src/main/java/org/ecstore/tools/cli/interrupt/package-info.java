/** What a command says that its user interrupts. */
@NullMarked
package org.ecstore.tools.cli.interrupt;

import org.jspecify.annotations.NullMarked;
