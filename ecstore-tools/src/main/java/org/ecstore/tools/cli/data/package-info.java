/** Commands that bring data in and out. */
@NullMarked
package org.ecstore.tools.cli.data;

import org.jspecify.annotations.NullMarked;
