/** The commands of {@code ecstore qos} and {@code ecstore slo}: objectives, tables, plans. */
@NullMarked
package org.ecstore.tools.cli.qos;

import org.jspecify.annotations.NullMarked;
