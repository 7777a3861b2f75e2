/** {@code ecstore slo}: what applications are promised. */
@NullMarked
package org.ecstore.tools.cli.slo;

import org.jspecify.annotations.NullMarked;
