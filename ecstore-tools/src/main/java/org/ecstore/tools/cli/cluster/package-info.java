/** The commands of {@code ecstore cluster}, and the tables they print. */
@NullMarked
package org.ecstore.tools.cli.cluster;

import org.jspecify.annotations.NullMarked;
