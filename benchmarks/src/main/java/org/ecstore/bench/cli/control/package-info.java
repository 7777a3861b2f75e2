/** {@code ecstore bench qos}, which shows that a cluster keeps an objective by itself. */
@NullMarked
package org.ecstore.bench.cli.control;

import org.jspecify.annotations.NullMarked;
