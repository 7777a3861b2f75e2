/** The commands of {@code ecstore qos}: performance tables, plans, and what the controller does. */
@NullMarked
package org.ecstore.tools.cli.qos;

import org.jspecify.annotations.NullMarked;
